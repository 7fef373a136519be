"""Restarts that nobody notices: of one host after the other, and of a club with a thousand readers."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import pytest

from tests.club import Club, Player
from tests.faults.figures import report, report_matches
from tests.faults.proxy import Proxy
from tests.faults.storm import storm
from tests.faults.test_kills import LIMITS, MATCHES, needs_postgres, stopped_at_the_end
from tests.faults.waiting import go_on, wait_until
from tests.postgres import new_cluster

pytestmark = pytest.mark.nightly

ROUNDS = 3
READERS = 1000
NO_CAPS = {
    "CROWNHEAD_STREAMS_PER_ADDRESS": str(2 * READERS),
    "CROWNHEAD_CONNECTIONS_PER_ADDRESS": "0",
}
SLOWEST = 1.5  # seconds, p99 of a page while the readers come back, on two busy cores
MAX_AT_ONCE = 0.35  # of the readers, in one second


@needs_postgres
def test_one_host_after_the_other_restarts_behind_a_proxy_and_no_request_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "settings.toml").write_text(LIMITS)
    with new_cluster(is_durable=True) as cluster:
        environment = {"DATABASE_URL": cluster.url, "CROWNHEAD_DRAIN_SECONDS": "2"}
        one, other = (Club(folder, command="web", environment=environment) for _ in range(2))
        one.start()
        other.start()
        proxy = Proxy([one.port, other.port])
        try:
            with stopped_at_the_end(one), stopped_at_the_end(other):
                at_proxy = Club(folder, port=proxy.port)
                with storm(at_proxy, matches=MATCHES, seed=15) as matches:
                    for host in (one, other) * ROUNDS:
                        go_on(matches)
                        assert host.stop() == 0
                        go_on(matches)
                        host.start()
                        wait_until(lambda host=host: host.port in proxy.ready)  # type: ignore[misc]
                    go_on(matches)
                for match in matches:
                    match.expect_caught_up()
                assert proxy.unanswered == 0
                report_matches(2 * ROUNDS, matches)
        finally:
            proxy.stop()


@dataclass(slots=True)
class Crowd:
    """Readers of one stream that come back as browsers do, after the time that the server has told them."""

    port: int
    game: str
    reading: int = 0
    came: list[float] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)  # when a page was asked for, and how long

    async def read(self) -> None:
        """Be one of them, for ever."""
        last, retry = b"", 3000.0
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                lines, out = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    after = b"Last-Event-ID: %s\r\n" % last if last else b""
                    out.write(b"GET /events?game=%s HTTP/1.1\r\nHost: localhost\r\n" % self.game.encode())
                    out.write(after + b"\r\n")
                    is_ok = b" 200 " in await lines.readline()
                    self.reading += is_ok
                    if is_ok:
                        self.came.append(time.monotonic())
                    try:
                        while line := await lines.readline():
                            if found := re.match(rb"(id|retry): (\d+)", line):
                                last = found[2] if found[1] == b"id" else last
                                retry = float(found[2]) if found[1] == b"retry" else retry
                    finally:
                        self.reading -= is_ok
                finally:
                    out.close()
            await asyncio.sleep(retry / 1000)

    async def ask_for_pages(self) -> None:
        """Open a page again and again."""
        while True:
            begun = time.monotonic()
            with suppress(OSError):
                lines, out = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    out.write(b"GET /players/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    answer = await lines.read()
                finally:
                    out.close()
                if b" 200 " in answer[:20]:
                    self.waits.append((begun, time.monotonic() - begun))
            await asyncio.sleep(0.05)

    async def until_all_read(self) -> None:
        """Wait for all of them."""
        async with asyncio.timeout(120):
            while self.reading < READERS:
                await asyncio.sleep(0.1)


def test_a_thousand_readers_come_back_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "settings.toml").write_text(LIMITS)
    club = Club(folder, environment=NO_CAPS)
    club.start()
    with stopped_at_the_end(club):
        players = Player(club.port, "anna"), Player(club.port, "bert")
        for player in players:
            player.register()
        terms = {"variant": "american", "colour": "first", "days_per_move": 3}
        game = players[0].expect(201, "POST", "/games", terms)["id"]
        players[1].expect(200, "POST", f"/waiting-room/{game}/join")
        asyncio.run(_restart_with(Crowd(club.port, game), club))


async def _restart_with(crowd: Crowd, club: Club) -> None:
    readers = [asyncio.create_task(crowd.read()) for _ in range(READERS)]
    try:
        await crowd.until_all_read()
        crowd.came.clear()
        await asyncio.to_thread(club.stop)
        pages = asyncio.create_task(crowd.ask_for_pages())
        readers.append(pages)
        await asyncio.to_thread(club.start)
        started = time.monotonic()
        await crowd.until_all_read()
    finally:
        for task in readers:
            task.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await asyncio.sleep(0.1)  # in which the connections are closed
    in_seconds = Counter(int(moment - crowd.came[0]) for moment in crowd.came)
    waits = [took for begun, took in crowd.waits if begun >= started]
    slowest = quantiles(waits, n=100)[-1]
    report_text = (
        f"{READERS} readers back within {crowd.came[-1] - crowd.came[0]:.0f} s, at most "
        f"{max(in_seconds.values())} in a second; p99 of {len(waits)} pages {1000 * slowest:.0f} ms"
    )
    report(report_text)
    assert max(in_seconds.values()) <= MAX_AT_ONCE * READERS, report_text
    assert slowest < SLOWEST, report_text
