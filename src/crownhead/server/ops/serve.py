"""`crownhead serve` and `crownhead web`: the web server, with or without the club's other work beside it."""

import errno
import ipaddress
import signal
import socket
import sys
from contextlib import suppress
from datetime import timedelta
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings
from django.utils.module_loading import import_string

from crownhead.server.core.jobs import Job
from crownhead.server.ops.first_start import Unusable
from crownhead.server.ops.sweeper import Sweeper, all_jobs
from crownhead.server.ops.task_child import TaskChild

STOP_WITHIN = 8  # seconds that requests in hand get when the server is told to stop


def bind(host: str, port: int) -> socket.socket:
    """A place to listen at; raises `Unusable` with what to do about it."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise Unusable(
            f"There is no address {host!r} on this machine. Use --host 127.0.0.1, or --host 0.0.0.0 for all."
        ) from error
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise Unusable(_why_not(error, host=host, port=port)) from error
    return listening


def names_for(host: str) -> list[str]:
    """Under which names a browser may ask for the club, given where it listens."""
    with suppress(ValueError):
        if not ipaddress.ip_address(host or "0.0.0.0").is_unspecified:
            return [f"[{host}]" if ":" in host else host]
        return _own_addresses()
    return [host]


def serve(listening: socket.socket, *, host: str) -> None:
    """Serve until told to stop, with the jobs and the tasks of the club beside the pages."""
    settings.SERVED_AT = _url(host, listening.getsockname()[1]).rstrip("/")
    tasks = TaskChild(settings.DATA)
    tasks.listen()
    sweeper = Sweeper((*all_jobs(), Job("tasks", timedelta(seconds=1), tasks.attend)))
    sweeper.start()
    try:
        serve_pages(listening, host=host)
    finally:
        sweeper.stop()
        tasks.stop()


def serve_pages(listening: socket.socket, *, host: str) -> None:
    """Serve the pages, the API and the event stream alone; workers run elsewhere."""
    settings.ALLOWED_HOSTS += names_for(host)
    _Server(import_string(settings.ASGI_APPLICATION), listening, host=host).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Uvicorn, which says where it is, and ends the event streams when it stops."""

    def __init__(self, application: Any, listening: socket.socket, *, host: str) -> None:
        self._application, self._host, self._port = application, host, listening.getsockname()[1]
        super().__init__(
            uvicorn.Config(
                application,
                log_config=None,
                access_log=False,
                proxy_headers=False,  # who may be believed is a setting: see core.http
                server_header=False,
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=STOP_WITHIN,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then say so."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Crownhead is at {_url(self._host, self._port)}\n")
            sys.stdout.write(f"Its files are in {settings.DATA}. Stop it with Ctrl+C.\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would never end by themselves, then the rest."""
        self._application.close_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop; at once when Ctrl+C comes a second time."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def _why_not(error: OSError, *, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use. Stop what uses it, or choose another, such as --port {port % 65535 + 1}."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} is for the administrator alone. Choose one above 1023, such as --port 8000."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine. Use --host 127.0.0.1, or --host 0.0.0.0 for all."
    return f"The club cannot listen on {host}, port {port}: {error.strerror}."


def _url(host: str, port: int) -> str:
    if settings.PUBLIC_ADDRESS:
        return f"{settings.PUBLIC_ADDRESS}/"
    shown = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _own_addresses() -> list[str]:
    found = set()
    with suppress(OSError):
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address would be used to go out
        found.add(probe.getsockname()[0])
    return [f"[{address.partition('%')[0]}]" if ":" in address else address for address in sorted(found)]
