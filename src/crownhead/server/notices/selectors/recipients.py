"""Recipients of notifications: their language, time zone, and whether they are online."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache

from django.utils import timezone, translation

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.core.moments import moment_text


@dataclass(frozen=True, slots=True)
class Person:
    """A recipient; ``blockers_of``: who of several recipients has blocked a user."""

    user: User
    zone: tzinfo
    language: str
    blockers_of: Callable[[int], frozenset[int]] | None = None

    def moment(self, at: datetime) -> str:
        """Format a time in the recipient's zone; names UTC if their zone is not known."""
        with timezone.override(self.zone):
            return moment_text(at)

    def is_away(self, now: datetime) -> bool:
        """Return whether they are not looking at the site."""
        return accounts.is_away(self.user, now)

    def has_blocked(self, user_id: int | None) -> bool:
        """Return whether they have blocked a user."""
        if user_id is None:
            return False
        if self.blockers_of is None:
            return accounts.has_blocked(self.user.pk, user_id)
        return self.user.pk in self.blockers_of(user_id)

    @contextmanager
    def localized(self) -> Iterator[None]:
        """Activate their language and time zone."""
        with translation.override(self.language), timezone.override(self.zone):
            yield


def person(user: User, blockers_of: Callable[[int], frozenset[int]] | None = None) -> Person:
    """Return a user as a recipient."""
    return Person(user, accounts.zone_of(user) or UTC, accounts.language_of(user), blockers_of)


def people(user_ids: Iterable[int]) -> dict[int, Person]:
    """Return recipients by key, without closed accounts; who of them blocks a user is asked once for all."""
    users = {user.pk: user for user in accounts.recipients(user_ids)}

    @cache
    def blockers_of(user_id: int) -> frozenset[int]:
        return accounts.blocker_ids(user_id, users.keys())

    return {key: person(user, blockers_of) for key, user in users.items()}


def name_of(user_id: int) -> str:
    """Return the displayed name of a user, active or not."""
    user = accounts.players([user_id]).get(user_id)
    return "?" if user is None else display_name(user.username)


def person_of(user_id: int) -> Person | None:
    """Return the recipient by key; None if their account is not active."""
    user = accounts.user(user_id)
    return None if user is None else person(user)
