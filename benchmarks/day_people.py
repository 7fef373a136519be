"""People who visit a club: what they open, how long they think, and how long they wait for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from day_scene import GUESTS, Member, Scene
from tests.club import Club

THINKS = 10.0  # seconds, the median
SETTLING = 5.0  # seconds before a number of people is measured
CSRF = "d" * 32
# What they open, by how often; the names in braces are those of other players and games.
MEMBER = {
    "my games": ("/", 22),
    "my game": ("", 30),
    "another game": ("/games/{game}/", 9),
    "waiting room": ("/waiting-room/", 7),
    "watch": ("/watch/", 6),
    "a profile": ("/players/{name}/", 5),
    "a leaderboard": ("/ratings/american/", 4),
    "notifications": ("/notices/", 4),
    "my finished games": ("/games/finished/", 3),
    "a player's games": ("/players/{name}/games/", 3),
    "players": ("/players/", 2),
    "tournaments": ("/tournaments/", 2),
    "rules": ("/rules/russian/", 2),
    "news": ("/news/", 1),
}
GUEST = {
    "another game": ("/games/{game}/", 35),
    "home": ("/", 20),
    "watch": ("/watch/", 20),
    "a leaderboard": ("/ratings/american/", 8),
    "a profile": ("/players/{name}/", 7),
    "waiting room": ("/waiting-room/", 5),
    "rules": ("/rules/russian/", 5),
}
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_TAG = re.compile(rb"etag: ([^\r]+)", re.IGNORECASE)


@dataclass(slots=True)
class Step:
    """What was measured with a number of people: seconds by kinds of pages, and CPU time as cores."""

    people: int
    seconds: float
    waits: dict[str, list[float]] = field(default_factory=dict)
    unchanged: int = 0  # pages that a browser had already
    refused: int = 0  # answers that are neither pages nor redirects, and connections that broke
    server: float = 0.0
    client: float = 0.0

    @property
    def all_waits(self) -> list[float]:
        """Of all kinds, in order."""
        return sorted(wait for waits in self.waits.values() for wait in waits)

    @property
    def each_second(self) -> float:
        """Requests."""
        return len(self.all_waits) / self.seconds

    def within(self, share: float) -> float:
        """The seconds within which such a share was answered."""
        waits = self.all_waits
        return waits[min(int(share * len(waits)), len(waits) - 1)] if waits else float("inf")

    @property
    def p99(self) -> float:
        """The seconds within which 99 of a hundred were answered."""
        return self.within(0.99)


class Crowd:
    """So many people at once; one measurement after the other."""

    def __init__(self, club: Club, scene: Scene, seconds: float) -> None:
        self.club, self.scene, self._seconds = club, scene, seconds
        self.step = Step(0, seconds)
        self._tasks: list[asyncio.Task[None]] = []
        self._next = 0

    async def become(self, people: int) -> None:
        """Let people in or out, over some seconds."""
        for task in self._tasks[people:]:
            task.cancel()
        await asyncio.gather(*self._tasks[people:], return_exceptions=True)
        del self._tasks[people:]
        while len(self._tasks) < people:
            number = len(self._tasks)
            is_guest = number % round(1 / GUESTS) == 0
            member = None if is_guest else self.scene.members[self._next % len(self.scene.members)]
            self._next += not is_guest
            self._tasks.append(asyncio.create_task(Person(self, member, number).visit()))
            await asyncio.sleep(0.005)

    async def measure(self, people: int) -> Step:
        """How so many people fare."""
        await self.become(people)
        await asyncio.sleep(SETTLING)
        self.step = step = Step(people, self._seconds)
        began, server, client = time.monotonic(), _cpu(self.club), time.process_time()
        await asyncio.sleep(self._seconds)
        step.seconds = time.monotonic() - began
        step.server = (_cpu(self.club) - server) / step.seconds
        step.client = (time.process_time() - client) / step.seconds
        self.step = Step(0, self._seconds)
        return step


class Person:
    """A member or guest with a browser."""

    def __init__(self, crowd: Crowd, member: Member | None, number: int) -> None:
        self._crowd, self._member = crowd, member
        self._from = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._tags: dict[str, bytes] = {}
        session = f"; sessionid={member.session}" if member else ""
        self._head = f"Host: 127.0.0.1:{crowd.club.port}\r\nCookie: csrftoken={CSRF}{session}\r\n"
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def visit(self) -> None:
        """Open pages until somebody says it is enough."""
        choices = MEMBER if self._member else GUEST
        kinds, weights = list(choices), [weight for _, weight in choices.values()]
        await asyncio.sleep(THINKS * random.random())
        following = asyncio.create_task(self._follow())
        try:
            while True:
                (kind,) = random.choices(kinds, weights)
                await self._open(kind, choices[kind][0])
                await asyncio.sleep(random.expovariate(1 / THINKS))
        finally:
            following.cancel()
            if self._writer is not None:
                self._writer.close()

    async def _open(self, kind: str, path: str) -> None:
        member = self._member
        if member and not path:
            await self._ask(kind, f"/games/{member.table.game}/")
            if member.table.moves and member.table.turn == member.seat:
                await asyncio.sleep(random.expovariate(2 / THINKS))
                await self._move(member)
            return
        other = random.choice(self._crowd.scene.members)
        await self._ask(kind, path.format(game=other.table.game, name=other.name))

    async def _move(self, member: Member) -> None:
        table = member.table
        if not table.moves or table.turn != member.seat:
            return
        move, version = table.moves.pop(), table.version
        table.turn, table.version = -1, version + 1  # until it is answered nobody moves
        form = {"csrfmiddlewaretoken": CSRF, "do": "move", "move": move, "version": version}
        if await self._ask("a move", f"/games/{table.game}/", urlencode(form)):
            table.turn = 1 - member.seat
        else:
            table.moves.clear()

    async def _ask(self, kind: str, path: str, form: str | None = None) -> bool:
        """Open a page or send a form; whether it came."""
        began, step = time.perf_counter(), self._crowd.step
        try:
            status = await self._answer(path, form)
        except (OSError, asyncio.IncompleteReadError):
            self._reader, status = None, 0
        step.waits.setdefault(kind, []).append(time.perf_counter() - began)
        step.unchanged += status == 304
        is_well = status in {200, 302, 304}
        step.refused += not is_well
        return is_well

    async def _answer(self, path: str, form: str | None) -> int:
        if self._reader is None or self._writer is None or self._reader.at_eof():  # closed by the server
            self._reader, self._writer = await self._connect()
        if form is None:
            known = self._tags.get(path)
            condition = f"If-None-Match: {known.decode()}\r\n" if known else ""
            request = f"GET {path} HTTP/1.1\r\n{self._head}Accept-Encoding: gzip\r\n{condition}\r\n"
        else:
            what = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n"
            request = f"POST {path} HTTP/1.1\r\n{self._head}HX-Request: true\r\n{what}\r\n{form}"
        self._writer.write(request.encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        if length := _LENGTH.search(head):
            await self._reader.readexactly(int(length[1]))
        if form is None and (tag := _TAG.search(head)):
            self._tags[path] = tag[1]
        return int(head[9:12])

    async def _follow(self) -> None:
        """Keep a stream of events open; it is read and forgotten."""
        member = self._member or random.choice(self._crowd.scene.members)
        path = f"/events?game={member.table.game}"
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self._connect()
                try:
                    writer.write(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode())
                    while await reader.read(65536):
                        pass
                finally:
                    writer.close()
            await asyncio.sleep(3 + 5 * random.random())

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        port = self._crowd.club.port
        return await asyncio.open_connection("127.0.0.1", port, local_addr=(self._from, 0))


def _cpu(club: Club) -> float:
    """Seconds of CPU time of all processes of the server so far."""
    assert club.process is not None
    ticks = 0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = entry.read_text("ascii", "replace").rpartition(")")[2].split()
            if int(fields[2]) == club.process.pid:  # its group
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
