"""A connection between two programs: messages of text, each ended by a zero byte."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from crownhead.engine.dxp.messages import LONGEST, ConnectionClosed, DxpError, Message, read

PORT = 27531
_LAST_PORT = 65535
_END = b"\0"


class Link:
    """Sends and receives messages."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""

    def send(self, message: Message) -> None:
        """Send a message; raises ``DxpError`` where the other program has closed the connection."""
        try:
            self._connection.sendall(str(message).encode("ascii", "replace") + _END)
        except OSError as error:
            raise ConnectionClosed("expected an open connection, the other program has hung up") from error

    def receive(self, timeout: float | None = None) -> Message:
        """The next message; raises ``DxpError`` where none comes in time, or the connection is closed."""
        self._connection.settimeout(timeout)
        while _END not in self._buffer:
            if len(self._buffer) > LONGEST:
                raise DxpError(f"expected a message of at most {LONGEST} characters")
            try:
                part = self._connection.recv(4096)
            except TimeoutError as error:
                raise DxpError("expected a message in time, none came") from error
            except OSError as error:
                raise ConnectionClosed("expected a message, the connection is lost") from error
            if not part:
                raise ConnectionClosed("expected a message, the other program has hung up")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(_END)
        return read(text.decode("ascii", "replace"))

    def close(self) -> None:
        """Close the connection; a ``receive`` that waits in another thread raises ``ConnectionClosed``."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            self._connection.close()


@contextmanager
def connected(host: str, port: int = PORT, *, timeout: float = 10.0) -> Iterator[Link]:
    """A connection to a program that listens; raises ``DxpError``."""
    link = linked_to(host, port, timeout=timeout)
    try:
        yield link
    finally:
        link.close()


def linked_to(host: str, port: int = PORT, *, timeout: float = 10.0) -> Link:
    """A connection that the caller closes; raises ``DxpError``."""
    if not 1 <= port <= _LAST_PORT:
        raise DxpError(f"expected a port from 1 to {_LAST_PORT}, got {port}")
    try:
        return Link(socket.create_connection((host, port), timeout=timeout))
    except OSError as error:
        raise DxpError(f"expected a program at {host}, port {port}: {error.strerror or error}") from error


@contextmanager
def listening(host: str = "127.0.0.1", port: int = PORT) -> Iterator[socket.socket]:
    """A socket that others can connect to, one at a time: see ``called``; raises ``DxpError``."""
    try:
        server = socket.create_server((host, port))
    except OSError as error:
        raise DxpError(f"expected to listen at {host}, port {port}: {error.strerror or error}") from error
    with server:
        yield server


@contextmanager
def called(server: socket.socket) -> Iterator[Link]:
    """The connection of the next program."""
    connection, _address = server.accept()
    link = Link(connection)
    try:
        yield link
    finally:
        link.close()
