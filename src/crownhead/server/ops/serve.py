"""`crownhead serve` and `crownhead web`: the web server, with or without background work."""

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
from crownhead.server.ops.connections import TimedProtocol, allow_many_files
from crownhead.server.ops.first_start import CommandError
from crownhead.server.ops.sweeper import Sweeper, all_jobs
from crownhead.server.ops.task_process import TaskProcess

STOP_WITHIN = 8  # seconds that running requests get to finish when the server stops


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; raises `CommandError` saying what to do."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise CommandError(
            f"This machine has no address {host!r}. Use --host 127.0.0.1, or --host 0.0.0.0 for all."
        ) from error
    family, kind, protocol, _, address = addresses[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise CommandError(_bind_failure(error, host=host, port=port)) from error
    return listening


def names_for(host: str) -> list[str]:
    """The host names to answer to, given the address that the server listens on."""
    with suppress(ValueError):
        if not ipaddress.ip_address(host or "0.0.0.0").is_unspecified:
            return [f"[{host}]" if ":" in host else host]
        return _own_addresses()
    return [host]


def serve(listening: socket.socket, *, host: str) -> None:
    """Serve pages until told to stop, and run the jobs and tasks of the site as well."""
    settings.SERVED_AT = _url(host, listening.getsockname()[1]).rstrip("/")
    tasks = TaskProcess(settings.DATA)
    tasks.start_on_demand()
    sweeper = Sweeper((*all_jobs(), Job("tasks", timedelta(seconds=1), tasks.ensure_running)))
    sweeper.start()
    try:
        serve_pages(listening, host=host)
    finally:
        sweeper.stop()
        tasks.stop()


def serve_pages(listening: socket.socket, *, host: str) -> None:
    """Serve pages, API and event stream only; workers run elsewhere."""
    settings.ALLOWED_HOSTS += names_for(host)
    files = allow_many_files()
    if files is not None:  # the other half is for pages and the database
        settings.STREAMS = min(settings.STREAMS, files // 2)
    _Server(import_string(settings.ASGI_APPLICATION), listening, host=host).run(sockets=[listening])


def server_config(application: Any) -> uvicorn.Config:
    """How uvicorn serves the site. Behind a proxy all connections are the proxy's, and not limited."""

    class Protocol(TimedProtocol):
        most_per_address = 0 if settings.PROXIES else settings.CONNECTIONS_PER_ADDRESS

    return uvicorn.Config(
        application,
        http=Protocol,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # which proxies are trusted is a setting: see core.http
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=STOP_WITHIN,
    )


class _Server(uvicorn.Server):
    """Uvicorn that prints its address and ends the event streams when it stops."""

    def __init__(self, application: Any, listening: socket.socket, *, host: str) -> None:
        self._application, self._host, self._port = application, host, listening.getsockname()[1]
        super().__init__(server_config(application))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then print the address."""
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Crownhead is running at {_url(self._host, self._port)}\n")
            sys.stdout.write(f"Data folder: {settings.DATA}. Press Ctrl+C to stop.\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, which never end by themselves, then everything else."""
        self._application.close_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop; immediately on a second Ctrl+C."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def _bind_failure(error: OSError, *, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is already in use. Choose another one, such as --port {port % 65535 + 1}."
    if error.errno == errno.EACCES:
        return f"Port {port} needs root privileges. Choose one above 1023, such as --port 8000."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine has no address {host}. Use --host 127.0.0.1, or --host 0.0.0.0 for all."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."


def _url(host: str, port: int) -> str:
    if settings.PUBLIC_ADDRESS:
        return f"{settings.PUBLIC_ADDRESS}/"
    name = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _own_addresses() -> list[str]:
    addresses = set()
    with suppress(OSError):
        addresses |= {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the outgoing address
        addresses.add(probe.getsockname()[0])
    return [f"[{address.partition('%')[0]}]" if ":" in address else address for address in sorted(addresses)]
