"""The board as a page draws it: what stands on its squares, what may be touched, the element's data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import crownhead
from crownhead import VARIANTS, Colour, Piece, Position, Variant
from crownhead.notation.explain import why_illegal
from crownhead.rules.geometry import Square, square_name, squares
from crownhead.rules.schema import Board, Notation
from crownhead.server.play.presenters.board.diagrams import EdgeName, dark_side, edges, lines, shade
from crownhead.server.play.presenters.board.markup import edges_markup, squares_markup
from crownhead.server.play.presenters.board.moves import (
    LETTERS,
    Placement,
    barred_king,
    last_move_sentence,
    legal_data,
    move_list_data,
    square_names,
    taken_pieces_stay,
)
from crownhead.server.play.presenters.board.touch import BoardQuery, Path, Touch
from crownhead.server.play.presenters.board.words import (
    board_texts,
    capture_law,
    law_texts,
    side,
    takes_itself_off,
)
from crownhead.server.play.presenters.variant_texts import variant_name

_CODES = {
    colour.letter + letter: Piece(colour, kind) for colour in Colour for kind, letter in LETTERS.items()
}


@dataclass(frozen=True, slots=True)
class Field:
    """A square as drawn. ``touch`` is what its button asks for: the path after touching it."""

    number: int = 0  # 0: nothing is ever played on it
    name: str = ""
    algebraic: str = ""  # by file and rank, where the name is a number
    shade: str = "light"  # dark, light, or point where there are lines instead
    piece: Piece | None = None
    ghost: bool = False  # the piece has just been taken
    state: str = ""  # movable, removable, selected, target, placed
    last: str = ""  # from, via, to, taken: its part in the last move
    mark: str = (
        ""  # conditional: a move that is only planned goes over it; fault: the laws object to the piece
    )
    label: str = ""
    touch: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move drawn over the board: its line through the squares of its path, and the head at its end.

    ``rank`` is 1 for the best of several.
    """

    line: str
    head: str
    rank: int


@dataclass(frozen=True, slots=True)
class BoardPresenter:
    """A board to render. ``live``: the viewer may move, so its buttons send what they ask for.

    ``mode`` is ``edit`` where pieces are put anywhere, ``plan`` where moves are only thought of; ``pace`` is
    ``live`` in a game that is played live.
    """

    rows: tuple[tuple[Field, ...], ...]
    label: str
    live: bool
    columns: int
    height: int
    lines: str
    edges: tuple[EdgeName, ...]
    grid: str
    dark_side: str
    data: Mapping[str, Any]
    mode: str = ""
    pace: str = ""
    arrows: tuple[Arrow, ...] | None = None  # None: none are ever drawn on it

    @property
    def squares(self) -> SafeString:
        """The squares as HTML."""
        return squares_markup(self)

    @property
    def names(self) -> SafeString:
        """The names around the board as SVG."""
        return edges_markup(self.edges)


@dataclass(frozen=True, kw_only=True)
class GameBoard:
    """A game on a page: which of its positions is shown, from whose side, and what the viewer may do.

    ``key`` tells boards apart that keep a half-made move over a reload; empty: this one keeps none.
    """

    replay: crownhead.Game
    bottom: Colour
    ply: int
    touch: Touch = field(default_factory=Touch)
    key: str = ""
    at_once: bool = False  # a chosen move is played without being submitted first
    mine: Colour | None = None  # the viewer's side, if they play
    live: bool = False  # a live game: premoves are possible
    planned: Path = ()  # a move that the viewer only thinks of
    mode: str = ""  # see ``BoardPresenter``

    @cached_property
    def position(self) -> Position:
        """The position shown, before anything is touched."""
        return self.replay.positions[self.ply]

    @cached_property
    def pieces(self) -> Mapping[int, Piece]:
        """What stands on it."""
        return self.position.pieces

    @cached_property
    def origins(self) -> frozenset[int]:
        """The squares of the pieces that can move."""
        return self.touch.origins

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What each square is called."""
        return square_names(self.replay.variant)

    @cached_property
    def placement(self) -> Placement:
        """The position with the half-made move on it."""
        before, moves = self.replay.positions, self.replay.moves
        now = Placement(dict(self.pieces))
        if self.ply:
            last = moves[self.ply - 1]
            now = Placement(
                now.pieces, {square: before[self.ply - 1].pieces[square] for square in last.captures}, last
            )
        if self.touch.under_way:
            return now.along(self.touch.under_way, self.touch.path, self.replay.variant)
        return now

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The phrases of this variant's boards."""
        return board_texts(self.replay.variant)

    @property
    def last_sentence(self) -> str:
        """What the last move of the game did; empty at the start."""
        return last_move_sentence(self.replay)

    @cached_property
    def record(self) -> str:
        """The moves of the game as the element steps through them."""
        return move_list_data(self.replay)

    @property
    def ghosts(self) -> Mapping[int, Piece]:
        """Pieces that the last or the half-made move took."""
        return self.placement.ghosts

    @property
    def _fens(self) -> list[str]:
        """The positions in which kings have run: that follows from more than what stands where."""
        counts_runs = self.replay.variant.rules.king_run
        return [position.fen() for position in self.replay.positions] if counts_runs else []

    def presenter(self) -> BoardPresenter:
        """What the template renders."""
        variant = self.replay.variant
        fields = [self._field(square) for square in squares(variant.board, variant.notation).values()]
        return board_presenter(
            variant,
            self.bottom,
            fields,
            live=bool(self.touch.moves),
            data=self._data(),
            mode=self.mode,
            pace="live" if self.live else "",
        )

    def _field(self, square: Square) -> Field:
        number, words = square.number, self.texts
        empty, stands = empty_field(self.replay.variant, square), self.placement.pieces.get(number)
        taken = self.ghosts.get(number) if stands is None else None
        state, last = self._state(number), self._parts.get(number, "")
        mark = "conditional" if number in self.planned else ""
        notes = [words["taken"]] if taken else []
        notes += [words["last"]] if last else []
        notes += [self._note(number, state)] if state else []
        notes += [words[mark]] if mark else []
        return Field(
            number,
            empty.name,
            empty.algebraic,
            empty.shade,
            piece=stands or taken,
            ghost=taken is not None,
            state=state,
            last=last,
            mark=mark,
            label=", ".join([empty.name, words[_called(stands)], *notes]),
            touch=self._asks_for(number),
        )

    def _state(self, number: int) -> str:
        path = self.touch.path
        if path and number == path[-1]:
            return "placed" if self.touch.chosen else "selected"
        if number in self.touch.targets:
            return "target"
        if path or number not in self.origins:
            return ""
        return "removable" if self.touch.picked(number) != (number,) else "movable"

    @cached_property
    def _parts(self) -> Mapping[int, str]:
        """The parts of squares in the last move."""
        move = self.placement.last
        if move is None or self.touch.path:
            return {}
        parts = dict.fromkeys(move.captures, "taken") | dict.fromkeys(move.path[1:-1], "via")
        if not takes_itself_off(move):
            parts |= {move.path[0]: "from", move.path[-1]: "to"}
        return parts

    def _asks_for(self, number: int) -> str:
        after = self.touch.after(number) if self.touch.moves else ()
        if not after and number not in self.touch.path and number in self.pieces:
            after = (number,)  # cannot be moved; the page will say why
        return "-".join(map(str, after))

    def _note(self, number: int, state: str) -> str:
        if state == "target":
            return self._target_note(number)
        return self.texts.get(state, self.texts["selected"])

    def _target_note(self, number: int) -> str:
        path = self.touch.targets[number]
        move = self.touch.first_along(path)
        taken = move.captures[len(self.touch.path) - 1 : len(path) - 1] if move else ()
        if not taken:
            return self.texts["target"]
        return self.texts["jump-target"].format(squares=", ".join(self.names[square] for square in taken))

    def _data(self) -> dict[str, Any]:
        return {
            **board_data(self.replay.variant, self.bottom, self.replay.start.pieces),
            "key": self.key,
            "version": len(self.replay.moves),
            "atOnce": self.at_once,
            "mine": self.mine.value if self.mine else "",
            "takenStay": taken_pieces_stay(self.replay.variant),
            "record": self.record,
            "fens": self._fens,
            "ply": self.ply,
            "turn": self.replay.turn.value,
            "legal": legal_data(self.position, self.touch.moves, self.touch.routes),
            "path": self.touch.path,
            "planned": self.planned,
            "barred": barred_king(self.position),
            **self._laws,
        }

    @property
    def _laws(self) -> dict[str, Any]:
        """What a script needs that asks the laws: which capture is compulsory, where a premove could go.

        Nothing where nobody may ask, and for rules that are not those of the table any more.
        """
        variant = self.replay.variant
        premoves = self.live and self.mine
        asks = premoves or (variant.rules.priority and (self.touch.moves or self.mine))
        if not asks or VARIANTS.get(variant.key) is not variant:
            return {}
        address = f"/api/v1/variants/{variant.key}/rules"
        return {"laws": [static("crownhead/js/board_laws.js"), address, law_texts(variant)]}


def _called(piece: Piece | None) -> str:
    """The phrase for what stands on a square."""
    return f"{piece.colour.value}-{piece.kind.value}" if piece else "empty"


def board_presenter(
    variant: Variant,
    bottom: Colour,
    fields: Iterable[Field],
    *,
    live: bool,
    data: Mapping[str, Any],
    mode: str = "",
    pace: str = "",
) -> BoardPresenter:
    """The squares laid out as somebody sees them who sits at the side at the bottom."""
    board, places = variant.board, squares(variant.board, variant.notation)
    grid: list[list[Field]] = [[Field() for _x in range(board.width)] for _y in range(board.height)]
    for drawn in fields:
        grid[board.height - 1 - places[drawn.number].rank][places[drawn.number].file] = drawn
    if bottom is Colour.BLACK:
        grid = [row[::-1] for row in grid[::-1]]
    return BoardPresenter(
        rows=tuple(tuple(row) for row in grid),
        label=_("Board of %(variant)s, %(side)s at the bottom")
        % {"variant": variant_name(variant), "side": side(bottom, variant)},
        live=live,
        columns=board.width,
        height=board.height,
        lines=lines(variant),
        edges=edges(variant, bottom),
        grid=board.grid.value,
        dark_side=dark_side(variant),
        data=data,
        mode=mode,
        pace=pace,
    )


@lru_cache(maxsize=4096)
def _bare(square: Square, variant: Variant) -> Field:
    by_rank = square_name(square.file, square.rank, variant.board, variant.notation)
    return Field(
        square.number,
        square.name,
        by_rank if by_rank != square.name else "",
        shade(variant, square.file, square.rank),
    )


def empty_field(variant: Variant, square: Square) -> Field:
    """A square on which nothing stands."""
    return _bare(square, variant)


def board_data(variant: Variant, bottom: Colour, pieces: Mapping[int, Piece]) -> dict[str, Any]:
    """What the element knows of every board: a square is its number, name, row, column and name by rank."""
    board, notation = variant.board, variant.notation
    return {
        "bottom": bottom.value,
        "width": board.width,
        "height": board.height,
        "squares": _places(board, notation),
        "start": {str(at): piece_code(piece) for at, piece in pieces.items()},
        "words": board_texts(variant),
    }


@lru_cache(maxsize=128)
def _places(board: Board, notation: Notation) -> list[list[Any]]:
    return [
        [
            at.number,
            at.name,
            board.height - 1 - at.rank,
            at.file,
            square_name(at.file, at.rank, board, notation),
        ]
        for at in squares(board, notation).values()
    ]


def piece_code(piece: Piece) -> str:
    """``BM``, ``WK``: a piece in two letters, as ``board/position.js`` reads it."""
    return piece.colour.letter + LETTERS[piece.kind]


def piece_from_code(code: str) -> Piece | None:
    """What ``piece_code`` writes, read again; None for anything else."""
    return _CODES.get(code)


def hint(table: GameBoard, board_query: BoardQuery) -> str:
    """The line under the board: what to do next, or why a touch led to nothing."""
    if not table.touch.moves:
        return ""
    if table.touch.chosen:
        return _chosen(table)
    if table.touch.path:
        return _("Choose where it goes.")
    if len(board_query.at) == 1 and board_query.at[0] in table.names:
        return _why_not(table, board_query.at[0])
    return ""


def _chosen(table: GameBoard) -> str:
    if table.touch.targets:
        squares = ", ".join(table.names[square] for square in table.touch.targets)
        return table.texts["may-go-on"].format(move=table.touch.chosen_text, squares=squares)
    return _("Submit sends the move, Cancel undoes it.")


def _why_not(table: GameBoard, number: int) -> str:
    """Why touching a square leads to nothing, in a sentence."""
    words, piece, name = table.texts, table.position.pieces.get(number), table.names[number]
    if piece is None:
        return words["empty-square"].format(square=name)
    if piece.colour is not table.position.turn:
        return words["not-yours"]
    if any(move.captures for move in table.touch.moves):
        theirs = ", ".join(table.names[square] for square in sorted(table.touch.origins))
        must = "must-remove" if takes_itself_off(next(iter(table.touch.moves))) else "must-jump"
        priority = why_illegal(table.position, (number,), table.names).priority
        law = [] if priority is None else [capture_law(priority)]
        return " ".join((*law, words[must].format(squares=theirs)))
    why = "barred" if number == barred_king(table.position) else "cannot-move"
    return words[why].format(square=name)
