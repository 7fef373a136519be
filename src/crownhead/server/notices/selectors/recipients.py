"""Those who are told: their language, their time of day, whether they are here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import shown_name


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may be told."""

    user: User
    zone: tzinfo
    language: str

    def moment(self, at: datetime) -> str:
        """A moment in his time of day, with the name of the zone where he has chosen none."""
        text = date_format(at.astimezone(self.zone), "DATETIME_FORMAT")
        return text if self.zone is not UTC else _("%(moment)s UTC") % {"moment": text}

    def is_away(self, now: datetime) -> bool:
        """He does not look at the club's pages at present."""
        return accounts.is_away(self.user, now)

    def ignores(self, user_id: int | None) -> bool:
        """He does not want to hear of somebody."""
        return user_id is not None and accounts.ignores(self.user.pk, user_id)

    @contextmanager
    def in_his_words(self) -> Iterator[None]:
        """His language and his time of day, for texts made within."""
        with translation.override(self.language), timezone.override(self.zone):
            yield


def person(user: User) -> Person:
    """A user as somebody who is told."""
    chosen = accounts.preferences_of(user)
    return Person(user, _zone(chosen.time_zone), chosen.language or settings.LANGUAGE_CODE)


def name_of(user_id: int) -> str:
    """What people read for the name of a user, whether he may act or not."""
    user = accounts.players([user_id]).get(user_id)
    return "?" if user is None else shown_name(user.username)


def person_of(user_id: int) -> Person | None:
    """The same by the user's key; None if he may not act any more."""
    user = accounts.user(user_id)
    return None if user is None else person(user)


def _zone(name: str) -> tzinfo:
    """The zone of that name; UTC where there is none, or the machine knows none of that name."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
