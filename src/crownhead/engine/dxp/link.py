"""A connection between two programs: messages of text, each ended by a zero byte."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from crownhead.engine.dxp.messages import LONGEST, DxpError, HungUp, Message, read

PORT = 27531
_END = b"\0"


class Link:
    """Sends and receives messages; ``close`` hangs up."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""

    def send(self, message: Message) -> None:
        """Say it; raises ``DxpError`` where the other has hung up."""
        try:
            self._connection.sendall(str(message).encode("ascii", "replace") + _END)
        except OSError as error:
            raise HungUp("expected somebody at the other end, he has hung up") from error

    def receive(self, within: float | None = None) -> Message:
        """The next message; raises ``DxpError`` where none comes in time, or the other hangs up."""
        self._connection.settimeout(within)
        while _END not in self._rest:
            if len(self._rest) > LONGEST:
                raise DxpError(f"expected a message of at most {LONGEST} characters")
            try:
                part = self._connection.recv(4096)
            except TimeoutError as error:
                raise DxpError("expected a message in time, none came") from error
            except OSError as error:
                raise HungUp("expected a message, the connection is lost") from error
            if not part:
                raise HungUp("expected a message, the other has hung up")
            self._rest += part
        text, _, self._rest = self._rest.partition(_END)
        return read(text.decode("ascii", "replace"))

    def close(self) -> None:
        """Hang up."""
        with suppress(OSError):
            self._connection.close()


@contextmanager
def connected(host: str, port: int = PORT, *, within: float = 10.0) -> Iterator[Link]:
    """A connection to a program that listens; raises ``DxpError``."""
    try:
        connection = socket.create_connection((host, port), timeout=within)
    except OSError as error:
        raise DxpError(f"expected a program at {host}, port {port}: {error.strerror or error}") from error
    link = Link(connection)
    try:
        yield link
    finally:
        link.close()


@contextmanager
def listening(host: str = "127.0.0.1", port: int = PORT) -> Iterator[socket.socket]:
    """A place where others can call, one at a time: see ``called``; raises ``DxpError``."""
    try:
        place = socket.create_server((host, port))
    except OSError as error:
        raise DxpError(f"expected to listen at {host}, port {port}: {error.strerror or error}") from error
    with place:
        yield place


@contextmanager
def called(place: socket.socket) -> Iterator[Link]:
    """The next one who calls."""
    connection, _address = place.accept()
    link = Link(connection)
    try:
        yield link
    finally:
        link.close()
