"""A proxy before the club that loses and doubles what passes, or goes on with another host."""

from __future__ import annotations

import http.client
import random
import socket
import socketserver
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

from tests.faults.storm import AWAY

ATTEMPTS = 100
PAUSE = 0.2  # seconds between two questions whether a host is ready


class Proxy(socketserver.ThreadingTCPServer):
    """Passes requests on to the ports of hosts; close it with `stop`.

    Counts what was lost and doubled, and what a host left unanswered or failed to answer.
    ``loses`` and ``doubles``: how many of hundred answers are lost, and of requests are sent twice.
    """

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, ports: Sequence[int], *, seed: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.ready = list(ports)
        self.loses = self.doubles = 0
        self.dice = random.Random(seed)
        self.lost = self.doubled = self.unanswered = 0
        self._ports, self._over = tuple(ports), threading.Event()
        for work in (self.serve_forever, self._look):
            threading.Thread(target=work, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def stop(self) -> None:
        """Listen no more."""
        self._over.set()
        self.shutdown()
        self.server_close()

    def connect(self) -> socket.socket:
        """A connection to a host that is ready; nothing has been sent there yet, so another may be tried."""
        for _ in range(ATTEMPTS):
            for port in self.dice.sample(self.ready, len(self.ready)):
                with suppress(OSError):
                    return socket.create_connection(("127.0.0.1", port), timeout=30)
            self._over.wait(PAUSE)
        raise OSError("no host is ready")

    def _look(self) -> None:
        """Keep in mind which hosts are ready."""
        while not self._over.wait(PAUSE):
            self.ready = [port for port in self._ports if len(self._ports) == 1 or _is_ready(port)]


class _Handler(socketserver.BaseRequestHandler):
    """One connection of a client, which asks for one thing."""

    def handle(self) -> None:
        """Pass on a request and its answer, or lose or double them."""
        proxy = cast("Proxy", self.server)
        with suppress(OSError):
            request = _whole_request(self.request)
            if proxy.dice.randrange(100) < proxy.doubles and not request.startswith(b"GET"):
                proxy.doubled += 1
                _ask(proxy, request, None)
            is_lost = proxy.dice.randrange(100) < proxy.loses
            proxy.lost += is_lost
            _ask(proxy, request, None if is_lost else self.request)


def _ask(proxy: Proxy, request: bytes, client: socket.socket | None) -> None:
    """Send a request; the answer goes to the client, or nowhere."""
    with proxy.connect() as host:
        host.sendall(request)
        piece = host.recv(1 << 16)
        proxy.unanswered += not piece or piece.startswith(b"HTTP/1.1 5")
        while piece:
            if client is not None:
                client.sendall(piece)
            elif b"text/event-stream" in piece:
                return  # it would never end
            piece = host.recv(1 << 16)


def _whole_request(client: socket.socket) -> bytes:
    """A request of which all has arrived; it asks for the connection to be closed afterwards."""
    request = b""
    while b"\r\n\r\n" not in request:
        piece = client.recv(1 << 16)
        if not piece:
            raise OSError("no request came")
        request += piece
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    lengths = [int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")]
    while len(body) < sum(lengths):
        body += client.recv(1 << 16)
    return b"\r\n".join([*lines, b"Connection: close", b"", body])


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except AWAY:
        return False
    finally:
        connection.close()
