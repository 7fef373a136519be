"""Asks for the lists of the club in the data folder, and times them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Any

from crownhead.server.ops.commands import open_folder

open_folder(None)

from django.conf import settings  # noqa: E402 - they are made of the data folder
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from crownhead.server.accounts.models import User  # noqa: E402
from crownhead.server.ops.processes.sweeper import all_jobs  # noqa: E402
from crownhead.server.play.models import Game  # noqa: E402

_SEATS = ("first_player", "second_player")
_GUEST = {
    "home": "/",
    "watch": "/watch/",
    "waiting room": "/waiting-room/",
    "waiting room, one game": "/waiting-room/?variant=russian",
    "waiting room, strongest first": "/waiting-room/?order=strong",
    "waiting room, fastest first": "/waiting-room/?order=quick",
    "players who are here": "/players/",
    "players by two letters": "/players/?name=ba",
    "a profile": "/players/{name}/",
    "a player's games": "/players/{name}/games/",
    "ratings": "/ratings/",
    "a leaderboard": "/ratings/american/",
    "a player's rating": "/players/{name}/ratings/american/",
    "the rating of somebody far below": "/players/{low}/ratings/american/",
    "tournaments": "/tournaments/",
    "teams": "/teams/",
    "news": "/news/",
    "a game": "/games/{game}/",
    "API: games": "/api/v1/games",
    "API: games in progress": "/api/v1/games?status=playing",
    "API: games waiting": "/api/v1/games?status=waiting",
    "API: games of a player": "/api/v1/games?opponent={name}",
    "API: annulled games": "/api/v1/games?result=annulled",
    "API: games until a day": "/api/v1/games?until=2024-01-01",
    "API: waiting room": "/api/v1/waiting-room",
    "API: leaderboard": "/api/v1/ratings/american",
    "API: players": "/api/v1/players?name=ba",
}
_MEMBER = {
    "my games": "/",
    "my finished games": "/games/finished/",
    "my finished games, drawn": "/games/finished/?result=drawn",
    "next game": "/games/next/",
    "waiting room as a member": "/waiting-room/?suits=1",
    "invitations": "/invitations/",
    "notifications": "/notices/",
    "badges": "/badges/",
    "messages": "/messages/",
    "buddies": "/buddies/",
    "my own profile": "/players/{name}/",
    "my challenges": "/ladders/challenges/",
    "a game of my own": "/games/{mine}/",
    "API: my games": "/api/v1/games?mine=1",
    "API: my games on turn": "/api/v1/games?mine=1&turn=me",
    "API: my games, opponent's turn": "/api/v1/games?mine=1&turn=opponent",
    "API: notifications": "/api/v1/notices",
}


# The same pages where somebody has played far more games in the large club than anybody in the small one.
_OF_WHO_PLAYS_MOST = {
    "who plays most: my games": "/",
    "who plays most: my finished games": "/games/finished/",
    "who plays most: my own profile": "/players/{most}/",
    "who plays most: a rating": "/players/{most}/ratings/american/",
    "who plays most: API: my games": "/api/v1/games?mine=1",
}


@dataclass(slots=True)
class Clock:
    """Adds up what the database takes; ``slow`` keeps the plans of queries that take longer."""

    slow: float | None
    spent: float = 0.0
    plans: dict[str, str] = field(default_factory=dict)

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run a query and time it; a wrapper as Django wants it."""
        began = _now()
        result = execute(sql, params, many, context)
        took = _now() - began
        self.spent += took
        if self.slow is not None and took > self.slow and sql.startswith(("SELECT", "WITH")):
            self.plans[sql] = f"{took * 1000:.1f} ms\n{sql % _quoted(params)}\n{_plan(sql, params)}"
        return result


@contextmanager
def timed(slow: float | None) -> Iterator[Clock]:
    """What the database took within."""
    watch = Clock(slow)
    with connection.execute_wrapper(watch):
        yield watch


def visit_all(*, visits: int, slow: float | None, jobs: bool = True, games: int | None) -> dict[str, Any]:
    """For each page and each job its status, and the milliseconds of it and of the database in it.

    The member who visits has played so many ``games``; None: more than anybody else. The jobs run as if it
    were when the club was filled: what has come due since then, a worker would have done long ago.
    """
    settings.ALLOWED_HOSTS = ["*"]
    most = User.objects.get(pk=1001)
    games = _finished(most.pk) if games is None else games
    member = _with_games(games)
    low = User.objects.filter(email__endswith="@example.org").order_by("-pk").first()
    assert low is not None
    names = {
        "name": member.username,
        "most": most.username,
        "low": _lowest() or low.username,
        "game": Game.objects.filter(status="playing", hidden=False).latest("pk").public_id,
        "mine": Game.objects.filter(status="playing", first_player=member).latest("pk").public_id,
    }
    found: dict[str, Any] = {"club": _size() | {"played": games}, "pages": {}}
    visitors = ((None, _GUEST), (member, _MEMBER), (most, _OF_WHO_PLAYS_MOST))
    for visitor, pages in visitors:
        client = Client()
        if visitor is not None:
            client.force_login(visitor)
        for title, path in pages.items():
            address = path.format(**names)
            found["pages"][title] = _timed(lambda: client.get(address).status_code, visits, slow)  # noqa: B023
    now = _filled_at()
    for job in all_jobs() if jobs else ():
        if "notices by" not in job.name:
            found["pages"][f"job: {job.name}"] = _timed(lambda: job.run(now) and None, visits, slow)  # noqa: B023
    return found


def _finished(pk: int) -> int:
    return sum(Game.objects.filter(status="finished", **{seat: pk}).count() for seat in _SEATS)


def _with_games(games: int) -> User:
    """A member with about so many finished games: the later somebody joined, the fewer they have."""
    first, last = 1001, User.objects.latest("pk").pk
    while first < last:
        middle = (first + last) // 2
        if _finished(middle) > games:
            first = middle + 1
        else:
            last = middle
    return next(
        user for user in User.objects.filter(pk__gte=first).order_by("pk")[:1000] if _is_playing(user.pk)
    )


def _is_playing(pk: int) -> bool:
    return Game.objects.filter(status="playing", first_player=pk).exists()


def _lowest() -> str | None:
    """Of those with the fewest points who has played least: about as much in any club."""
    from crownhead.server.ratings.models import PlayerRating

    rows = PlayerRating.objects.filter(variant="american", listed_until__isnull=False)
    lowest = min(
        rows.select_related("user").order_by("points")[:100], key=lambda row: row.games, default=None
    )
    return None if lowest is None else lowest.user.username


def _filled_at() -> datetime:
    """When the latest game was offered; before it nothing of the club was due."""
    return Game.objects.filter(status="waiting", open=True).latest("created_at").created_at


def _size() -> dict[str, Any]:
    counts = {"members": User.objects.count(), "games": Game.objects.count()}
    return counts | {"database": connection.vendor}


def _timed(act: Callable[[], Any], visits: int, slow: float | None) -> dict[str, Any]:
    act()
    whole, inside, status = [], [], None
    for _ in range(visits):
        cache.clear()
        with timed(slow) as watch:
            began = _now()
            status = act()
            whole.append((_now() - began) * 1000)
        inside.append(watch.spent * 1000)
        for plan in watch.plans.values():
            sys.stderr.write(plan + "\n\n")
        slow = None  # once is enough
    typical = median if connection.vendor == "sqlite" else min  # other work does not count as CPU time
    return {"status": status, "ms": typical(whole), "database": typical(inside)}


def _now() -> float:
    """Seconds of CPU time where the database is in this process, else of the clock."""
    return time.thread_time() if connection.vendor == "sqlite" else time.perf_counter()


def _quoted(params: Any) -> Any:
    return tuple(map(repr, params)) if params else ()


def _plan(sql: str, params: Any) -> str:
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN ANALYZE"
    with connection.cursor() as cursor:
        cursor.cursor.execute(
            f"{explain} {sql}" if connection.vendor != "sqlite" else f"{explain} {sql.replace('%s', '?')}",
            params,
        )
        rows = cursor.cursor.fetchall()
    return "\n".join(str(row[-1]) for row in rows)
