"""The members of the sample club: who they are, how well they play, and what they chose to tell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from crownhead.server.accounts.contacts import services as contacts
from crownhead.server.accounts.preferences import services as preferences
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.ops.demo.script import SCRIPT

_FIRST_JOINED, _LAST_JOINED = 400, 120  # days ago


@dataclass(frozen=True, slots=True)
class Person:
    """A member to make: ``level`` is how well the engine plays for them, 1 to 6."""

    name: str
    country: str
    level: int
    text: str = ""


PEOPLE = tuple(Person(**row) for row in SCRIPT["people"])
HOST, MEMBER = SCRIPT["host"], PEOPLE[0].name
PASSWORD = SCRIPT["password"]


@dataclass(frozen=True, slots=True)
class Members:
    """Who is in the club: the accounts in the order of ``PEOPLE``, and the levels by key."""

    host: User
    everybody: tuple[User, ...]
    levels: dict[int, int]

    @property
    def member(self) -> User:
        """The one to sign in as."""
        return self.everybody[0]

    def two(self, dice: Random) -> tuple[User, User]:
        """Two who might play each other; those at the head of the list play more."""
        weights = [1 / (place + 3) for place in range(len(self.everybody))]
        (one,) = dice.choices(self.everybody, weights)
        other = one
        while other == one:
            (other,) = dice.choices(self.everybody, weights)
        return one, other


def add_members(count: int, *, now: datetime, dice: Random) -> Members:
    """Make the host and so many members, who joined one after the other, with their profiles."""
    password = make_password(PASSWORD)
    first = now - timedelta(days=_FIRST_JOINED)
    host = _add_user(HOST, password, joined=first, is_staff=True, is_superuser=True)
    levels = {}
    step = timedelta(days=(_FIRST_JOINED - _LAST_JOINED) / count)
    for place, person in enumerate(PEOPLE[:count]):
        joined = first + step * (place + dice.random())
        user = _add_user(person.name, password, joined=joined)
        with clock.stopped(joined):
            preferences.set_profile(user=user, text=person.text, country=person.country, now=joined)
        levels[user.pk] = person.level
    return Members(host, tuple(User.objects.filter(pk__in=levels).order_by("pk")), levels)


def add_contacts(members: Members, *, now: datetime) -> None:
    """Let the member have some buddies, with notes."""
    notes = ("Always up for a rematch.", "Plays the *Single Corner* well.", "")
    for other, note in zip(members.everybody[2:5], notes, strict=False):
        contacts.add_buddy(user=members.member, other=other, now=now, note=note)


def let_them_be_here(members: Members, *, now: datetime, dice: Random) -> None:
    """Note when everybody was last here: a third of them just now."""
    for place, user in enumerate((*members.everybody, members.host)):
        ago = timedelta(0) if place % 3 == 0 else timedelta(days=6 * dice.random())
        User.objects.filter(pk=user.pk).update(last_seen_at=now - ago)


def _add_user(name: str, password: str, *, joined: datetime, **columns: bool) -> User:
    user = User(username=name, email=f"{name}@demo.example", password=password, date_joined=joined, **columns)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
