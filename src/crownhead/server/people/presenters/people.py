"""People as pages show them: the name, the picture, whether he is here, what he tells of himself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects

from crownhead.server.accounts.preferences.countries import country_name
from crownhead.server.accounts.selectors import User, is_away, preferences_of, profile_of
from crownhead.server.accounts.validators import shown_name


@dataclass(frozen=True, slots=True)
class Face:
    """A person in a list."""

    name: str
    closed: bool
    here: bool
    seen_at: datetime | None
    country: str
    joined_at: datetime

    @property
    def shown(self) -> str:
        """What he is called: a closed account has no name."""
        return shown_name(self.name)


def face(person: User, *, now: datetime) -> Face:
    """One person. Whoever does not want to be seen is never here, and was here nobody knows when."""
    closed, seen = person.closed_at is not None, preferences_of(person).show_here
    return Face(
        name=person.username,
        closed=closed,
        here=not closed and seen and not is_away(person, now),
        seen_at=person.last_seen_at if seen and not closed else None,
        country=country_name(profile_of(person).country),
        joined_at=person.date_joined,
    )


def faces(people: Iterable[User], *, now: datetime) -> list[Face]:
    """Several, at the cost of two questions."""
    rows = list(people)
    prefetch_related_objects(rows, "preferences", "profile")
    return [face(person, now=now) for person in rows]
