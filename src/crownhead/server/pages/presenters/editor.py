"""The set-up mode of the analysis board: its pieces, and whether the rules allow the position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import Colour, Piece, Position, Variant
from crownhead.rules.geometry import squares
from crownhead.server.pages.presenters.arrangement import Arrangement, Validation, kinds, validate
from crownhead.server.play.presenters.board.boards import (
    BoardPresenter,
    board_data,
    board_presenter,
    empty_field,
    piece_code,
)
from crownhead.server.play.presenters.board.words import board_texts, result_sentence, side, turn_sentence
from crownhead.server.play.presenters.variant_texts import variant_name


@dataclass(frozen=True, slots=True)
class Brush:
    """What a touch does to a square: place this piece, or clear the square if there is none."""

    code: str
    piece: Piece | None
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the rules allow the position: a sentence, and reasons if not.

    The addresses of the analysis and the picture are empty then.
    """

    sentence: str
    reasons: tuple[str, ...]
    faults: str
    analysis: str
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorPage:
    """What the template shows."""

    arrangement: Arrangement
    board: BoardPresenter
    brushes: tuple[Brush, ...]
    turns: tuple[tuple[Colour, str, bool], ...]
    verdict: Verdict
    link: str
    playing: str
    start: str
    clear: str
    turned: str


def editor_page(arrangement: Arrangement, put: str) -> EditorPage:
    """The page; ``put`` is the code of the piece that a touch places."""
    validation = validate(arrangement.setup)
    return EditorPage(
        arrangement=arrangement,
        board=_board(arrangement, validation),
        brushes=_brushes(arrangement.variant, put),
        turns=tuple(
            (colour, side(colour, arrangement.variant), colour is arrangement.setup.turn)
            for colour in (Colour.WHITE, Colour.BLACK)
        ),
        verdict=_verdict(arrangement, validation),
        link=arrangement.address(setup=True),
        playing=arrangement.address(setup=False),
        start=arrangement.at_the_start().address(setup=True),
        clear=arrangement.emptied().address(setup=True),
        turned=replace(arrangement, flip=not arrangement.flip).address(setup=True),
    )


def _board(arrangement: Arrangement, validation: Validation) -> BoardPresenter:
    variant, pieces = arrangement.variant, arrangement.setup.pieces
    bottom = arrangement.bottom
    words = board_texts(variant)
    fields = []
    for square in squares(variant.board, variant.notation).values():
        piece = pieces.get(square.number)
        fault = square.number in validation.faults
        label = [square.name, words[f"{piece.colour.value}-{piece.kind.value}" if piece else "empty"]]
        fields.append(
            replace(
                empty_field(variant, square),
                piece=piece,
                mark="fault" if fault else "",
                label=", ".join([*label, words["fault"]] if fault else label),
                touch=str(square.number),
            )
        )
    runs = {colour.value: (run.square, run.steps) for colour, run in arrangement.setup.king_runs.items()}
    data = {**board_data(variant, bottom, pieces), "faults": validation.faults, "runs": runs}
    return board_presenter(variant, bottom, fields, live=True, data=data, mode="edit")


def _brushes(variant: Variant, put: str) -> tuple[Brush, ...]:
    words, codes = board_texts(variant), {piece_code(piece): piece for piece in kinds(variant)}
    chosen = put if put in codes or put == "none" else next(iter(codes))
    pieces = (
        Brush(code, piece, words[f"{piece.colour.value}-{piece.kind.value}"], code == chosen)
        for code, piece in codes.items()
    )
    return (*pieces, Brush("none", None, _("eraser"), chosen == "none"))


def _verdict(arrangement: Arrangement, validation: Validation) -> Verdict:
    position = validation.position
    if position is None:
        sentence = impossible(arrangement.variant)
        faults = ",".join(map(str, validation.faults))
        return Verdict(sentence, validation.reasons, faults, "", "")
    values = {"variant": position.variant_key, "fen": position.fen()}
    picture = urlencode({**values, "flip": 1} if arrangement.bottom is Colour.BLACK else values)
    return Verdict(
        _sentence(position, validation.moves),
        (),
        "",
        arrangement.address(setup=False),
        f"{reverse('pages:picture')}?{picture}",
    )


def _sentence(position: Position, count: int) -> str:
    outcome = position.outcome()
    if outcome:
        return result_sentence(
            variant=position.variant, winner=outcome.winner, termination=outcome.termination
        )
    return f"{turn_sentence(position.turn, position.variant)} {move_count(count)}"


def impossible(variant: Variant) -> str:
    """That the laws of a variant do not allow a position."""
    return _("This position is not possible in %(game)s.") % {"game": variant_name(variant)}


def move_count(count: int) -> str:
    """How many moves are possible, in a sentence."""
    return ngettext("%(count)s possible move.", "%(count)s possible moves.", count) % {"count": count}
