"""The computer as an opponent: its levels, and the games against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from crownhead.engine import LEVELS
from crownhead.server.accounts.selectors import User, computers
from crownhead.server.play import selectors

HIGHEST = len(LEVELS)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A level as people are offered it."""

    level: int
    words: str


def opponents() -> Sequence[Opponent]:
    """The levels, each with a word on how it plays."""
    words = (
        _("beginner"),
        _("novice"),
        _("casual player"),
        _("improving player"),
        _("intermediate"),
        _("advanced"),
        _("club player"),
        _("strong club player"),
        _("expert"),
        _("master"),
    )
    return [Opponent(level.number, text) for level, text in zip(LEVELS, words, strict=True)]


def running(user: User) -> int:
    """How many games against computers the user has in progress."""
    them = [other.pk for other in computers()]
    if not them:
        return 0
    against = Q(first_player__in=them) | Q(second_player__in=them)
    return selectors.my_games(user=user).filter(against).count()
