"""The kinds of notifications, their channels and timings, and the defaults."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _


class Channel(models.TextChoices):
    """The channels of notifications."""

    SITE = "site", _("on the site")
    MAIL = "mail", _("by e-mail")
    PUSH = "push", _("by push")


class Timing(models.TextChoices):
    """When a notification is sent."""

    NOW = "now", _("right away")
    AWAY = "away", _("when I'm away")
    DAILY = "daily", _("daily digest")
    NEVER = "never", _("never")


TIMINGS: dict[Channel, tuple[Timing, ...]] = {
    Channel.SITE: (Timing.NOW, Timing.NEVER),  # the site is there whenever one comes
    Channel.MAIL: tuple(Timing),
    Channel.PUSH: tuple(Timing),
}


class Kind(models.TextChoices):
    """The kinds of notifications."""

    TURN = "turn", _("Your turn")
    HALF = "half", _("Half of your time is left")
    FIFTH = "fifth", _("A fifth of your time is left")
    TWO_HOURS = "two-hours", _("Two hours left")
    DRAW = "draw", _("Draw offers and answers")
    TAKE_BACK = "take-back", _("Take-back requests and answers")
    CHAT = "chat", _("Game chat")
    ENDED = "ended", _("A game or match is over")
    APPEAL = "appeal", _("Staff decisions on your games")

    INVITED = "invited", _("Invitations to games and tournaments")
    ANSWERED = "answered", _("Answers to your invitations and offers")
    PAIRED = "paired", _("A game of yours starts")
    CHALLENGED = "challenged", _("Ladder challenges")
    TOURNAMENT = "tournament", _("Your ladders and tournaments")
    TROPHY = "trophy", _("You win a trophy")
    TEAM = "team", _("Your teams")

    MESSAGE = "message", _("Messages")
    REPORT = "report", _("Decisions on your reports")
    STAFF = "staff", _("Work for the staff")
    NEWS = "news", _("Club news")


@dataclass(frozen=True, slots=True)
class Group:
    """Kinds that are shown together."""

    name: str
    label: object
    kinds: tuple[Kind, ...]


GROUPS: tuple[Group, ...] = (
    Group(
        "games",
        _("Your games"),
        (Kind.TURN, Kind.DRAW, Kind.TAKE_BACK, Kind.CHAT, Kind.ENDED, Kind.APPEAL),
    ),
    Group("time", _("Running out of time"), (Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS)),
    Group(
        "new-games",
        _("New games and contests"),
        (
            Kind.INVITED,
            Kind.ANSWERED,
            Kind.PAIRED,
            Kind.CHALLENGED,
            Kind.TOURNAMENT,
            Kind.TROPHY,
            Kind.TEAM,
        ),
    ),
    Group("club", _("Community"), (Kind.MESSAGE, Kind.REPORT, Kind.STAFF, Kind.NEWS)),
)

# About the current state of a game; no longer true once the player has acted.
TRANSIENT = frozenset({Kind.TURN, Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS, Kind.DRAW, Kind.TAKE_BACK})

# These come from a player; those who have blocked that player do not get them.
PERSONAL = frozenset(
    {
        Kind.DRAW,
        Kind.TAKE_BACK,
        Kind.CHAT,
        Kind.INVITED,
        Kind.ANSWERED,
        Kind.TEAM,
        Kind.MESSAGE,
    }
)

_NOW, _AWAY, _DAILY, _NEVER = Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER

# By e-mail and by push. On the site everything else is on by default.
_DEFAULTS: dict[Kind, tuple[Timing, Timing]] = {
    Kind.TURN: (_AWAY, _NOW),
    Kind.HALF: (_NEVER, _NEVER),
    Kind.FIFTH: (_AWAY, _AWAY),
    Kind.TWO_HOURS: (_NOW, _NOW),
    Kind.DRAW: (_AWAY, _NOW),
    Kind.TAKE_BACK: (_AWAY, _AWAY),
    Kind.CHAT: (_AWAY, _AWAY),
    Kind.ENDED: (_AWAY, _AWAY),
    Kind.APPEAL: (_NOW, _AWAY),
    Kind.INVITED: (_AWAY, _NOW),
    Kind.ANSWERED: (_AWAY, _AWAY),
    Kind.PAIRED: (_AWAY, _NOW),
    Kind.CHALLENGED: (_AWAY, _NOW),
    Kind.TOURNAMENT: (_AWAY, _AWAY),
    Kind.TROPHY: (_DAILY, _NEVER),
    Kind.TEAM: (_AWAY, _AWAY),
    Kind.MESSAGE: (_AWAY, _NOW),
    Kind.REPORT: (_AWAY, _NEVER),
    Kind.STAFF: (_AWAY, _NEVER),
    Kind.NEWS: (_NEVER, _NEVER),  # members who want it turn it on
}

# Messages wait in their own place, beside the number that the menu shows of them.
_NOT_ON_THE_SITE = frozenset({Kind.MESSAGE, Kind.NEWS})

_URGENCY = (Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER)


def default_timing(kind: Kind, channel: Channel) -> Timing:
    """Return the timing of a kind on a channel for people who have not chosen one."""
    if channel is Channel.SITE:
        return Timing.NEVER if kind in _NOT_ON_THE_SITE else Timing.NOW
    mail, push = _DEFAULTS[kind]
    return mail if channel is Channel.MAIL else push


def is_more_urgent(timing: Timing, other: Timing) -> bool:
    """Return whether the first timing comes before the second."""
    return _URGENCY.index(timing) < _URGENCY.index(other)
