"""What happens on ladders, told upwards to whoever wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderEvent:
    """On which ladder, and when; ``link`` is the path of its page."""

    ladder_id: str
    name: str
    link: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderJoined(LadderEvent):
    """Somebody stands on the ladder now."""

    user_id: int
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderLeft(LadderEvent):
    """Somebody stands there no more; ``by_staff``: the staff took him off."""

    user_id: int
    rank: int
    by_staff: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(LadderEvent):
    """Somebody has challenged another; the games have begun."""

    challenge_id: int
    challenger_id: int
    challenged_id: int
    game_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeEnded(LadderEvent):
    """The games of a challenge are over; ``winner_id``: None for a draw; ``void``: it counts for nothing."""

    challenge_id: int
    challenger_id: int
    challenged_id: int
    winner_id: int | None
    void: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTaken(LadderEvent):
    """The result of a challenge, or its want, has brought somebody to another place or step.

    ``taken_from``: who stood there before, in a ladder of places.
    """

    user_id: int
    before: int
    after: int
    taken_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderClosed(LadderEvent):
    """No more challenges; the standings stay."""
