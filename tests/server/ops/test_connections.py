"""Connections that a client opens and then neglects: each ends, and none that is in use."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
from pytest_django import Settings
from uvicorn.server import ServerState

from crownhead.server.ops.processes.connections import (
    LARGE,
    MAX_HEADERS,
    MAX_LARGE_PIECES,
    MAX_PIECES,
    TimedProtocol,
)
from crownhead.server.ops.processes.serve import server_config

TIMEOUT = 5
Scene = Callable[["Site"], Awaitable[None]]
resource = pytest.importorskip("resource")


class Hasty(TimedProtocol):
    """The same within a moment."""

    headers_within = 0.1
    read_within = 0.1


class Site:
    """A site that answers `hello`; at `/slow` after a while, at `/large` more than buffers hold.

    At `/early` it answers before it has read the body, at `/stream` it goes on until the client has left.
    """

    def __init__(self) -> None:
        self.port = 0
        self.sent = asyncio.Event()
        self.writers: list[asyncio.StreamWriter] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while scope["path"] not in {"/early", "/stream"} and (await receive()).get("more_body"):
            pass
        if scope["path"] == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"hello", "more_body": True})
            while (await receive())["type"] != "http.disconnect":
                pass
            await send({"type": "http.response.body", "body": b"unheard"})
            self.sent.set()
            return
        if scope["path"] == "/slow":
            await asyncio.sleep(3 * Hasty.headers_within)
        is_large = scope["path"] == "/large"
        headers = [] if is_large else [(b"content-length", b"5")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if is_large:
            for _ in range(1000):
                await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
            self.sent.set()
        await send({"type": "http.response.body", "body": b"hello"})

    async def open(self, text: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which this has been sent."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(text.encode())
        await writer.drain()
        self.writers.append(writer)
        return reader, writer

    async def close(self) -> None:
        """Close what was opened."""
        for writer in self.writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What still came before the server ended the connection; fails if it does not."""
    try:
        return await asyncio.wait_for(reader.read(), TIMEOUT)
    except ConnectionResetError:
        return b""


async def ended_dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Likewise, while byte after byte is sent."""
    end = asyncio.create_task(ended(reader))
    while not end.done():
        writer.write(b"x")
        await asyncio.sleep(Hasty.headers_within / 10)
    return await end


def serve(scene: Scene, protocol: type[TimedProtocol] = Hasty, other: Site | None = None) -> None:
    """Run a scene with a site."""

    @asynccontextmanager
    async def running() -> AsyncIterator[Site]:
        site = other or Site()
        config = uvicorn.Config(site, http=protocol, log_config=None, lifespan="off")
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
        site.port = server.sockets[0].getsockname()[1]
        try:
            yield site
        finally:
            await site.close()
            server.close()
            await server.wait_closed()

    async def run() -> None:
        async with running() as site:
            await asyncio.wait_for(scene(site), 2 * TIMEOUT)

    asyncio.run(run())


@pytest.mark.parametrize("sent", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: club\r\nX-Slow: "])
def test_half_open_requests_end(sent: str) -> None:
    async def scene(site: Site) -> None:
        connections = [await site.open(sent) for _ in range(50)]
        assert await asyncio.gather(*(ended(reader) for reader, _ in connections)) == [b""] * 50

    serve(scene)


def test_headers_that_drip_in_byte_by_byte_end() -> None:
    async def scene(site: Site) -> None:
        reader, writer = await site.open("GET / HTTP/1.1\r\nX-Slow: ")
        assert await ended_dripping(reader, writer) == b""

    serve(scene)


@pytest.mark.parametrize(("pieces", "status"), [(MAX_PIECES, b"200"), (MAX_PIECES + 1, b"400")])
def test_a_body_comes_in_so_many_pieces(pieces: int, status: bytes) -> None:
    async def scene(site: Site) -> None:
        head = "POST / HTTP/1.1\r\nHost: club\r\nTransfer-Encoding: chunked\r\n\r\n"
        reader, _ = await site.open(head + pieces * "1\r\nx\r\n" + "0\r\n\r\n")
        line = await asyncio.wait_for(reader.readline(), TIMEOUT)
        assert line.split()[1] == status

    serve(scene)


@pytest.mark.parametrize(
    ("pieces", "size", "status"),
    [
        (2 * MAX_PIECES, 2 * LARGE, b"200"),
        (2 * MAX_PIECES, LARGE // 2, b"400"),
        (MAX_LARGE_PIECES + 1, LARGE, b"400"),
    ],
)
def test_more_pieces_have_to_be_as_large_as_packets_on_average(pieces: int, size: int, status: bytes) -> None:
    async def scene(site: Site) -> None:
        head = "POST / HTTP/1.1\r\nHost: club\r\nTransfer-Encoding: chunked\r\n\r\n"
        reader, _ = await site.open(head + pieces * f"{size:x}\r\n{size * 'x'}\r\n" + "0\r\n\r\n")
        line = await asyncio.wait_for(reader.readline(), TIMEOUT)
        assert line.split()[1] == status

    serve(scene)


def test_a_body_with_two_lengths_is_refused_and_nothing_after_it_is_read() -> None:
    async def scene(site: Site) -> None:
        head = "POST / HTTP/1.1\r\nHost: club\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        reader, _writer = await site.open(head + "0\r\n\r\nGET / HTTP/1.1\r\nHost: club\r\n\r\n")
        answer = await ended(reader)
        assert b" 400 " in answer.split(b"\r\n")[0]
        assert b"hello" not in answer

    serve(scene)


@pytest.mark.parametrize(("length", "status"), [(8000, b"200"), (9000, b"400")])
def test_an_address_longer_than_any_is_refused_before_it_is_read(length: int, status: bytes) -> None:
    async def scene(site: Site) -> None:
        reader, _writer = await site.open(
            f"GET /{'%' * length} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )
        assert status in (await ended(reader)).split(b"\r\n")[0]

    serve(scene)


@pytest.mark.parametrize(("count", "status"), [(MAX_HEADERS, b"200"), (MAX_HEADERS + 1, b"400")])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_more_headers_than_anybody_sends_are_refused_before_they_are_read(
    count: int, status: bytes, end: str
) -> None:
    async def scene(site: Site) -> None:
        headers = ["Host: a", "Connection: close", "Content-Length: 500", *["a: b"] * (count - 3)]
        reader, _writer = await site.open(end.join(["POST / HTTP/1.1", *headers, "", "\n" * 500]))
        assert status in (await ended(reader)).split(b"\r\n")[0]

    serve(scene)


def test_the_pieces_of_each_request_are_counted_again() -> None:
    async def scene(site: Site) -> None:
        head = "POST / HTTP/1.1\r\nHost: club\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = (MAX_PIECES - 1) * "1\r\nx\r\n" + "0\r\n\r\n"
        reader, writer = await site.open(head + body)
        await reader.readuntil(b"hello")
        writer.write((head + body).encode())
        assert (await asyncio.wait_for(reader.readline(), TIMEOUT)).split()[1] == b"200"

    serve(scene)


@pytest.mark.parametrize("sent", ["GET /", "GET / HTTP/1.1\r\nHost: club\r\n"])
def test_a_half_open_second_request_ends(sent: str) -> None:
    async def scene(site: Site) -> None:
        reader, writer = await site.open("GET / HTTP/1.1\r\nHost: club\r\n\r\n")
        await reader.readuntil(b"hello")
        writer.write(sent.encode())
        assert await ended(reader) == b""
        together, _ = await site.open("GET / HTTP/1.1\r\nHost: club\r\n\r\n" + sent)
        assert (await ended(together)).endswith(b"hello")

    serve(scene)


@pytest.mark.parametrize("sent", ["", "x", 100 * "x", 100 * "x" + "GET /"])
def test_a_connection_ends_whose_request_was_answered_before_all_of_it_had_come(sent: str) -> None:
    async def scene(site: Site) -> None:
        reader, writer = await site.open("POST /early HTTP/1.1\r\nHost: club\r\nContent-Length: 100\r\n\r\n")
        await reader.readuntil(b"hello")
        writer.write(sent.encode())
        assert await ended(reader) == b""

    serve(scene)


def test_a_body_that_drips_in_after_its_answer_ends() -> None:
    async def scene(site: Site) -> None:
        reader, writer = await site.open("POST /early HTTP/1.1\r\nHost: club\r\nContent-Length: 999\r\n\r\n")
        await reader.readuntil(b"hello")
        assert await ended_dripping(reader, writer) == b""

    serve(scene)


@pytest.mark.parametrize("path", ["/", "/early", "/stream"])
@pytest.mark.parametrize("junk", ["zz\r\n", "1\r\nabc\r\n"])
def test_a_broken_body_ends_its_connection_and_nothing_is_logged(
    path: str, junk: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever has been answered by then."""
    head = f"POST {path} HTTP/1.1\r\nHost: club\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def scene(site: Site) -> None:
        reader, writer = await site.open(head)
        if path != "/":
            await reader.readuntil(b"hello")
        writer.write(junk.encode())
        assert b"unheard" not in await ended(reader)
        if path == "/stream":
            await asyncio.wait_for(site.sent.wait(), TIMEOUT)

    serve(scene)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_what_clients_do_wrong_is_not_logged() -> None:
    assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.WARNING)


def test_a_request_that_is_complete_may_take_its_time() -> None:
    async def scene(site: Site) -> None:
        reader, _ = await site.open("GET /slow HTTP/1.1\r\nHost: club\r\n\r\n")
        assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200")
        body, slow = await site.open("POST / HTTP/1.1\r\nHost: club\r\nContent-Length: 2\r\n\r\n")
        await asyncio.sleep(2 * Hasty.headers_within)
        slow.write(b"{}")
        assert (await body.readuntil(b"hello")).startswith(b"HTTP/1.1 200")

    serve(scene)


def test_an_answer_that_nobody_reads_ends() -> None:
    async def scene(site: Site) -> None:
        _, writer = await site.open("GET /large HTTP/1.1\r\nHost: club\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.wait_for(site.sent.wait(), TIMEOUT)

    serve(scene)


class Narrow(TimedProtocol):
    """Two connections for an address."""

    most_per_address = 2


def test_an_address_has_only_so_many_connections() -> None:
    request = "GET / HTTP/1.1\r\nHost: club\r\n\r\n"

    async def scene(site: Site) -> None:
        for reader, _ in [await site.open(request) for _ in range(2)]:
            await reader.readuntil(b"hello")
        for _ in range(5):  # a refused one frees no place
            refused = await ended((await site.open(""))[0])
            assert refused.startswith(b"HTTP/1.1 503")
            assert b"retry-after" in refused
        await site.close()
        while Narrow.open_connections.in_all():  # the server notices that they are closed
            await asyncio.sleep(0)
        reader, _ = await site.open(request)
        await reader.readuntil(b"hello")

    serve(scene, Narrow)


@pytest.mark.parametrize(("proxies", "most"), [(0, 7), (1, 0)])
def test_connections_of_a_proxy_are_not_limited(settings: Settings, proxies: int, most: int) -> None:
    settings.PROXIES, settings.CONNECTIONS_PER_ADDRESS = proxies, 7
    protocol = server_config(lambda: None).http
    assert isinstance(protocol, type)
    assert issubclass(protocol, TimedProtocol)
    assert protocol.most_per_address == most


def test_the_site_is_served_by_this_protocol() -> None:
    protocol = server_config(lambda: None).http
    assert isinstance(protocol, type)
    assert issubclass(protocol, TimedProtocol)
    assert 1 < TimedProtocol.headers_within < TimedProtocol.read_within <= 60


def test_the_limit_of_open_files_is_raised_as_far_as_the_system_allows() -> None:
    program = (
        "import resource; from crownhead.server.ops.processes.connections import allow_many_files;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300)); print(allow_many_files());"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.split("\n")[:2] == ["300", "(300, 300)"]
