"""Parts shared by both styles of ladder: players, reasons against a challenge, and how challenges end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from crownhead.contest.errors import ContestError


class Refusal(StrEnum):
    """Why a player cannot be challenged; ``sentence`` says it in English."""

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
        """The reason in a sentence for the challenger, in English."""
        return _SENTENCES[self]


_SENTENCES: Mapping[Refusal, str] = MappingProxyType(
    {
        Refusal.SELF: "You cannot challenge yourself.",
        Refusal.AWAY: "This player is on vacation and cannot be challenged.",
        Refusal.TOO_HIGH: "This player is too far above you.",
        Refusal.TOO_LOW: "This player is too far below you.",
        Refusal.OPEN_BETWEEN: "You and this player already have a challenge in progress.",
        Refusal.OWN_CHALLENGES: "You have too many open challenges. Finish one first.",
        Refusal.CHALLENGED_ALREADY: "This player is already playing a challenge against somebody else.",
        Refusal.MET_LATELY: "You have played this player on this ladder too recently.",
    }
)


@dataclass(frozen=True, slots=True)
class Challenger:
    """The facts about a player that matter for a challenge.

    ``rank``: the place (1 is the best) or the step (1 is the lowest). ``challenging`` and
    ``challenged_by``: the opponents in open challenges. ``met``: for earlier opponents on this ladder,
    how many days ago the challenge ended, as far as the caller knows. ``fled``: the same for those whom the
    player challenged and then lost to on time, or by giving up before playing.
    """

    key: str
    rank: int
    challenging: frozenset[str] = frozenset()
    challenged_by: frozenset[str] = frozenset()
    away: bool = False
    met: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    fled: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        """Raises ``ContestError`` for a rank below 1."""
        if self.rank < 1:
            raise ContestError(f"expected a rank from 1 for {self.key!r}, got {self.rank}")

    def plays(self, other: str) -> bool:
        """Whether there is an open challenge with ``other``."""
        return other in self.challenging or other in self.challenged_by


class Ending(StrEnum):
    """How a challenge ended for the player who did not win it."""

    PLAYED = "played"  # lost on the board, or by resigning
    FLED = "fled"  # lost on time, or given up before playing: this costs the rank
    DRAWN = "drawn"
    VOID = "void"  # annulled: as if it had never been played


@dataclass(frozen=True, slots=True)
class Move:
    """A player's rank before and after a change."""

    key: str
    before: int
    after: int
