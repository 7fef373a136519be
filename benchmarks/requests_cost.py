"""Measures what each kind of request costs beside its floor, for results/: `make bench-site`.

CPU time of this process, in which the club's WSGI application runs with all of its middleware; the HTTP
server and the client are in neither figure. All kinds take turns within one run, each round with the floor
(`site_floor.py`), so the ratios hold on a busy machine too. With `--dry` nothing is written.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

if TYPE_CHECKING:
    from site_club import Member, SiteClub

T = TypeVar("T")
ROUNDS, WARMING = 60, 3
CSRF = "a" * 32
HTMX = {"HTTP_HX_REQUEST": "true"}
JSON = "application/json"
BUFFERED = "what the pages of a round have buffered"


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the server gets it."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def environ(self) -> dict[str, Any]:
        """For WSGI."""
        return {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path,
            "QUERY_STRING": self.query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "192.0.2.1",
            "HTTP_HOST": "localhost:8000",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "HTTP_ACCEPT_LANGUAGE": "en",
            "HTTP_USER_AGENT": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "CONTENT_TYPE": self.content_type,
            "CONTENT_LENGTH": str(len(self.body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **self.headers,
        }


@dataclass(slots=True)
class Found:
    """What was measured of one kind: milliseconds of CPU time, statements, what was answered."""

    milliseconds: list[float] = field(default_factory=list)
    queries: list[int] = field(default_factory=list)
    size: int = 0


@dataclass(slots=True)
class Meter:
    """Sends requests and notes what they cost."""

    applications: dict[str, Any]
    found: dict[str, Found] = field(default_factory=lambda: defaultdict(Found))

    def send(self, kind: str, request: Request, *, expected: int = 200, floor: bool = False) -> bytes:
        """Answer a request; raises ``AssertionError`` for another status."""
        environ, application = request.environ(), self.applications["floor" if floor else "club"]
        statuses: list[str] = []

        def start(status: str, _headers: Any, _error: Any = None) -> None:
            statuses.append(status)

        def answer() -> bytes:
            parts = application(environ, start)
            content = b"".join(parts)
            getattr(parts, "close", lambda: None)()
            return content

        content = self._measured(kind, answer)
        if not statuses[0].startswith(str(expected)):
            raise AssertionError(f"{kind}: expected {expected}, got {statuses[0]}: {content[:400]!r}")
        self.found[kind].size = len(content)
        return content

    def flush(self) -> None:
        """Note what it costs to write what the pages have buffered, which a server does in the background."""
        from crownhead.server.core.background import write_buffers

        self._measured(BUFFERED, write_buffers.flush)

    def _measured(self, kind: str, act: Callable[[], T]) -> T:
        from django.db import connection

        queries = 0

        def count(execute: Any, sql: str, *arguments: Any) -> Any:
            nonlocal queries
            queries += not sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE"))
            return execute(sql, *arguments)

        with connection.execute_wrapper(count):
            began = time.process_time_ns()
            result = act()
            spent = time.process_time_ns() - began
        self.found[kind].milliseconds.append(spent / 1e6)
        self.found[kind].queries.append(queries)
        return result

    def forget(self) -> None:
        """Forget what was measured while caches were warmed."""
        self.found.clear()


@contextmanager
def opened_club() -> Iterator[None]:
    """Django, with the database and the static files of a fresh club."""
    from crownhead.server.ops.commands import open_folder

    with tempfile.TemporaryDirectory() as folder:
        open_folder(Path(folder) / "data")
        from crownhead.server.ops.starting import upkeep

        upkeep.migrate()
        upkeep.collect_static_files()
        yield


def get(path: str, member: Member | None = None, *, by: dict[str, str] | None = None) -> Request:
    """Somebody opens a page."""
    path, _sign, query = path.partition("?")
    return Request("GET", path, query, headers={**_cookies(member), **(by or {})})


def _cookies(member: Member | None) -> dict[str, str]:
    session = f"; sessionid={member.session}" if member else ""
    return {"HTTP_COOKIE": f"csrftoken={CSRF}{session}"}


def post(path: str, member: Member, form: dict[str, str], **headers: str) -> Request:
    """A member sends a form."""
    body = urlencode({"csrfmiddlewaretoken": CSRF, **form}).encode()
    content_type = "application/x-www-form-urlencoded"
    return Request("POST", path, "", body, content_type, {**_cookies(member), **headers})


def moves(meter: Meter, club: SiteClub, games: dict[str, Any]) -> None:
    """A move in each of three games, by the three ways, and the pages of one of them afterwards."""
    import json

    from crownhead.server.play.models import Game, Status

    for way in ("api", "page", "htmx", "seen"):
        game = Game.objects.with_players().get(pk=games[way].pk)
        if game.status != Status.PLAYING or len(game.moves.split()) > 60:
            game = club.new_game(0, 1 + len(way))
        member, move = club.next_move(game)
        games[way] = game
        address, form = (
            f"/games/{game.public_id}/",
            {"do": "move", "move": move, "version": str(game.version)},
        )
        if way == "api":
            body = json.dumps({"move": move, "version": game.version}).encode()
            by = {"HTTP_AUTHORIZATION": f"Bearer {member.token}"}
            path = f"/api/v1/games/{game.public_id}/moves"
            meter.send("move by the API", Request("POST", path, "", body, JSON, by))
            meter.send("game by the API", get(f"/api/v1/games/{game.public_id}", by=by))
        elif way == "page":
            meter.send("move by page, redirect", post(address, member, form), expected=302)
        elif way == "htmx":
            meter.send("move by page, htmx answer", post(address, member, form, **HTMX))
        else:
            meter.send("(not told)", post(address, member, form), expected=302)
            other = club.members[0 if member is not club.members[0] else 1 + len(way)]
            meter.send("game page, member", get(address, other))
            meter.send("game page, guest, after a move", get(address))
            meter.send("game page, guest, again", get(address))
    meter.send("floor", post(f"/floor/{games['api'].public_id}/", club.members[0], {}), floor=True)


def pages(club: SiteClub) -> dict[str, Request]:
    """The pages by their kinds."""
    some, token = club.members[2], {"HTTP_AUTHORIZATION": f"Bearer {club.members[2].token}"}
    name = club.members[3].user.username
    return {
        "my games": get("/", some),
        "home, guest": get("/"),
        "waiting room, member": get("/waiting-room/", some),
        "waiting room, guest": get("/waiting-room/"),
        "watch, member": get("/watch/", some),
        "watch, guest, after a move": get("/watch/"),
        "watch, guest, again": get("/watch/"),
        "players, member": get("/players/", some),
        "players, guest": get("/players/"),
        "profile, member": get(f"/players/{name}/", some),
        "profile, guest": get(f"/players/{name}/"),
        "ladders, member": get("/ladders/", some),
        "ladders, guest": get("/ladders/"),
        "tournaments, member": get("/tournaments/", some),
        "tournaments, guest": get("/tournaments/"),
        "teams, guest": get("/teams/"),
        "news, guest": get("/news/"),
        "help, guest": get("/help/"),
        "ratings, guest": get("/ratings/"),
        "games of a player, guest": get(f"/players/{name}/games/"),
        "leaderboard, member": get("/ratings/american/", some),
        "leaderboard, guest": get("/ratings/american/"),
        "notices": get("/notices/", some),
        "badges": get("/badges/", some),
        "rules, member": get("/rules/russian/", some),
        "rules, guest": get("/rules/russian/"),
        "games by the API": get("/api/v1/games?mine=1", by=token),
        "openapi.json": get("/api/v1/openapi.json"),
        "health": get("/health"),
    }


def measure(rounds: int, *, chosen: Callable[[str], bool] = lambda _kind: True) -> dict[str, Found]:
    """What each kind costs."""
    with opened_club():
        from crownhead.server.config.wsgi import application
        from crownhead.server.core.background import write_buffers
        from site_club import make_club
        from site_floor import floor_application

        club = make_club()
        meter = Meter({"club": application, "floor": floor_application()})
        games = {way: club.new_game(0, 1 + len(way)) for way in ("api", "page", "htmx", "seen")}
        kinds = pages(club)
        with write_buffers.buffering():
            for number in range(WARMING + rounds):
                if number == WARMING:
                    meter.forget()
                moves(meter, club, games)
                for kind, request in kinds.items():
                    if chosen(kind):
                        meter.send(kind, request)
                meter.flush()
        return dict(meter.found)


def main() -> None:
    """Measure, print, and write the section."""
    import cold_start
    from requests_report import lines, write

    parser = argparse.ArgumentParser(description="measure what each kind of request costs beside its floor")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    starts = cold_start.measure()
    found = measure(chosen.rounds)
    for line in lines(found):
        print(" | ".join(line))
    print("first start: {:.1f} s, again: {:.1f} s".format(*starts))
    if not chosen.dry:
        write(found, starts=starts, load=load, rounds=chosen.rounds)


if __name__ == "__main__":
    main()
