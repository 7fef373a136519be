"""The members of a large club, and what belongs to them: sessions, visits, preferences, contacts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session

from big_club_rows import write
from crownhead.server.accounts.models import Buddy, Preferences, User
from crownhead.server.accounts.validators import folded, player_likeness
from crownhead.server.core import clock
from crownhead.server.lobby.models import Visit

_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]  # 70
FIRST_KEY = 1001  # those below are left to the accounts of the computer and of the staff


@dataclass(frozen=True, slots=True)
class People:
    """So many members, by consecutive keys; those with low keys play most."""

    count: int
    now: datetime

    @property
    def busiest(self) -> int:
        """Who plays most."""
        return FIRST_KEY

    def some(self, dice: Random) -> int:
        """Somebody, the more likely the more they play."""
        return FIRST_KEY + int(self.count * dice.random() ** 2)

    def name(self, key: int) -> str:
        """Syllables of three letters' worth of numbers, alike for nobody."""
        number, parts = key - FIRST_KEY, []
        mixed = (number * 7_654_321 + 1_234_567) % 70**5  # neighbours by key are none by name
        for _ in range(5):
            mixed, at = divmod(mixed, 70)
            parts.append(_SYLLABLES[at])
        return "".join(parts).capitalize()


def people(count: int, *, dice: Random, password: str) -> People:
    """Write the members; all have the same password."""
    crowd = People(count, clock.now())
    hashed = make_password(password)
    write(User, (_user(crowd, key, hashed, dice) for key in _keys(crowd)))
    write(Preferences, ({"user_id": key} for key in _keys(crowd) if dice.random() < 0.3))
    active = [key for key in _keys(crowd) if dice.random() < 0.4]
    write(Visit, (_visit(crowd, key, dice) for key in active))
    write(Session, (_session(crowd, key, dice) for key in active))
    write(UserSession, (_user_session(crowd, key) for key in active))
    write(Buddy, _buddies(crowd, dice))
    return crowd


def _keys(crowd: People) -> range:
    return range(FIRST_KEY, FIRST_KEY + crowd.count)


def _user(crowd: People, key: int, hashed: str, dice: Random) -> dict[str, Any]:
    name = crowd.name(key)
    here = dice.random() < 0.003
    seen = timedelta(minutes=4 * dice.random()) if here else timedelta(hours=1, days=300 * dice.random())
    return {
        "id": key,
        "password": hashed,
        "username": name,
        "likeness": player_likeness(name),
        "folded": folded(name),
        "email": f"{name.lower()}@example.org",
        "last_seen_at": crowd.now - seen,
        "date_joined": crowd.now - timedelta(days=1500),
        "is_active": True,
    }


def _visit(crowd: People, key: int, dice: Random) -> dict[str, Any]:
    seen = crowd.now - timedelta(days=30 * dice.random())
    return {"user_id": key, "seen_at": seen, "before_at": seen - timedelta(days=1)}


def _session(crowd: People, key: int, dice: Random) -> dict[str, Any]:
    return {
        "session_key": _session_key(key),
        "session_data": "x" * 240,  # as long as one that is signed; it opens nothing
        "expire_date": crowd.now + timedelta(days=30 * dice.random()),
    }


def _user_session(crowd: People, key: int) -> dict[str, Any]:
    return {
        "user_id": key,
        "session_key": _session_key(key),
        "ip": "192.0.2.1",
        "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "created_at": crowd.now,
        "last_seen_at": crowd.now,
    }


def _session_key(key: int) -> str:
    return f"{key:032d}"


def _buddies(crowd: People, dice: Random) -> Iterator[dict[str, Any]]:
    seen: set[tuple[int, int]] = set()
    for _ in range(crowd.count):
        pair = dice.choice(_keys(crowd)), crowd.some(dice)
        if pair[0] != pair[1] and pair not in seen:
            seen.add(pair)
            yield {"user_id": pair[0], "buddy_id": pair[1], "created_at": crowd.now}
