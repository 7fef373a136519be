"""Which captures win over others: each priority as one component of a key, the greatest alone legal."""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.rules.schema import PieceKind, Priority
from tests.reference.board import Arrangement
from tests.reference.captures import Capture

# A king counts for less than two men, k kings for more than 2k - 1 men (Frisian rules, article 11).
MAN_VALUE, KING_VALUE = 100, 199

Component = int | tuple[bool, ...]


def strongest(arrangement: Arrangement, captures: Sequence[Capture]) -> list[Capture]:
    """The captures that no other outranks."""
    keys = [priority(arrangement, capture) for capture in captures]
    return [capture for capture, key in zip(captures, keys, strict=True) if key == max(keys)]


def priority(arrangement: Arrangement, capture: Capture) -> tuple[Component, ...]:
    """The key of a capture in the variant's order."""
    by_king = arrangement.pieces[capture.origin].kind is PieceKind.KING
    kings = tuple(arrangement.pieces[cell].kind is PieceKind.KING for cell in capture.taken)
    components: dict[Priority, Component] = {
        Priority.MAX_PIECES: len(capture.taken),
        Priority.MAX_VALUE: sum(KING_VALUE if king else MAN_VALUE for king in kings),
        Priority.WITH_KING: int(by_king),
        Priority.MAX_KINGS: sum(kings),
        Priority.KINGS_FIRST: _up_to_the_last_king(kings),
    }
    return tuple(components[law] for law in arrangement.variant.rules.priority)


def _up_to_the_last_king(kings: tuple[bool, ...]) -> tuple[bool, ...]:
    """What comes after it says nothing about kings, but would make one tuple greater than another."""
    return kings[: max((at for at, king in enumerate(kings, start=1) if king), default=0)]
