"""Which positions are alike: a player who asks about one asks about the other.

A position is compared by its pieces alone, on the squares of a board, whatever side is to move, however
squares are numbered, and whatever the variant is called: also seen in a mirror, from the other side with
the colours swapped, and a few pieces away. Where hardly a man stands, nothing has a direction: then from
every side, and with the colours swapped in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from crownhead import Move, Position, Variant
from crownhead.rules.budget import capture_budget
from crownhead.rules.errors import TooManyCaptures
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Grid, PieceKind

NEAR = 4  # pieces that stand otherwise: a move by each side, or a capture
RECENT = 4  # plies back
_MOST_ANSWERED = 60  # quiet moves whose answers are looked at; positions that are played have fewer
_ANSWER_NODES = 4_000  # of capture searches for them; a game takes some hundreds

Placement = int  # a byte for each square of a board, with a bit for the sort of the piece that stands there
Layout = tuple[tuple[int, ...], ...]  # the place of that bit by sort, as the kernel lists them, and by square

_SORTS = {
    sort: bit for bit, sort in enumerate((white, kind) for white in (True, False) for kind in PieceKind)
}
_BYTE, _WHOLE = 8, 0xFF
_CROWNED = {1 << _SORTS[white, PieceKind.MAN]: 1 << _SORTS[white, PieceKind.KING] for white in (True, False)}


def plays_alike(one: Variant, other: Variant) -> bool:
    """Whether two variants have the same laws and size; their start and draw rules may differ."""
    return one.rules == other.rules and _size(one) == _size(other)


def shares_board(one: Variant, other: Variant) -> bool:
    """Whether positions of two variants can be the same, with the same aim, whatever their other laws are."""
    return one.rules.objective is other.rules.objective and _size(one) == _size(other)


def placement(position: Position) -> Placement:
    """The pieces of a position by where they stand."""
    return _placed(_stand(position, _layouts(position.variant)[0]))


def forms(position: Position) -> tuple[Placement, ...]:
    """The placement, mirrored left to right; and both from the other side with the colours swapped.

    Of positions without direction all that are the same but for how one looks at the board.
    """
    return tuple(_placed(_stand(position, layout)) for layout in _layouts_of(position))


class Surroundings:
    """Known placements, each once, among which those near to a position are found, all of them together.

    Each is a bit of a number, so that adding a piece of the position to what was compared so far takes a few
    operations on numbers, however many placements there are.
    """

    def __init__(self, known: Iterable[Placement]) -> None:
        self.known = tuple(dict.fromkeys(known))
        self._holding = _holding(self.known)
        most = max((one.bit_count() for one in self.known), default=0)
        self._up_to = [0] * (most + 1)  # pieces, which so many have at most
        for at, one in enumerate(self.known):
            self._up_to[one.bit_count()] |= 1 << at
        for pieces in range(most):
            self._up_to[pieces + 1] |= self._up_to[pieces]

    def near(self, position: Position) -> Placement | None:
        """The first known placement from which a form of the position is a few pieces away."""
        if self.known:
            for layout in _layouts_of(position):
                stand = _stand(position, layout)
                # Most forms have pieces where no known one has any, as on squares of the other colour.
                if sum(bit not in self._holding for bit in stand) > NEAR:
                    continue
                if found := self._near(stand):
                    return self.known[(found & -found).bit_length() - 1]
        return None

    def _near(self, stand: list[int]) -> int:
        """The known placements from which one is a few pieces away."""
        # Who has as many pieces may lack two of these, for each has another one instead; who has more, fewer.
        may_lack = [self._with_at_most(len(stand) + NEAR - 2 * pieces) for pieces in range(NEAR + 1)]
        for bit in stand:
            hold = self._holding.get(bit, 0)
            for pieces in range(NEAR):
                may_lack[pieces] = may_lack[pieces] & hold | may_lack[pieces + 1]
            may_lack[NEAR] &= hold
            if not may_lack[0]:
                return 0
        return may_lack[0]

    def _with_at_most(self, pieces: int) -> int:
        return self._up_to[min(pieces, len(self._up_to) - 1)] if pieces >= 0 else 0


def guarded(positions: Sequence[Position], *, answers: bool = True) -> Iterator[Placement]:
    """What the players of a running game must not ask about: its latest positions, and the next ones.

    What else a move by each side makes is near, but a capture that answers a move changes more: ``answers``,
    which take long in crafted positions.
    """
    yield from map(placement, positions[-1 - RECENT :])
    here = positions[-1]
    moves = here.legal_moves()
    yield from _after_captures(here, moves)
    quiet = [move for move in moves if not move.captures]
    if answers and len(quiet) <= _MOST_ANSWERED:
        yield from _answers(here, quiet)


def _answers(here: Position, quiet: Iterable[Move]) -> list[Placement]:
    """The placements after captures that answer these moves; none where there are very many captures.

    That depends on the position alone: what is found is kept, whatever else was asked for before it.
    """
    try:
        with capture_budget(_ANSWER_NODES):
            return [
                one for there in map(here.play, quiet) for one in _after_captures(there, there.legal_moves())
            ]
    except TooManyCaptures:
        return []


def _after_captures(here: Position, moves: Iterable[Move]) -> Iterator[Placement]:
    """The placements after those of the moves that capture."""
    captures = [move for move in moves if move.captures]
    rules = here.variant.rules
    if rules.marked or rules.jumps_only:  # a parachutist becomes a man, and a first jump only removes a piece
        yield from (placement(here.play(move)) for move in captures)
    else:
        yield from _captured(here, captures)


def _captured(here: Position, captures: Iterable[Move]) -> Iterator[Placement]:
    """The placements after captures: a position from which there are hundreds is not played on as often."""
    layout, *_ = _layouts(here.variant)
    start = [place // _BYTE * _BYTE for place in layout[0]]  # of the byte of each square
    there = placement(here)
    for move in captures:
        piece = there >> start[move.origin] & _WHOLE
        gone = sum(_WHOLE << start[square] for square in {move.origin, *move.captures})
        yield there & ~gone | (_CROWNED[piece] if move.crowns else piece) << start[move.target]


def _layouts_of(position: Position) -> tuple[Layout, ...]:
    """Where the pieces of a position stand in each of its forms."""
    men = (position.black_men, position.white_men, position.black_marked, position.white_marked)
    # A few men more or less are near, and kings go in all directions, as do pieces that only jump.
    if position.variant.rules.jumps_only or sum(map(len, men)) <= NEAR:
        return _layouts(position.variant) + _further_layouts(position.variant)
    return _layouts(position.variant)


@lru_cache(maxsize=128)
def _layouts(variant: Variant) -> tuple[Layout, ...]:
    """Where the pieces of a position stand as it is, and in its other forms if men have a direction."""
    turns = not variant.rules.one_way  # else both sides go the same way, and swapping them turns nothing
    return tuple(
        _layout(variant, mirrored=mirrored, turned=swapped and turns, swapped=swapped, across=False)
        for swapped in (False, True)
        for mirrored in (False, True)
    )


@lru_cache(maxsize=128)
def _further_layouts(variant: Variant) -> tuple[Layout, ...]:
    """The forms that are alike only where no piece has a direction."""
    diagonals = (False, True) if variant.board.width == variant.board.height else (False,)
    every = (
        _layout(variant, mirrored=mirrored, turned=turned, swapped=swapped, across=across)
        for across in diagonals
        for turned in (False, True)
        for swapped in (False, True)
        for mirrored in (False, True)
    )
    known = _layouts(variant)
    return tuple(layout for layout in every if layout not in known)


def _layout(variant: Variant, *, mirrored: bool, turned: bool, swapped: bool, across: bool) -> Layout:
    """Where pieces stand: mirrored left to right, far to near, colours swapped, along the other diagonal."""
    board = variant.board
    marked = variant.rules.marked or PieceKind.MULE
    kinds = (PieceKind.MAN, PieceKind.KING)
    sorts = [(white, kind) for white in (False, True) for kind in kinds] + [(False, marked), (True, marked)]
    where = squares(board, variant.notation).values()
    width, top = board.width, board.height - 1

    files = [width - 1 - square.file if mirrored else square.file for square in where]
    ranks = [top - square.rank if turned else square.rank for square in where]
    if across:
        files, ranks = ranks, files
    starts = [_BYTE * (rank * width + file) for file, rank in zip(files, ranks, strict=True)]
    return tuple(
        (0, *(start + _SORTS[white is not swapped, kind] for start in starts)) for white, kind in sorts
    )


def _stand(position: Position, layout: Layout) -> list[int]:
    """The bits of the placement of a position in one of its forms."""
    sorts = (
        position.black_men,
        position.black_kings,
        position.white_men,
        position.white_kings,
        position.black_marked,
        position.white_marked,
    )
    return [places[number] for places, numbers in zip(layout, sorts, strict=True) for number in numbers]


def _placed(stand: Iterable[int]) -> Placement:
    return sum(1 << bit for bit in stand)


def _holding(known: tuple[Placement, ...]) -> dict[int, int]:
    """By the bits of placements which of these have them, the first as the lowest bit."""
    anywhere = 0
    for one in known:
        anywhere |= one
    width = anywhere.bit_length()
    # Turned round as text, which takes a tenth of the time that it takes bit by bit.
    rows = "".join(f"{one:0{width}b}" for one in reversed(known))
    return {bit: int(rows[width - 1 - bit :: width], 2) for bit in range(width) if anywhere >> bit & 1}


def _size(variant: Variant) -> tuple[int, int, Grid]:
    return variant.board.width, variant.board.height, variant.board.grid
