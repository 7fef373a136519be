"""Moves for both sides from any position, stored only in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, CrownheadError, Move
from crownhead.openings import opening_of
from crownhead.server.core.problems import Unprocessable
from crownhead.server.pages.presenters.arrangement import Arrangement
from crownhead.server.pages.presenters.fen import fen_of
from crownhead.server.play.presenters import games
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard, hint
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.moves import legal_moves, routes_of
from crownhead.server.play.presenters.board.touch import BoardQuery, bottom_side, touch
from crownhead.server.play.presenters.board.words import result_sentence, turn_sentence
from crownhead.server.play.presenters.games import Row
from crownhead.server.play.problems.reasons import play_typed, refusal

LONGEST_TRY = 400  # plies


@dataclass(frozen=True, slots=True)
class Trial:
    """A position to start from and the moves played since, as in an address."""

    variant: str
    fen: str
    moves: tuple[str, ...]
    record: crownhead.Game
    legal: Mapping[Move, str]  # the moves of the last position, with their notation
    refused: str = ""  # why the move that was typed is not played

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Play the moves of a query; raises ``Unprocessable`` if one is illegal that was not just typed."""
        variant, fen = query.get("variant", next(iter(VARIANTS))), fen_of(query)
        moves = tuple(filter(None, query.get("moves", "").replace(",", " ").split()))
        typed = query.get("move", "").strip()
        if len(moves) + bool(typed) > LONGEST_TRY:
            raise Unprocessable(
                _("The address is too long: at most %(count)s moves.") % {"count": LONGEST_TRY}
            )
        try:
            record = crownhead.Game(variant, start=fen or None, draw_rules="none")
        except CrownheadError as error:
            raise refusal(error) from error
        try:
            for move in moves:
                record.push(move)
            refused = play_typed(record, typed)
            legal = legal_moves(record.position)
        except CrownheadError as error:
            raise refusal(error, record.position) from error
        played = (*moves, typed) if len(record.moves) > len(moves) else moves
        return cls(record.variant.key, fen, played, record, legal, refused)

    @property
    def moves_text(self) -> str:
        """The moves as a form carries them."""
        return " ".join(self.moves)

    def address(self, moves: tuple[str, ...] | None = None, *, flip: bool = False) -> str:
        """The address of this board with other moves."""
        return f"{reverse('pages:analysis')}?{self.query(moves, flip=flip)}"

    def query(self, moves: tuple[str, ...] | None = None, *, flip: bool = False) -> str:
        """The query of a board with these moves."""
        values = {
            "variant": self.variant,
            "fen": self.fen,
            "moves": " ".join(self.moves if moves is None else moves),
            "flip": "1" if flip else "",
        }
        return urlencode({key: value for key, value in values.items() if value})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """What the board shows; ``onward``: the address after the move on the board.

    It is empty while the piece can go on capturing; ``chosen`` is the move so far.
    """

    trial: Trial
    board: BoardPresenter
    rows: tuple[Row, ...]
    status: str
    hint: str
    fen: str
    spoken: str
    board_query: BoardQuery
    chosen: str
    onward: str
    back: str
    again: str
    flip: str
    link: str
    editor: str
    opening: str  # its name, if the moves so far have one


def trial_page(trial: Trial, board_query: BoardQuery) -> TrialPage:
    """The page; the touched squares may complete a move, which is then played."""
    record = trial.record
    table = GameBoard(
        replay=record,
        bottom=bottom_side(bottom_of(record.variant, record.variant.start.first), board_query),
        ply=len(record.moves),
        touch=touch(trial.legal, board_query.at, routes_of(record.position, trial.legal)),
        at_once=True,
    )
    text = table.touch.chosen_text
    made = text and not table.touch.targets  # else the piece may go on
    return TrialPage(
        trial=trial,
        board=table.presenter(),
        rows=games.rows(record, record.notations(), ply=len(record.moves)),
        status=_status(record),
        hint=hint(table, board_query),
        fen=record.position.fen(),
        spoken=f"{table.last_sentence} {_status(record)}".strip(),
        board_query=board_query,
        chosen=text,
        onward=trial.address((*trial.moves, text), flip=board_query.flip) if made else "",
        back=trial.address(trial.moves[:-1], flip=board_query.flip) if trial.moves else "",
        again=trial.address((), flip=board_query.flip) if trial.moves else "",
        flip=trial.address(flip=not board_query.flip),
        link=trial.address(flip=board_query.flip),
        editor=Arrangement.of_position(record.position, flip=board_query.flip).address(setup=True),
        opening=_opening(record),
    )


def _status(record: crownhead.Game) -> str:
    outcome = record.outcome()
    if outcome:
        return result_sentence(variant=record.variant, winner=outcome.winner, termination=outcome.termination)
    return turn_sentence(record.turn, record.variant)


def _opening(record: crownhead.Game) -> str:
    opening = opening_of(record)
    return opening.name if opening else ""
