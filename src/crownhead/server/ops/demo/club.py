"""Fills an empty club with a sample: members, games, contests, talk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import connection
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.selectors import User
from crownhead.server.notices.models import Delivery, Notice
from crownhead.server.ops.demo import contests, games, people, talk
from crownhead.server.ops.starting.first_start import WRONG_USAGE, CommandError
from crownhead.server.ratings.services.ordering import count_in_order

FEWEST, MOST = 12, len(people.PEOPLE)
_SEED = 64
_FINISHED, _RUNNING, _OFFERS = 0.25, 1.3, 0.3  # games: of each two members; of each member


@dataclass(frozen=True, slots=True)
class Filled:
    """Whom to sign in as."""

    member: str
    host: str
    password: str


def fill(*, members: int, now: datetime) -> Filled:
    """Fill a club that has nobody yet; raises `CommandError` where somebody is.

    No mail is left to be sent, and no task for a worker.
    """
    if User.objects.exists():
        raise CommandError(
            "This club has members already, and stays as it is. Choose an empty folder with --data.",
            status=WRONG_USAGE,
        )
    dice = Random(_SEED)  # nosec B311 - the same club each time
    everybody = people.add_members(members, now=now, dice=dice)
    games.add_finished_games(everybody, round(members**2 * _FINISHED), now=now, dice=dice)
    people.add_contacts(everybody, now=now)
    contests.add_ladders(everybody, now=now, dice=dice)
    contests.add_teams(everybody, now=now, dice=dice)
    contests.add_tournaments(everybody, now=now, dice=dice)
    count_in_order()
    running = games.add_running_games(everybody, round(members * _RUNNING), now=now, dice=dice)
    games.add_talk(running, everybody, now=now)
    games.add_offers(everybody, round(members * _OFFERS), now=now, dice=dice)
    talk.add_messages(everybody, now=now)
    talk.add_news(everybody, now=now)
    _settle(now)
    people.let_them_be_here(everybody, now=now, dice=dice)
    return Filled(people.MEMBER, people.HOST, people.PASSWORD)


def hurry() -> None:
    """Let SQLite leave out what protects a file that cannot be made again."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")


def _settle(now: datetime) -> None:
    """Mark what is old as read, and leave nothing to be sent to people who do not exist."""
    Notice.objects.filter(created_at__lt=now - games.DAY).update(read_at=now)
    Delivery.objects.all().delete()
    DBTaskResult.objects.all().delete()
