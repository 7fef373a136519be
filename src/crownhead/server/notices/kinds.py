"""The kinds of notifications: a row each, with its group, its label and its defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Self

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

GAME_PREFIX = "game:"  # what a notification is about, where that is a game


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


class Group(models.TextChoices):
    """Kinds that are shown together."""

    GAMES = "games", _("Your games")
    TIME = "time", _("Running out of time")
    NEW_GAMES = "new-games", _("New games and contests")
    CLUB = "club", _("Community")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Its kinds, in the order of the table."""
        return tuple(kind for kind in Kind if kind.row.group is self)


_NOW, _AWAY, _DAILY, _NEVER = Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER
_GAMES, _TIME, _NEW, _CLUB = Group


@dataclass(frozen=True, slots=True)
class Row:
    """The properties of a kind.

    ``mail``, ``push``, ``site``: when people are notified who have not chosen; ``site`` is now or never.
    ``personal``: it comes from a player; those who have blocked that player do not get it.
    ``transient``: about the current state of a game; no longer true once the player has acted.
    ``urgent``: a push message that asks to be seen soon. ``for_staff``: only the staff can choose.
    """

    group: Group
    label: str | Promise
    mail: Timing
    push: Timing
    _: KW_ONLY
    site: Timing = _NOW
    personal: bool = False
    transient: bool = False
    urgent: bool = False
    for_staff: bool = False


class Kind(StrEnum):
    """The kinds of notifications: the word that is stored and stands in the API, and its row."""

    _row: Row

    def __new__(cls, word: str, *_row: Row) -> Self:
        """The word alone is the value."""
        kind = str.__new__(cls, word)
        kind._value_ = word
        return kind

    def __init__(self, _word: str, *row: Row) -> None:
        (self._row,) = row

    TURN = "turn", Row(_GAMES, _("Your turn"), _AWAY, _NOW, transient=True, urgent=True)
    HALF = "half", Row(_TIME, _("Half of your time is left"), _NEVER, _NEVER, transient=True)
    FIFTH = "fifth", Row(_TIME, _("A fifth of your time is left"), _AWAY, _AWAY, transient=True)
    TWO_HOURS = "two-hours", Row(_TIME, _("Two hours left"), _NOW, _NOW, transient=True, urgent=True)
    DRAW = "draw", Row(_GAMES, _("Draw offers and answers"), _AWAY, _NOW, personal=True, transient=True)
    TAKE_BACK = (
        "take-back",
        Row(_GAMES, _("Take-back requests and answers"), _AWAY, _AWAY, personal=True, transient=True),
    )
    CHAT = "chat", Row(_GAMES, _("Game chat"), _AWAY, _AWAY, personal=True)
    ENDED = "ended", Row(_GAMES, _("A game or match is over"), _AWAY, _AWAY)
    APPEAL = "appeal", Row(_GAMES, _("Staff decisions on your games"), _NOW, _AWAY)

    INVITED = (
        "invited",
        Row(_NEW, _("Invitations to games and tournaments"), _AWAY, _NOW, personal=True, urgent=True),
    )
    ANSWERED = "answered", Row(_NEW, _("Answers to your invitations and offers"), _AWAY, _AWAY, personal=True)
    PAIRED = "paired", Row(_NEW, _("One of your games starts"), _AWAY, _NOW, urgent=True)
    CHALLENGED = "challenged", Row(_NEW, _("Ladder challenges"), _AWAY, _NOW, urgent=True)
    TOURNAMENT = "tournament", Row(_NEW, _("Your ladders and tournaments"), _AWAY, _AWAY)
    TROPHY = "trophy", Row(_NEW, _("You win a trophy"), _DAILY, _NEVER)
    TEAM = "team", Row(_NEW, _("Your teams"), _AWAY, _AWAY, personal=True)

    # Messages wait in their own place, beside the number that the menu shows of them.
    MESSAGE = "message", Row(_CLUB, _("Messages"), _AWAY, _NOW, site=_NEVER, personal=True, urgent=True)
    REPORT = "report", Row(_CLUB, _("Decisions on your reports"), _AWAY, _NEVER)
    STAFF = "staff", Row(_CLUB, _("Work for the staff"), _AWAY, _NEVER, for_staff=True)
    # Members who want it turn it on.
    NEWS = "news", Row(_CLUB, _("Club news"), _NEVER, _NEVER, site=_NEVER)

    @property
    def row(self) -> Row:
        """Its properties."""
        return self._row

    @property
    def label(self) -> str:
        """What members read, in the language of the page."""
        return str(self.row.label)

    def default(self, channel: Channel) -> Timing:
        """Return its timing on a channel for people who have not chosen one."""
        row = self.row
        return {Channel.SITE: row.site, Channel.MAIL: row.mail, Channel.PUSH: row.push}[channel]


# Beside “My games”, where the list shows the time that is left, and beside “Play”: one number for one thing.
COUNTED_ELSEWHERE = (Kind.TURN, Kind.HALF, Kind.FIFTH, Kind.TWO_HOURS, Kind.INVITED)


def kind_choices() -> Iterable[tuple[str, str]]:
    """The choices of columns; a function, so that a new kind needs no migration."""
    return [(kind.value, kind.label) for kind in Kind]


_URGENCY = (Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER)


def is_more_urgent(timing: Timing, other: Timing) -> bool:
    """Return whether the first timing comes before the second."""
    return _URGENCY.index(timing) < _URGENCY.index(other)
