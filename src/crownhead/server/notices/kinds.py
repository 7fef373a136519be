"""The kinds of notifications: a row each, with its group, its label and its defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Self

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Channel(models.TextChoices):
    """The channels of notifications."""

    SITE = "site", _("on the site")
    MAIL = "mail", _("by e-mail")
    PUSH = "push", _("by push message")


class Timing(models.TextChoices):
    """When a notification is sent."""

    NOW = "now", _("at once")
    AWAY = "away", _("when I am away")
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
    TIME = "time", _("Your time is short")
    NEW_GAMES = "new-games", _("New games and contests")
    CLUB = "club", _("People and the club")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Its kinds, in the order of the table."""
        return tuple(kind for kind in Kind if kind.row.group is self)


_NOW, _AWAY, _DAILY, _NEVER = Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER
_GAMES, _TIME, _NEW, _CLUB = Group


@dataclass(frozen=True, slots=True)
class Row:
    """What there is to say of a kind.

    ``mail``, ``push``, ``site``: when people are told until they choose; ``site`` is now or never.
    ``personal``: somebody else says it, and nobody hears it from a player whom they block. ``passing``: it is
    about what can be done on the page of a game at the moment, and no longer true when the game is over.
    ``pressing``: a push message that asks to be seen soon. ``for_staff``: only the staff can choose.
    """

    group: Group
    label: str | Promise
    mail: Timing
    push: Timing
    _: KW_ONLY
    site: Timing = _NOW
    personal: bool = False
    passing: bool = False
    pressing: bool = False
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

    TURN = "turn", Row(_GAMES, _("It is your turn"), _AWAY, _NOW, passing=True, pressing=True)
    HALF = "half", Row(_TIME, _("Half of your time is left"), _NEVER, _NEVER, passing=True)
    FIFTH = "fifth", Row(_TIME, _("A fifth of your time is left"), _AWAY, _AWAY, passing=True)
    TWO_HOURS = "two-hours", Row(_TIME, _("Two hours are left"), _NOW, _NOW, passing=True, pressing=True)
    DRAW = "draw", Row(_GAMES, _("A draw is offered, or declined"), _AWAY, _NOW, personal=True, passing=True)
    TAKE_BACK = (
        "take-back",
        Row(_GAMES, _("A move is to be taken back, or is not"), _AWAY, _AWAY, personal=True, passing=True),
    )
    CHAT = "chat", Row(_GAMES, _("Your opponent wrote beside the board"), _AWAY, _AWAY, personal=True)
    ENDED = "ended", Row(_GAMES, _("A game or a match is over"), _AWAY, _AWAY)
    APPEAL = "appeal", Row(_GAMES, _("The staff decided about a game"), _NOW, _AWAY)

    INVITED = (
        "invited",
        Row(_NEW, _("You are invited to a game or a tournament"), _AWAY, _NOW, personal=True, pressing=True),
    )
    ANSWERED = (
        "answered",
        Row(_NEW, _("An invitation or offer of yours is answered, or expires"), _AWAY, _AWAY, personal=True),
    )
    PAIRED = (
        "paired",
        Row(_NEW, _("A game begins: it was taken, or you were paired"), _AWAY, _NOW, pressing=True),
    )
    CHALLENGED = "challenged", Row(_NEW, _("You are challenged on a ladder"), _AWAY, _NOW, pressing=True)
    TOURNAMENT = (
        "tournament",
        Row(_NEW, _("A ladder or tournament of yours: rounds, places, its end"), _AWAY, _AWAY),
    )
    TROPHY = "trophy", Row(_NEW, _("You have won a trophy"), _DAILY, _NEVER)
    TEAM = "team", Row(_NEW, _("Your teams: invitations, matches, members"), _AWAY, _AWAY, personal=True)

    # Messages wait in their own place, beside the number that the menu shows of them.
    MESSAGE = (
        "message",
        Row(_CLUB, _("A message came"), _AWAY, _NOW, site=_NEVER, personal=True, pressing=True),
    )
    REPORT = "report", Row(_CLUB, _("The staff decided about a report of yours"), _AWAY, _NEVER)
    STAFF = "staff", Row(_CLUB, _("Something waits for the staff"), _AWAY, _NEVER, for_staff=True)
    # People who want it ask for it.
    NEWS = "news", Row(_CLUB, _("News of the club"), _NEVER, _NEVER, site=_NEVER)

    @property
    def row(self) -> Row:
        """What there is to say of it."""
        return self._row

    @property
    def label(self) -> str:
        """What members read, in the language of the page."""
        return str(self.row.label)

    def usual(self, channel: Channel) -> Timing:
        """When people are told who have chosen nothing."""
        row = self.row
        return {Channel.SITE: row.site, Channel.MAIL: row.mail, Channel.PUSH: row.push}[channel]


def kind_choices() -> Iterable[tuple[str, str]]:
    """The choices of columns; a function, so that a new kind needs no migration."""
    return [(kind.value, kind.label) for kind in Kind]


_URGENCY = (Timing.NOW, Timing.AWAY, Timing.DAILY, Timing.NEVER)


def more_urgent(timing: Timing, other: Timing) -> bool:
    """Whether one comes sooner than the other."""
    return _URGENCY.index(timing) < _URGENCY.index(other)
