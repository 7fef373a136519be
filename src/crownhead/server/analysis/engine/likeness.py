"""Which positions are alike: a player who asks about one asks about the other.

A position is compared by its pieces alone, on the squares of a board, whatever side is to move, however
squares are numbered, and whatever the variant is called: also seen in a mirror, from the other side with
the colours swapped, and a few pieces away. Where hardly a man stands, nothing has a direction: then from
every side, and with the colours swapped in place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_

from crownhead import Move, Position, Variant
from crownhead.rules.budget import capture_budget
from crownhead.rules.errors import TooManyCaptures
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Grid, PieceKind

NEAR = 4  # pieces that stand otherwise: a move by each side, or a capture
RECENT = 4  # plies back
_MOST_ANSWERED = 60  # moves whose answers are looked at; positions that are played have fewer
_ANSWER_NODES = 4_000  # of capture searches for them; a game takes some hundreds
# Placements after captures that are guarded: hardly a position that is played has a dozen, with answers 120;
# where all moves capture, with answers some 300.
_MOST_CAPTURED, _MOST_AFTER_ANSWERS = 64, 192

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


@dataclass(frozen=True, slots=True)
class Table:
    """Known placements, each once, turned round: which of them have a bit, and which so many pieces.

    Each is a bit of the rows, the first one the lowest of the first byte.
    """

    known: tuple[Placement, ...]
    holding: Mapping[int, bytes]
    counted: Mapping[int, bytes]
    nothing: bytes  # an empty row

    @classmethod
    def of(cls, known: Iterable[Placement]) -> Table:
        """The table of placements."""
        once = tuple(dict.fromkeys(known))
        counted: dict[int, int] = {}
        for at, one in enumerate(once):
            pieces = one.bit_count()
            counted[pieces] = counted.get(pieces, 0) | 1 << at
        size = -(-len(once) // _BYTE)
        holding, by_count = (
            {key: row.to_bytes(size, "little") for key, row in rows.items()}
            for rows in (_holding(once), counted)
        )
        return cls(once, holding, by_count, bytes(size))


class Surroundings:
    """Known placements among which those near to a position are found, all of them together.

    Each is a bit of a number, so that adding a piece of the position to what was compared so far takes a few
    operations on numbers, however many placements there are. Those of several tables are put together only
    where a position has a piece.
    """

    def __init__(self, *parts: Table | Iterable[Placement]) -> None:
        self._tables = [part if isinstance(part, Table) else Table.of(part) for part in parts]
        self._starts = list(accumulate((_BYTE * len(table.nothing) for table in self._tables), initial=0))
        self._holding = _Joined([(table.holding, table.nothing) for table in self._tables])
        self._counted = _Joined([(table.counted, table.nothing) for table in self._tables])
        self._lacking: dict[tuple[int, int], tuple[int, ...]] = {}

    def near(self, position: Position) -> Placement | None:
        """The first known placement from which a form of the position is a few pieces away."""
        found = self.find(position)
        return None if found is None else found[1]

    def find(self, position: Position) -> tuple[int, Placement] | None:
        """That placement with the number of its part."""
        pieces = _count(position)
        may_lack = self._may_lack(pieces, pieces)
        for layout in _layouts_of(position) if any(may_lack) else ():
            if found := self._near(_stand(position, layout), may_lack):
                at = (found & -found).bit_length() - 1
                part = bisect_right(self._starts, at) - 1
                return part, self._tables[part].known[at - self._starts[part]]
        return None

    def may_find(self, positions: Sequence[Position]) -> bool:
        """Whether any of some positions of a game may be near to a known placement; if not, none of them is.

        The pieces that stay where they are are compared once for all of them.
        """
        counts = list(map(_count, positions))
        may_lack = self._may_lack(min(counts), max(counts))
        for layout in max(map(_layouts_of, positions), key=len) if any(may_lack) else ():
            stay = set.intersection(*(set(_stand(position, layout)) for position in positions))
            if self._near(stay, may_lack):
                return True
        return False

    def _near(self, stand: Collection[int], may_lack: Sequence[int]) -> int:
        """The known placements that have these bits, except for so many as they may lack."""
        rows = [self._holding[bit] for bit in stand]
        # Most forms have pieces where no known one has any, as on squares of the other colour.
        if (lacked := rows.count(0)) > NEAR:
            return 0
        # How many more they may lack; no row is empty from here on.
        may, may_1, may_2, may_3, may_4 = (*may_lack[lacked:], *[0] * lacked)
        for hold in filter(None, rows):
            may = may & hold | may_1
            may_1 = may_1 & hold | may_2
            may_2 = may_2 & hold | may_3
            may_3 = may_3 & hold | may_4
            may_4 &= hold
            if not may:
                return 0
        return may

    def _may_lack(self, fewest: int, most: int) -> tuple[int, ...]:
        """The known placements that are near and lack none of so many pieces, one of them, and so on."""
        if (fewest, most) not in self._lacking:
            # Who has as many may lack two, for each has another one instead; who has more, fewer.
            self._lacking[fewest, most] = tuple(
                self._counted_between(fewest - NEAR, most + NEAR - 2 * lacked) for lacked in range(NEAR + 1)
            )
        return self._lacking[fewest, most]

    def _counted_between(self, fewest: int, most: int) -> int:
        return reduce(or_, (self._counted[pieces] for pieces in range(max(fewest, 0), most + 1)), 0)


class _Joined(dict[int, int]):
    """The rows of several tables, one after another, joined where they are asked for."""

    def __init__(self, tables: Sequence[tuple[Mapping[int, bytes], bytes]]) -> None:
        super().__init__()
        self._tables = tables

    def __missing__(self, key: int) -> int:
        rows = (rows.get(key, nothing) for rows, nothing in self._tables)
        self[key] = joined = int.from_bytes(b"".join(rows), "little")
        return joined


def guarded(positions: Sequence[Position], *, answers: bool = True) -> Iterator[Placement]:
    """What the players of a running game must not ask about: its latest positions, and the next ones.

    What else a move by each side makes is near, but a capture that answers a move changes more: ``answers``,
    which take long in crafted positions.
    """
    yield from map(placement, positions[-1 - RECENT :])
    here = positions[-1]
    moves = here.legal_moves()
    yield from _nearest(here, _after_captures(here, moves), _MOST_CAPTURED)
    if answers and len(moves) <= _MOST_ANSWERED:
        yield from _nearest(here, _answers(here, moves), _MOST_AFTER_ANSWERS)


def _nearest(here: Position, captured: Iterable[Placement], most: int) -> list[Placement]:
    """Placements after captures, each once; of very many those in which least has changed."""
    once = list(dict.fromkeys(captured))
    if len(once) <= most:
        return once
    there = placement(here)
    return sorted(once, key=lambda one: (one ^ there).bit_count())[:most]


def _answers(here: Position, moves: Iterable[Move]) -> list[Placement]:
    """The placements after captures that answer these moves; none where there are very many captures.

    That depends on the position alone: what is found is kept, whatever else was asked for before it.
    """
    try:
        with capture_budget(_ANSWER_NODES):
            return [
                one for there in map(here.play, moves) for one in _after_captures(there, there.legal_moves())
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
    sorts = _sorts(position)
    return [places[number] for places, numbers in zip(layout, sorts, strict=True) for number in numbers]


def _count(position: Position) -> int:
    return sum(map(len, _sorts(position)))


def _sorts(position: Position) -> tuple[Collection[int], ...]:
    """The squares of the pieces by sort, as the kernel lists them."""
    return (
        position.black_men,
        position.black_kings,
        position.white_men,
        position.white_kings,
        position.black_marked,
        position.white_marked,
    )


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
