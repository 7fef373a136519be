"""Which positions are alike: a player who asks about one asks about the other.

A position is compared by its pieces alone, on the squares of a board, whatever side is to move, however
squares are numbered, and whatever the variant is called: also seen in a mirror, from the other side with
the colours swapped, and a few pieces away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crownhead import Colour, Position, Variant
from crownhead.rules.geometry import squares

NEAR = 4  # pieces that stand otherwise: a move by each side, or a capture
RECENT = 4  # plies back

Piece = tuple[int, int, bool, str]  # file, rank, whether it is White's, kind
Placement = frozenset[Piece]


def plays_alike(one: Variant, other: Variant) -> bool:
    """Whether two variants have the same laws and size; their start and draw rules may differ."""
    boards = [(row.board.width, row.board.height, row.board.grid) for row in (one, other)]
    return one.rules == other.rules and boards[0] == boards[1]


def placement(position: Position) -> Placement:
    """The pieces of a position by where they stand."""
    row = position.variant
    where = squares(row.board, row.notation)
    return frozenset(
        (where[number].file, where[number].rank, piece.colour is Colour.WHITE, piece.kind.value)
        for number, piece in position.pieces.items()
    )


def forms(position: Position) -> tuple[Placement, ...]:
    """The placement, mirrored left to right; and both from the other side with the colours swapped."""
    row, here = position.variant, placement(position)
    right = row.board.width - 1
    mirrored = frozenset((right - file, rank, white, kind) for file, rank, white, kind in here)
    if row.rules.one_way:
        return here, mirrored
    top = row.board.height - 1
    swapped = tuple(
        frozenset((file, top - rank, not white, kind) for file, rank, white, kind in form)
        for form in (here, mirrored)
    )
    return here, mirrored, *swapped


def is_near(wanted: Iterable[Placement], known: Placement) -> bool:
    """Whether a form of the position that is asked about is a few pieces away from a known one."""
    return any(len(form ^ known) <= NEAR for form in wanted)


def guarded(positions: tuple[Position, ...]) -> Iterator[Position]:
    """The positions of a running game that its players must not ask about: the latest and the next."""
    yield from positions[-1 - RECENT :]
    here = positions[-1]
    for move in here.legal_moves():
        if move.captures:  # what else a move makes is near
            yield here.play(move)
