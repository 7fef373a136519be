"""What both styles of ladders look at: who challenges whom, why he may not, and what a challenge came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from crownhead.contest.errors import ContestError


class Refusal(StrEnum):
    """Why somebody cannot be challenged; ``sentence`` says it in English."""

    SELF = "self"
    AWAY = "away"
    TOO_HIGH = "too-high"
    TOO_LOW = "too-low"
    OPEN_BETWEEN = "open-between"
    OWN_CHALLENGES = "own-challenges"
    CHALLENGED_ALREADY = "challenged-already"
    MET_LATELY = "met-lately"

    @property
    def sentence(self) -> str:
        """For the challenger, in English."""
        return _SENTENCES[self]


_SENTENCES: Mapping[Refusal, str] = MappingProxyType(
    {
        Refusal.SELF: "You cannot challenge yourself.",
        Refusal.AWAY: "This player is on vacation and cannot be challenged.",
        Refusal.TOO_HIGH: "This player stands too far above you.",
        Refusal.TOO_LOW: "This player stands too far below you.",
        Refusal.OPEN_BETWEEN: "A challenge between you and this player is still being played.",
        Refusal.OWN_CHALLENGES: "You have made as many challenges as you may; finish one first.",
        Refusal.CHALLENGED_ALREADY: "Somebody else has challenged this player, and they are still playing.",
        Refusal.MET_LATELY: "You have met this player too lately on this ladder.",
    }
)


@dataclass(frozen=True, slots=True)
class Challenger:
    """What matters of a member when a challenge is made.

    ``rank``: his place from 1, the best, or his step from 1, the lowest. ``challenging`` and
    ``challenged_by``: the other sides of his open challenges. ``met``: for those he has met on this ladder,
    how many days ago that ended, as far as the caller remembers.
    """

    key: str
    rank: int
    challenging: frozenset[str] = frozenset()
    challenged_by: frozenset[str] = frozenset()
    away: bool = False
    met: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Raises ``ContestError`` on a rank that no ladder has."""
        if self.rank < 1:
            raise ContestError(f"expected a rank from 1 for {self.key!r}, got {self.rank}")

    def plays(self, other: str) -> bool:
        """Whether a challenge between the two is open."""
        return other in self.challenging or other in self.challenged_by


class Ending(StrEnum):
    """How a challenge ended for who did not win it."""

    PLAYED = "played"  # lost on the board, or by resigning
    FLED = "fled"  # lost by time, or given up before it was played: that costs the rank
    DRAWN = "drawn"
    VOID = "void"  # annulled: as if it had not been


@dataclass(frozen=True, slots=True)
class Move:
    """One member's rank before and after."""

    key: str
    before: int
    after: int
