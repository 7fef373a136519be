"""A person in a list: name, picture, presence, country."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects

from crownhead.server.accounts.choices.countries import country_name
from crownhead.server.accounts.selectors import User, is_away, preferences_of, profile_of
from crownhead.server.accounts.validators import display_name


@dataclass(frozen=True, slots=True)
class PersonSummary:
    """A person in a list."""

    name: str
    closed: bool
    here: bool
    seen_at: datetime | None
    country: str
    joined_at: datetime

    @property
    def display_name(self) -> str:
        """The name to display; a closed account has none."""
        return display_name(self.name)


def summary(person: User, *, now: datetime) -> PersonSummary:
    """Present one person. If they hide their presence, they are never shown as online or seen."""
    closed, seen = person.closed_at is not None, preferences_of(person).show_here
    return PersonSummary(
        name=person.username,
        closed=closed,
        here=not closed and seen and not is_away(person, now),
        seen_at=person.last_seen_at if seen and not closed else None,
        country=country_name(profile_of(person).country),
        joined_at=person.date_joined,
    )


def summaries(people: Iterable[User], *, now: datetime) -> list[PersonSummary]:
    """Present several people, with two queries."""
    rows = list(people)
    prefetch_related_objects(rows, "preferences", "profile")
    return [summary(person, now=now) for person in rows]
