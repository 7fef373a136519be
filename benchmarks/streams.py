"""Measures what event streams cost a server, for results/: `make bench-streams`.

A club of its own runs in a process of its own; the readers are sockets of this one, half of them signed in.
CPU time is that of the server alone, without the client. With `--dry` nothing is written; `--readers` is how
many there are.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sections import STREAMS, provenance, table, write_section
from tests.club import Club, Player

READERS, MEMBERS, MOVES, BROADCASTS = 10_000, 200, 20, 5
AT_ONCE = 50  # streams that are being opened
RESTING = 30  # seconds


@dataclass(frozen=True, slots=True)
class Set:
    """A club that has been set up: the crowd's game, another one, and what opens streams and makes moves."""

    watched: str
    played: str
    sessions: list[str]  # of as many members; the first two play
    tokens: Sequence[str]  # of the two


class Stream(asyncio.Protocol):
    """A reader: notes when it got each version of a game."""

    def __init__(self) -> None:
        self.opened = asyncio.get_running_loop().create_future()
        self.got: dict[int, float] = {}
        self._tail = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Note what has come."""
        now = time.perf_counter()
        text = self._tail + data
        if not self.opened.done() and b"retry:" in text:
            self.opened.set_result(None)
        for version in re.findall(rb'"version":(\d+)', text):
            self.got.setdefault(int(version), now)
        self._tail = text[-20:]

    def connection_lost(self, exc: Exception | None) -> None:
        """A stream that was refused."""
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError(self._tail.decode()))

    def send(self, request: bytes) -> None:
        """Ask."""
        assert self._transport is not None
        self._transport.write(request)

    def close(self) -> None:
        """Leave."""
        if self._transport is not None:
            self._transport.abort()


@dataclass(slots=True)
class Crowd:
    """Readers of one server."""

    club: Club
    first: int = 0  # the number of the first reader, which gives them their addresses
    streams: list[Stream] = field(default_factory=list)

    async def open(self, game: str, *, session: str = "") -> Stream:
        """One more."""
        number = self.first + len(self.streams)
        stream = Stream()
        self.streams.append(stream)
        loop = asyncio.get_running_loop()
        here = f"127.0.{1 + number // 200}.{1 + number % 200}"
        await loop.create_connection(lambda: stream, "127.0.0.1", self.club.port, local_addr=(here, 0))
        cookie = f"Cookie: sessionid={session}\r\n" if session else ""
        request = f"GET /events?game={game} HTTP/1.1\r\nHost: 127.0.0.1:{self.club.port}\r\n{cookie}\r\n"
        stream.send(request.encode())
        await stream.opened
        return stream

    async def grow(self, count: int, game: str, sessions: Sequence[str]) -> None:
        """So many more, a few at a time; every other one is signed in."""
        for start in range(0, count, AT_ONCE):
            batch = range(start, min(start + AT_ONCE, count))
            await asyncio.gather(
                *(self.open(game, session=sessions[n % len(sessions)] if n % 2 else "") for n in batch)
            )


def server_cpu(club: Club) -> float:
    """Seconds of CPU time of the server so far."""
    assert club.process is not None
    fields = Path(f"/proc/{club.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def server_memory(club: Club) -> int:
    """Bytes of memory that the server holds."""
    assert club.process is not None
    status = Path(f"/proc/{club.process.pid}/status").read_text("ascii")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def set_up(data: Path) -> Set:
    """Members, their sessions, and two games, in the database of the running club."""
    os.environ["CROWNHEAD_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "crownhead.server.config.settings"
    import django

    django.setup()
    from crownhead.server.accounts.models import User
    from crownhead.server.accounts.tokens.services import new_token
    from crownhead.server.core import clock
    from crownhead.server.play.games import services as games
    from crownhead.server.play.games.options import GameOptions

    def member(number: int) -> User:
        user = User(username=f"member{number}", email=f"member{number}@club.example")
        user.set_unusable_password()
        user.save()
        return user

    def game() -> str:
        terms = GameOptions(variant="american", days_per_move=3, colour="first")
        offered = games.create_game(creator=members[0], options=terms, now=clock.now())
        games.join(user=members[1], game_id=offered.public_id, now=clock.now())
        return offered.public_id

    members = [member(number) for number in range(MEMBERS)]
    tokens = tuple(new_token(user=user, now=clock.now()) for user in members[:2])
    return Set(game(), game(), [session_of(user) for user in members], tokens)


def session_of(user: Any) -> str:
    """The key of a new session of a member; Django is set up."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    opened = SessionStore()
    opened[SESSION_KEY] = str(user.pk)
    opened[BACKEND_SESSION_KEY] = "crownhead.server.accounts.backends.ClubBackend"
    opened[HASH_SESSION_KEY] = user.get_session_auth_hash()
    opened.create()
    return opened.session_key or ""


class Match:
    """A game between the first two members, by the API."""

    def __init__(self, club: Club, game: str, tokens: Sequence[str]) -> None:
        self._game, self.version = game, 0
        self._players = [Player(club.port, "", token) for token in tokens]
        self.sent_at: dict[int, float] = {}  # by the version that the move led to

    async def move(self) -> int:
        """Make a move; the version after it."""
        await asyncio.to_thread(self._move)
        return self.version

    def _move(self) -> None:
        path, player = f"/games/{self._game}", self._players[self.version % 2]
        legal = player.expect(200, "GET", path)["legal_moves"]
        move = legal[self.version % len(legal)]["notation"]
        self.sent_at[self.version + 1] = time.perf_counter()
        player.expect(200, "POST", f"{path}/moves", {"move": move, "version": self.version})
        self.version += 1


async def arrived(streams: Sequence[Stream], version: int) -> list[float]:
    """When each stream got a version."""
    async with asyncio.timeout(120):
        while not all(version in stream.got for stream in streams):
            await asyncio.sleep(0.002)
    return [stream.got[version] for stream in streams]


def milliseconds(times: Sequence[float]) -> str:
    """The median, the 99th percentile and the last, in milliseconds."""
    ordered = sorted(times)
    parts = (statistics.median(ordered), ordered[int(len(ordered) * 0.99)], ordered[-1])
    return " / ".join(f"{part * 1000:.0f}" for part in parts)


async def measure(club: Club, scene: Set, readers: int) -> list[list[str]]:
    """The rows of the table."""
    crowd, players = Crowd(club), Crowd(club, first=readers)
    two = [await players.open(scene.played, session=key) for key in scene.sessions[:2]]
    played, watched = (Match(club, game, scene.tokens) for game in (scene.played, scene.watched))
    rows = [["a move to its two players, nobody else there", await _moves_to_two(played, two)]]
    rows += await _open_all(crowd, scene, readers)
    rows += await _broadcast_to_all(crowd, watched)
    rows.append(["a move to its two players, the crowd at rest", await _moves_to_two(played, two)])
    meanwhile = []
    for _ in range(BROADCASTS):
        other = asyncio.create_task(watched.move())
        version = await played.move()
        meanwhile += [at - played.sent_at[version] for at in await arrived(two, version)]
        await arrived(crowd.streams, await other)
    rows.append(["a move to its two players, while all hear of another", milliseconds(meanwhile)])
    cpu = server_cpu(club)
    await asyncio.sleep(RESTING)
    share = (server_cpu(club) - cpu) / RESTING
    rows.append(["at rest, with heartbeats: CPU time of the server", f"{share:.0%} of a core"])
    for stream in crowd.streams + two:
        stream.close()
    return rows


async def _open_all(crowd: Crowd, scene: Set, readers: int) -> list[list[str]]:
    """Open the streams of the crowd: the first ones are not counted, which import and prepare things."""
    first = min(200, readers // 2)
    await crowd.grow(first, scene.watched, scene.sessions[2:])
    club, opened = crowd.club, readers - first
    memory, cpu, began = server_memory(club), server_cpu(club), time.perf_counter()
    await crowd.grow(opened, scene.watched, scene.sessions[2:])
    seconds = time.perf_counter() - began
    spent = (server_cpu(club) - cpu) / opened * 1000
    held = (server_memory(club) - memory) / opened / 1024
    return [
        ["opening a stream, CPU time of the server", f"{spent:.2f} ms"],
        [f"opening {opened:,} streams, {AT_ONCE} at once", f"{seconds:.1f} s"],
        ["memory of a reader", f"{held:.1f} KB"],
    ]


async def _broadcast_to_all(crowd: Crowd, watched: Match) -> list[list[str]]:
    """Make moves in the game that everybody watches."""
    times, busy = [], []
    for _ in range(BROADCASTS):
        cpu = server_cpu(crowd.club)
        version = await watched.move()
        times += [at - watched.sent_at[version] for at in await arrived(crowd.streams, version)]
        busy.append(server_cpu(crowd.club) - cpu)
    count = f"{len(crowd.streams):,}"
    return [
        [f"one event to all {count}, from the request of the move", milliseconds(times)],
        ["the same, CPU time of the server", f"{statistics.median(busy) * 1000:.0f} ms"],
    ]


async def _moves_to_two(match: Match, streams: Sequence[Stream]) -> str:
    times: list[float] = []
    for _ in range(MOVES):
        version = await match.move()
        times += [at - match.sent_at[version] for at in await arrived(streams, version)]
    return milliseconds(times)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--readers", type=int, default=READERS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    readers = min(options.readers, most // 2 - 10)  # a process takes half of its file descriptors for streams
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "CROWNHEAD_STREAMS": str(2 * readers),
            "CROWNHEAD_STREAMS_PER_MEMBER": str(readers),
            "CROWNHEAD_STREAMS_PER_ADDRESS": str(readers),
        }
        club = Club(Path(folder) / "club", environment=environment)
        club.start()
        try:
            scene = set_up(club.data)
            rows = asyncio.run(measure(club, scene, readers))
        finally:
            club.stop()
    text = f"""{provenance("streams.py")}

One process with SQLite, {readers:,} readers of one game, half of them signed in, on the same machine.
Times are the median, the 99th percentile and the last, in milliseconds, and contain the move itself.

{table(["", ""], rows)}
"""
    print(text)
    if not options.dry:
        write_section(STREAMS, text)


if __name__ == "__main__":
    main()
