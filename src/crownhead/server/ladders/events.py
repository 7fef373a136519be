"""The events of ladders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderEvent:
    """The fields of every event of a ladder; ``link`` is the path of its page."""

    ladder_id: str
    name: str
    link: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderJoined(LadderEvent):
    """A player has joined the ladder."""

    user_id: int
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderLeft(LadderEvent):
    """A member has left the ladder; ``by_staff``: the staff removed them."""

    user_id: int
    rank: int
    by_staff: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(LadderEvent):
    """A member has challenged another; the games have started."""

    challenge_id: int
    challenger_id: int
    challenged_id: int
    game_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeEnded(LadderEvent):
    """A challenge is over; ``winner_id`` is None for a draw; ``void``: it does not count."""

    challenge_id: int
    challenger_id: int
    challenged_id: int
    winner_id: int | None
    void: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTaken(LadderEvent):
    """A member has moved to another place or step.

    ``is_step``: they are steps, of which the higher are better. ``taken_from``: who was on that place before,
    on a ladder of places.
    """

    user_id: int
    before: int
    after: int
    is_step: bool
    taken_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderClosed(LadderEvent):
    """A ladder was closed; its standings stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesLeft:
    """A member has left; these games in progress were not played, and shall end without a result."""

    game_ids: tuple[str, ...]
    user_id: int
