"""Opening, middlegame and endgame of a game, by how many of its pieces are left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from django.utils.translation import gettext as _

from crownhead import Position

_MIDDLEGAME, _ENDGAME = 5 / 6, 1 / 3  # of the pieces at the beginning: the most with which a phase begins


class Phase(StrEnum):
    """A part of a game."""

    OPENING = "opening"
    MIDDLEGAME = "middlegame"
    ENDGAME = "endgame"

    @property
    def label(self) -> str:
        """Its name for readers."""
        return _LABELS[self]()


_LABELS: dict[Phase, Callable[[], str]] = {
    Phase.OPENING: lambda: _("Opening"),
    Phase.MIDDLEGAME: lambda: _("Middlegame"),
    Phase.ENDGAME: lambda: _("Endgame"),
}


def phases(positions: Sequence[Position]) -> list[Phase]:
    """The phase of each position; none comes back."""
    at_first, order, latest = len(positions[0].pieces), list(Phase), 0
    found: list[Phase] = []
    for position in positions:
        left = len(position.pieces) / at_first
        now = 2 if left <= _ENDGAME else 1 if left <= _MIDDLEGAME else 0
        latest = max(latest, now)
        found.append(order[latest])
    return found
