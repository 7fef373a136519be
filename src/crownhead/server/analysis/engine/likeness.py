"""Which positions are alike: a player who asks about one asks about the other.

A position is compared by its pieces alone, on the squares of a board, whatever side is to move, however
squares are numbered, and whatever the variant is called: also seen in a mirror, from the other side with
the colours swapped, and a few pieces away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crownhead import Colour, Position, Variant
from crownhead.rules.geometry import squares
from crownhead.rules.schema import PieceKind

NEAR = 4  # pieces that stand otherwise: a move by each side, or a capture
RECENT = 4  # plies back

Piece = tuple[int, int, bool, PieceKind]  # file, rank, whether it is White's, kind
Placement = int  # a bit for each piece: of a square, as many as there are sorts of pieces
Material = int  # how many pieces of each sort, in unary: as many bits differ as counts do

_SORTS = {
    sort: bit for bit, sort in enumerate((white, kind) for white in (True, False) for kind in PieceKind)
}
_MOST = 256  # squares of a board
_MASKS = tuple(sum(1 << square * len(_SORTS) for square in range(_MOST)) << bit for bit in _SORTS.values())


def plays_alike(one: Variant, other: Variant) -> bool:
    """Whether two variants have the same laws and size; their start and draw rules may differ."""
    boards = [(row.board.width, row.board.height, row.board.grid) for row in (one, other)]
    return one.rules == other.rules and boards[0] == boards[1]


def placement(position: Position) -> Placement:
    """The pieces of a position by where they stand."""
    return _placed(_pieces(position), position.variant.board.width)


def forms(position: Position) -> tuple[Placement, ...]:
    """The placement, mirrored left to right; and both from the other side with the colours swapped."""
    row, here = position.variant, _pieces(position)
    width, top = row.board.width, row.board.height - 1
    mirrored = [(width - 1 - file, rank, white, kind) for file, rank, white, kind in here]
    sides = [here, mirrored]
    if not row.rules.one_way:
        sides += [
            [(file, top - rank, not white, kind) for file, rank, white, kind in form]
            for form in (here, mirrored)
        ]
    return tuple(_placed(form, width) for form in sides)


def material(placed: Placement) -> Material:
    """How many pieces of each sort there are: placements are no nearer to each other than their material."""
    return sum(((1 << (placed & mask).bit_count()) - 1) << _MOST * sort for sort, mask in enumerate(_MASKS))


class Surroundings:
    """Known placements, each once, among which those near to a position are found by their material."""

    def __init__(self, known: Iterable[Placement]) -> None:
        self._known: dict[Material, list[Placement]] = {}
        for one in dict.fromkeys(known):
            self._known.setdefault(material(one), []).append(one)

    def near(self, position: Position) -> set[Placement]:
        """The known placements from which a form of the position is a few pieces away."""
        return {
            one
            for form in set(forms(position))
            for one in self.comparable(form)
            if (form ^ one).bit_count() <= NEAR
        }

    def comparable(self, form: Placement) -> Iterator[Placement]:
        """The known placements that have nearly the same material."""
        wanted = material(form)
        for other, placements in self._known.items():
            if (wanted ^ other).bit_count() <= NEAR:
                yield from placements


def guarded(positions: tuple[Position, ...]) -> Iterator[Position]:
    """The positions of a running game that its players must not ask about: the latest and the next."""
    yield from positions[-1 - RECENT :]
    here = positions[-1]
    for move in here.legal_moves():
        if move.captures:  # what else a move makes is near
            yield here.play(move)


def _pieces(position: Position) -> list[Piece]:
    row = position.variant
    where = squares(row.board, row.notation)
    return [
        (where[number].file, where[number].rank, piece.colour is Colour.WHITE, piece.kind)
        for number, piece in position.pieces.items()
    ]


def _placed(pieces: Iterable[Piece], width: int) -> Placement:
    return sum(
        1 << (rank * width + file) * len(_SORTS) + _SORTS[white, kind] for file, rank, white, kind in pieces
    )
