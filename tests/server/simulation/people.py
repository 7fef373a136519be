"""The members and their random habits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from random import Random
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from crownhead.server.accounts.models import ApiToken, Preferences, User
from crownhead.server.accounts.services import digest
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Device
from crownhead.server.notices.services import preferences
from tests.server.conftest import PASSWORD
from tests.server.simulation import timings
from tests.server.simulation.calendar import MINUTE
from tests.server.simulation.outgoing import REFUSING

_ZONES = ("", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney")
_DEFAULT_HOUR = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """The habits of a member; chances are in percent, per visit or per turn."""

    name: str
    share: int
    visits: float = 1.0  # a day
    games: int = 3  # the number they want to have running
    moves: int = 4  # per visit
    patience: int = 14  # plies after which they would like to finish a game
    gives_up: int = 40  # once it has lasted that long
    draws: int = 10
    talks: int = 10
    ignores: int = 1
    vacations: int = 0
    climbs: int = 5
    enters: int = 15
    mail: str = ""  # one timing for everything; empty: the defaults
    push: str = ""


HABITS = (
    Habit(name="quick", share=14, visits=2.6, games=5, moves=6),
    Habit(name="slow", share=14, visits=0.6, games=3, moves=3, patience=24),
    Habit(name="vacationer", share=6, visits=0.8, vacations=12),
    Habit(name="resigner", share=8, visits=1.2, games=5, patience=3, gives_up=90),
    Habit(name="sleeper", share=8, visits=0.15, games=4, moves=1),
    Habit(name="peaceful", share=8, visits=1.2, patience=6, draws=70),
    Habit(name="ignorer", share=6, visits=1.3, ignores=40, talks=20),
    Habit(name="quiet", share=6, mail="never", push="never"),
    Habit(name="reader", share=8, visits=0.7, mail="daily", push="never"),
    Habit(name="eager", share=6, visits=0.9, mail="now", push="now"),
    Habit(name="absent", share=6, visits=0.25, mail="away", push="away"),
    Habit(name="chatter", share=8, visits=1.5, talks=80),
    Habit(name="climber", share=12, visits=1.5, climbs=60, enters=5),
    Habit(name="player", share=14, visits=1.6, enters=80, patience=8),
)


@dataclass(slots=True, eq=False)
class Member:
    """A member as the simulation knows them, with their notification settings."""

    user: User
    habit: Habit
    timings: dict[tuple[str, str], str]
    zone: tzinfo
    hour: int  # of their digest
    devices: int = 0
    refuses: bool = False  # their address rejects mail
    gone: bool = False
    noted_at: datetime | None = None  # their last request, to the minute
    ignored: set[int] = field(default_factory=set)

    @property
    def key(self) -> int:
        """The key of the account."""
        return int(self.user.pk)

    @property
    def name(self) -> str:
        """The username."""
        return str(self.user.username)

    def note(self, now: datetime) -> None:
        """Note a request of the member."""
        if self.noted_at is None or now - self.noted_at >= MINUTE:
            self.noted_at = now

    def is_away(self, now: datetime) -> bool:
        """Whether they have made no request for five minutes."""
        return self.noted_at is None or now - self.noted_at >= 5 * MINUTE

    def timing_of(self, kinds: Iterable[str], channel: str) -> str:
        """The timing of some kinds by a channel: the most urgent one counts."""
        return min((self.timings[kind, channel] for kind in kinds), key=timings.URGENCY.index)


def create_members(count: int, dice: Random, now: datetime) -> dict[int, Member]:
    """Create members with addresses, tokens, settings, and browsers for some; by key."""
    hashed = make_password(PASSWORD)
    rows = []
    for number in range(1, count + 1):
        place = f"{REFUSING}{number}" if number % 31 == 0 else f"member{number}"
        row = User(username=f"m-{number}", email=f"{place}@mail.example", password=hashed, date_joined=now)
        row.save()
        rows.append(row)
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=row, email=row.email, primary=True, verified=True) for row in rows]
    )
    ApiToken.objects.bulk_create(
        [
            ApiToken(user=row, digest=digest(token_of(row)), name="model", created_at=now, last_used_at=now)
            for row in rows
        ]
    )
    return {row.pk: _member(row, dice, now) for row in rows}


def token_of(user: User) -> str:
    """The API token of a member."""
    return f"token of {user.email}"


def endpoint_of(user: User, number: int) -> str:
    """The push endpoint of a browser."""
    return f"https://updates.push.services.mozilla.com/wpush/v2/{user.pk}-{number}"


def _member(user: User, dice: Random, now: datetime) -> Member:
    habit = dice.choices(HABITS, [habit.share for habit in HABITS])[0]
    zone = dice.choice(_ZONES)
    member = Member(
        user=user,
        habit=habit,
        timings=timings.default_timings(),
        zone=ZoneInfo(zone) if zone else UTC,
        hour=_DEFAULT_HOUR,
        devices=dice.choice((0, 0, 1, 1, 2)),
        refuses=user.email.startswith(REFUSING),
    )
    user.username = f"{habit.name}-{user.pk}"
    user.save()
    if zone:
        Preferences.objects.update_or_create(user=user, defaults={"time_zone": zone})
    _choose(member, dice, now)
    for number in range(member.devices):
        where = endpoint_of(user, number)
        Device.objects.create(user=user, endpoint=where, digest=where, p256dh="p", auth="a", created_at=now)
    return member


def _choose(member: Member, dice: Random, now: datetime) -> None:
    habit, fussy = member.habit, dice.random()
    if habit.mail:
        member.timings = timings.same_timings(habit.mail, habit.push)
    elif fussy < 0.3:
        member.timings = timings.random_timings(dice)
    else:
        return
    member.hour = dice.randint(5, 22)
    chosen = {
        (Kind(kind), Channel(channel)): Timing(when) for (kind, channel), when in member.timings.items()
    }
    preferences.choose(user=member.user, timings=chosen, now=now, digest_hour=member.hour)
