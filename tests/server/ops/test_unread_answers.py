"""Answers that clients do not read: how much memory they take, and who has to go when it is too much."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from crownhead.server.ops.processes import unread
from crownhead.server.ops.processes.connections import READ, SLICE, UNREAD, UNSENT, TimedProtocol
from crownhead.server.ops.processes.unread import Unread
from tests.server.ops.test_connections import TIMEOUT, Site, serve

LONG = 6_000_000  # bytes, more than systems take
REQUEST = "GET {} HTTP/1.1\r\nHost: club\r\n\r\n"


class Watched(TimedProtocol):
    """Knows the largest buffer of a connection, and how many have ended before all was read."""

    unread = Unread()
    buffered = 0
    aborted = 0
    made: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Keep it."""
        super().connection_made(transport)
        Watched.made = transport

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        Watched.buffered = max(Watched.buffered, self.transport.get_write_buffer_size())

    def connection_lost(self, exc: Exception | None) -> None:
        """Look whether it was waiting."""
        Watched.aborted += self._reader is not None
        super().connection_lost(exc)


class Library(Site):
    """A site of long texts."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LONG)]}
        )
        await send({"type": "http.response.body", "body": LONG * b"x"})
        self.sent.set()


@pytest.fixture(autouse=True)
def _nothing_watched() -> None:
    Watched.unread, Watched.buffered, Watched.aborted, Watched.made = Unread(), 0, 0, None


async def wait_until(condition: Any) -> None:
    """Let the others go on until something is so."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0.001)


async def open_unread(site: Site, text: str) -> asyncio.StreamReader:
    """A connection of a client that sends this and reads nothing."""
    reader, writer = await site.open(text)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    return reader


def test_a_long_answer_is_written_in_slices_and_arrives_whole() -> None:
    async def scene(site: Site) -> None:
        reader, _ = await site.open(REQUEST.format("/"))
        await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(LONG) == LONG * b"x"
        assert Watched.buffered <= SLICE
        await wait_until(lambda: not Watched.unread.of("127.0.0.1"))

    serve(scene, Watched, Library())


def test_what_waits_to_be_read_counts_until_the_client_has_left() -> None:
    async def scene(site: Site) -> None:
        await open_unread(site, REQUEST.format("/"))
        await wait_until(lambda: Watched.unread.of("127.0.0.1"))
        assert LONG < Watched.unread.of("127.0.0.1") <= LONG + SLICE
        await site.close()
        await wait_until(lambda: not Watched.unread.of("127.0.0.1"))

    serve(scene, Watched, Library())


def test_a_further_request_begins_once_the_answer_before_has_been_read() -> None:
    async def scene(site: Site) -> None:
        assert isinstance(site, Library)
        reader, writer = await site.open(REQUEST.format("/1") + REQUEST.format("/2") + REQUEST.format("/3"))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await wait_until(lambda: Watched.unread.of("127.0.0.1"))
        assert site.begun == ["/1"]
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        for _ in range(3):
            await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(LONG)
        assert site.begun == ["/1", "/2", "/3"]

    serve(scene, Watched, Library())


def test_of_further_requests_little_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[int] = []
    receive = TimedProtocol.data_received

    def data_received(self: TimedProtocol, data: bytes) -> None:
        received.append(len(data))
        receive(self, data)

    monkeypatch.setattr(TimedProtocol, "data_received", data_received)

    async def scene(site: Site) -> None:
        await open_unread(site, REQUEST.format("/stream") + 10_000 * REQUEST.format("/"))
        await wait_until(lambda: received)
        for _ in range(100):
            await asyncio.sleep(0)
        assert max(received) == READ
        assert len(received) <= 3  # uvicorn goes on whenever the application waits for more

    serve(scene, Watched)


def test_of_what_nobody_reads_yet_the_system_takes_little() -> None:
    """However much a client sends that has asked for a stream."""

    async def scene(site: Site) -> None:
        await open_unread(site, REQUEST.format("/stream"))
        await wait_until(lambda: Watched.made)
        connection = Watched.made.get_extra_info("socket")
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) <= 2 * UNREAD
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) == UNSENT

    serve(scene, Watched)


def test_who_leaves_too_much_unread_loses_the_slowest_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "MAX_PER_HOUSEHOLD", 3 * (LONG + SLICE))

    async def scene(site: Site) -> None:
        slow = [await open_unread(site, REQUEST.format("/")) for _ in range(6)]
        await wait_until(lambda: Watched.aborted == 3)
        assert Watched.unread.of("127.0.0.1") <= unread.MAX_PER_HOUSEHOLD
        reader, _ = await site.open(REQUEST.format("/"))  # who reads is served
        await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(LONG)
        del slow

    serve(scene, Watched, Library())


class Line:
    """A connection that knows whether it has been ended."""

    def __init__(self) -> None:
        self.has_ended = False

    def abort(self) -> None:
        """End it."""
        self.has_ended = True


def test_a_household_loses_what_has_waited_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "MAX_PER_HOUSEHOLD", 25)
    held, lines, other = Unread(), [Line() for _ in range(4)], Line()
    held.note("other", other, 20)
    for line in lines[:2]:
        held.note("home", line, 10)
    held.note("home", lines[0], 12)  # more of it: it has waited since the first time
    held.note("home", lines[2], 10)
    assert [line.has_ended for line in lines] == [True, False, False, False]
    held.forget("home", lines[1])
    held.note("home", lines[3], 10)
    assert [line.has_ended for line in [*lines, other]] == [True, False, False, False, False]
    assert (held.of("home"), held.of("other")) == (20, 20)


def test_when_all_hold_too_much_the_household_that_holds_most_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "MAX_IN_ALL", 50)
    held, greedy, modest, late = Unread(), [Line() for _ in range(4)], Line(), Line()
    held.note("modest", modest, 10)
    for line in greedy:
        held.note("greedy", line, 10)
    held.note("late", late, 15)
    assert [line.has_ended for line in greedy] == [True, True, False, False]
    assert [line.has_ended for line in (modest, late)] == [False, False]


def test_one_that_alone_is_too_much_is_ended_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "MAX_PER_HOUSEHOLD", 5)
    held, line = Unread(), Line()
    held.note("home", line, 10)
    assert line.has_ended
    assert held.of("home") == 0
