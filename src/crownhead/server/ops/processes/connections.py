"""Connections: one ends when its request, or the reading of an answer, takes too long or comes in crumbs.

An address may have so many of them.
"""

import asyncio
import re
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

import h11
import uvicorn
from django.conf import settings
from h11._connection import DEFAULT_MAX_INCOMPLETE_EVENT_SIZE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from crownhead.server.core.http import calling_household, household
from crownhead.server.core.processes.shared_counts import SharedCounts
from crownhead.server.ops.processes.loop_turns import turns_of
from crownhead.server.ops.processes.unread import Unread

MAX_FILES = 1 << 20  # where the system sets no limit
TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n"
    b"content-type: text/plain\r\ncontent-length: 51\r\n\r\n"
    b"Your address has too many connections to the club.\n"
)
MAX_TARGET = 8_192  # bytes of an address with its query, as many as proxies commonly pass on
MAX_HEADERS = 100  # of a request: browsers send twenty, and proxies add a few
MAX_PIECES = 128  # of a body: each costs the same, a byte in a chunk of its own or a full packet
MAX_LARGE_PIECES = 4_096  # of a body whose pieces have `LARGE` bytes on average, as packets have
LARGE = 256
SLICE = 1 << 16  # bytes: of a longer answer no more is written at once
READ = 1 << 14  # bytes that are read at once, and so the most that is held of further requests
UNREAD = 1 << 16  # bytes that the system may receive before they are read
UNSENT = 1 << 16  # bytes that the system takes beyond what is on its way to the client

_LENGTHS = {b"content-length", b"transfer-encoding"}
_END_OF_HEADERS = re.compile(rb"\n\r?\n")


class _CountingConnection(h11.Connection):
    """A connection that refuses too many headers, a long address, a body of too many pieces or two lengths.

    None of them is parsed.
    """

    _pieces = _bytes = 0

    def next_event(self) -> Any:
        """The next event; raises ``h11.RemoteProtocolError``."""
        if self.their_state is h11.IDLE:
            lines = _END_OF_HEADERS.split(self.trailing_data[0], 1)[0].count(b"\n")
            if lines > MAX_HEADERS:
                raise h11.RemoteProtocolError("the request has too many headers")
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = self._bytes = 0
            if len(event.target) > MAX_TARGET:
                raise h11.RemoteProtocolError("the address is too long")
            if {name for name, _ in event.headers} >= _LENGTHS:  # RFC 9112, 6.3: of a request in a request
                raise h11.RemoteProtocolError("the body has two lengths")
        elif isinstance(event, h11.Data):
            self._pieces += 1
            self._bytes += len(event.data)
            most = MAX_LARGE_PIECES if self._bytes >= LARGE * self._pieces else MAX_PIECES
            if self._pieces > most:
                raise h11.RemoteProtocolError("the body comes in too many pieces")
        return event


def most_of_a_household() -> int:
    """Connections that the addresses of a household may have at once; 0 for any number, as behind a proxy."""
    most: int = settings.CONNECTIONS_PER_ADDRESS
    return 0 if settings.PROXIES else most


class TimedProtocol(H11Protocol):
    """Uvicorn's protocol, with a limit for the time that the client takes where uvicorn waits for ever."""

    headers_within: ClassVar[float] = 10.0
    """Seconds from the connection, or from the first byte of a further request, to the end of the headers."""

    read_within: ClassVar[float] = 30.0
    """Seconds for which a client may leave unread what it was sent, once that fills the buffers."""

    most_per_address: ClassVar[int] = 0
    """Connections that the addresses of a household may have at once; 0: any number, as behind a proxy."""

    open_connections: ClassVar[SharedCounts] = SharedCounts()
    """How many there are of each household, in all processes."""

    unread: ClassVar[Unread] = Unread()
    """What the clients of this process leave unread."""

    _household = "unknown"
    _counts = False  # among the open connections
    _is_in_line = False
    _reader: str | None = None  # the household that leaves unread what it was sent
    _held = 0  # bytes of a message that waits until the client has read what was written before
    _until_headers: asyncio.TimerHandle | None = None
    _until_read: asyncio.TimerHandle | None = None

    def __init__(self, config: uvicorn.Config, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        longest = config.h11_max_incomplete_event_size or DEFAULT_MAX_INCOMPLETE_EVENT_SIZE
        self.conn = _CountingConnection(h11.SERVER, longest)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request; refuse the connection of an address that has too many."""
        self._household = household((get_remote_addr(transport) or ("unknown", 0))[0])
        if self.most_per_address:
            if self.open_connections.of(self._household) >= self.most_per_address:
                transport.write(TOO_MANY)
                transport.close()
                return
            self._counts = True
            self.open_connections.add(self._household, 1)
        super().connection_made(transport)
        _hold_little(transport)
        self.app = self._answer
        self._until_headers = self.loop.call_later(self.headers_within, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Expect the rest of a request, unless one is being answered."""
        super().data_received(data)
        self._expect_request()

    def handle_events(self) -> None:
        """Begin with what has come when it is this household's turn, and take nothing more until then."""
        if self.conn.trailing_data[0] and not self._is_in_line:
            self._is_in_line = True
            turns_of(self.loop).take(self._household, self._take_turn)
        if self._is_in_line:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what has come; an answer that has begun breaks off."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()
        if self._is_answering:  # in vain
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def on_response_complete(self) -> None:
        """Expect the rest of the request, or of the next one, if part of it has come already."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]:
            self._expect_request()

    def pause_writing(self) -> None:
        """Expect the client to read."""
        super().pause_writing()
        self._until_read = self.loop.call_later(self.read_within, self.transport.abort)
        self._reader = calling_household(self.scope, proxies=settings.PROXIES)
        self._note_unread()

    def resume_writing(self) -> None:
        """The client has read everything."""
        super().resume_writing()
        self._forget_read()
        if self.flow.read_paused:
            self.loop.call_soon(self._go_on)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._forget_headers()
        self._forget_read()
        self._leave_household()
        if self.transport is not None:  # it was not refused
            super().connection_lost(exc)
            self.app = self.config.loaded_app  # it holds the connection no longer

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        await self.config.loaded_app(scope, receive, partial(self._send, send))

    async def _send(self, send: Any, message: MutableMapping[str, Any]) -> None:
        """Write a message of the application; a long one in slices, as the client reads them."""
        body = message.get("body", b"")
        if isinstance(body, bytes) and (len(body) > SLICE or self.flow.write_paused):
            self._held = len(body)  # of a view others hold what it shows
            self._note_unread()
        try:
            if len(body) <= SLICE:
                await send(message)
                return
            rest = memoryview(body)
            while rest:
                part, rest = rest[:SLICE], rest[SLICE:]
                is_followed = bool(rest) or message.get("more_body", False)
                await send({**message, "body": part, "more_body": is_followed})
        finally:
            self._held = 0
            self._note_unread()

    def _note_unread(self) -> None:
        if self._reader is not None:
            size = self.transport.get_write_buffer_size() + self._held
            self.unread.note(self._reader, self.transport, size)

    def _go_on(self) -> None:
        """Begin with the further request that has come while the client was reading."""
        if not (self._is_answering or self.flow.write_paused or self.transport.is_closing()):
            self.flow.resume_reading()
            self.handle_events()

    def _take_turn(self) -> None:
        """Begin with what has come; with a further request once the client has read the answer before."""
        self._is_in_line = False
        if self.transport.is_closing():
            return
        if self.flow.write_paused and not self._is_answering:
            self._wait()
            return
        self.flow.resume_reading()
        super().handle_events()
        self._expect_request()

    def _wait(self) -> None:
        self._unset_keepalive_if_required()
        self.flow.pause_reading()
        self._expect_request()

    def _leave_household(self) -> None:
        if self._counts:
            self.open_connections.add(self._household, -1)
            self._counts = False

    def _expect_request(self) -> None:
        """End the connection unless all headers of a request come in time, whatever else comes."""
        if self._is_answering:
            self._forget_headers()
        elif self._until_headers is None and not self.flow.write_paused:
            self._until_headers = self.loop.call_later(self.headers_within, self.transport.abort)

    def _forget_headers(self) -> None:
        if self._until_headers is not None:
            self._until_headers.cancel()
            self._until_headers = None

    def _forget_read(self) -> None:
        if self._until_read is not None:
            self._until_read.cancel()
            self._until_read = None
        if self._reader is not None:
            self.unread.forget(self._reader, self.transport)
            self._reader = None


def _hold_little(transport: asyncio.Transport) -> None:
    """Keep little of what has come and waits, and little of what was sent before it counts as unread."""
    transport.set_write_buffer_limits(high=0)
    if hasattr(transport, "max_size"):  # of asyncio's own event loop, which would read 256 kB
        transport.max_size = READ
    with suppress(OSError):  # the client has left, or it is no TCP
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # of Linux and macOS
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)


def allow_many_files() -> int | None:
    """Raise the limit of open files, of which each connection is one, as far as the system allows.

    Returns the limit; None where there is none.
    """
    try:
        import resource
    except ImportError:  # Windows, where files are not limited like this
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # some systems name a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft
