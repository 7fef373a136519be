"""`crownhead serve` and `crownhead web`: the web server, with or without background work."""

import errno
import ipaddress
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from types import FrameType
from typing import Any
from wsgiref.util import setup_testing_defaults

import uvicorn
from django.conf import settings
from django.db import connections
from django.urls import URLResolver, get_resolver
from django.utils.module_loading import import_string

from crownhead.server.core.jobs import Job
from crownhead.server.core.monitoring import metrics
from crownhead.server.core.processes import shared_counts
from crownhead.server.core.processes.neighbours import Neighbours
from crownhead.server.ops.processes import leaving
from crownhead.server.ops.processes.connections import TimedProtocol, allow_many_files, most_of_a_household
from crownhead.server.ops.processes.loading import loading
from crownhead.server.ops.processes.supervision import Processes, Work
from crownhead.server.ops.processes.sweeper import Sweeper, all_jobs
from crownhead.server.ops.processes.task_process import TaskProcess, call_for_tasks
from crownhead.server.ops.processes.timekeeper import Timekeeper, outages_are_over
from crownhead.server.ops.starting.first_start import CommandError

_FIRST_PASSED = 3  # SD_LISTEN_FDS_START
VANISHED_AFTER = 30  # seconds for which a client may confirm nothing of what it was sent
STOP_WITHIN = 8  # seconds that running requests get to finish when the server stops
_MAX_CONNECTIONS = 80  # to a database server, of all processes; it allows a hundred by itself
_FEWEST_CONNECTIONS = 3  # of one process: two threads of jobs and the timekeeper


def bind(host: str, port: int) -> socket.socket:
    """A listening socket, that of systemd if it passes one; raises `CommandError` saying what to do."""
    passed = _passed_socket()
    if passed is not None:
        return _noticing_who_vanishes(passed)
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
    return _noticing_who_vanishes(listening)


def _noticing_who_vanishes(listening: socket.socket) -> socket.socket:
    """The socket, whose connections end soon when nothing arrives there any more.

    Linux would send again for a quarter of an hour, and all that time a stream counts for its reader.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * VANISHED_AFTER)
    return listening


def _passed_socket() -> socket.socket | None:
    """The socket that systemd holds for this process (sd_listen_fds(3)); it outlives a restart."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    return socket.socket(fileno=_FIRST_PASSED)


def names_for(host: str) -> list[str]:
    """The host names to answer to, given the address that the server listens on."""
    with suppress(ValueError):
        if not ipaddress.ip_address(host or "0.0.0.0").is_unspecified:
            return [f"[{host}]" if ":" in host else host]
        return _own_addresses()
    return [host]


def serve(listening: socket.socket, *, host: str, workers: int = 1) -> None:
    """Serve pages until told to stop, and run the jobs and tasks of the site as well."""
    _settle(listening, host=host, workers=workers)
    if workers == 1:
        neighbours = Neighbours(1)
        neighbours.settle(0)
        with _background(neighbours):
            _serve_here(listening, host=host)
    else:
        _serve_with(listening, host=host, workers=workers, jobs=True)


def serve_pages(listening: socket.socket, *, host: str, workers: int = 1) -> None:
    """Serve pages, API and event stream only; jobs and tasks run elsewhere."""
    _settle(listening, host=host, workers=workers)
    if workers == 1:
        _serve_here(listening, host=host)
    else:
        _serve_with(listening, host=host, workers=workers, jobs=False)


def _settle(listening: socket.socket, *, host: str, workers: int) -> None:
    """Settings that follow from where the site is served, and by how many processes."""
    settings.SERVED_AT = _url(host, listening.getsockname()[1]).rstrip("/")
    settings.ALLOWED_HOSTS += names_for(host)
    files = allow_many_files()
    if files is not None:  # the other half is for pages and the database
        settings.STREAMS = min(settings.STREAMS, files // 2)
    for pool in settings.CONNECTION_POOLS:
        pool["max_size"] = max(_FEWEST_CONNECTIONS, min(pool["max_size"], _MAX_CONNECTIONS // workers))
    _leave_database()


def _serve_here(listening: socket.socket, *, host: str, announced: bool = True) -> None:
    with loading():
        application = import_string(settings.ASGI_APPLICATION)
    timekeeper = Timekeeper(beats=True)
    timekeeper.start()
    try:
        _Server(application, listening, host=host, announced=announced).run(sockets=[listening])
    finally:
        timekeeper.stop()
        _leave_database()  # who closes SQLite last puts the journal away


def _serve_with(listening: socket.socket, *, host: str, workers: int, jobs: bool) -> None:
    """Serve by several processes; the jobs, if any, have one of their own."""
    neighbours = Neighbours(workers + jobs)
    listening.setblocking(False)  # several wait for a connection, and one gets it

    def pages(place: int, first: bool) -> None:
        neighbours.settle(place)
        shared_counts.settle(place, workers)
        call_for_tasks()
        _serve_here(listening, host=host, announced=first and place == 0)

    def background(_first: bool) -> None:
        neighbours.settle(workers)
        listening.close()
        stopping = threading.Event()
        signal.signal(signal.SIGTERM, lambda _number, _frame: stopping.set())
        timekeeper = Timekeeper(beats=False)
        timekeeper.start()
        with _background(neighbours):
            stopping.wait()
        timekeeper.stop()

    places = {f"pages {place}": place for place in range(workers)}
    works: dict[str, Work] = {name: partial(pages, place) for name, place in places.items()}
    if jobs:
        works["jobs"] = background
    with loading():  # once for all
        import_string(settings.ASGI_APPLICATION)
        _open_front_page()
        _load_urls()
    _leave_database()
    on_end = partial(_forget, neighbours, places)
    if not Processes(works, on_end=on_end, patience=settings.DRAIN_SECONDS).run():
        raise CommandError("The server could not start.")


def _forget(neighbours: Neighbours, places: Mapping[str, int], process: int, name: str) -> None:
    """Count no more what a process has left behind, however it ended, before another begins."""
    metrics.forget(process)
    if name in places:
        shared_counts.clear(places[name])
        neighbours.announce_end(places[name])


def _load_urls() -> None:
    """Load what a single process loads when a part of the site is first asked for."""
    for part in get_resolver().url_patterns:
        if isinstance(part, URLResolver):
            part.url_patterns  # noqa: B018 - is read once, and then kept


def _open_front_page() -> None:
    """Answer it once, so that the processes share what pages load at first."""
    environ: dict[str, Any] = {}
    setup_testing_defaults(environ)
    environ |= {"HTTP_HOST": settings.ALLOWED_HOSTS[-1], "wsgi.url_scheme": "https", "REMOTE_ADDR": ""}
    import_string(settings.WSGI_APPLICATION)(environ, lambda *_: None).close()


def _leave_database() -> None:
    """Close what is open: no connection outlives a fork, or stays among what is loaded."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):  # of PostgreSQL
            connection.close_pool()


@contextmanager
def _background(neighbours: Neighbours) -> Iterator[None]:
    """Run the jobs, and the tasks in a process of their own."""
    tasks = TaskProcess(settings.DATA, neighbours)
    tasks.start_on_demand()
    tasks.start_for_neighbours()
    sweeper = Sweeper(
        (*all_jobs(), Job("tasks", timedelta(seconds=1), tasks.ensure_running)),
        may_sweep=outages_are_over,
    )
    sweeper.start()
    try:
        yield
    finally:
        sweeper.stop()
        tasks.stop()


def server_config(application: Any) -> uvicorn.Config:
    """How uvicorn serves the site. Behind a proxy all connections are the proxy's, and not limited."""

    class Protocol(TimedProtocol):
        most_per_address = most_of_a_household()

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
    """Uvicorn that prints its address, if wanted, and ends the event streams when it stops."""

    def __init__(
        self, application: Any, listening: socket.socket, *, host: str, announced: bool = True
    ) -> None:
        self._application, self._host, self._port = application, host, listening.getsockname()[1]
        self._announced = announced
        self._leaves_at: float | None = None
        super().__init__(server_config(application))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then print the address."""
        await super().startup(sockets)
        if self.started and self._announced:
            sys.stdout.write(f"Crownhead is running at {_url(self._host, self._port)}\n")
            sys.stdout.write(f"Data folder: {settings.DATA}. Press Ctrl+C to stop.\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, which never end by themselves, then everything else."""
        self._application.close_streams()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Stop once proxies have noticed; at once on Ctrl+C, whatever is going on on a second one."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        if sig == signal.SIGINT or not settings.DRAIN_SECONDS:
            self.should_exit = True
        elif self._leaves_at is None:
            self._leaves_at = time.monotonic() + settings.DRAIN_SECONDS
            leaving.leave()
            self.config.encoded_headers.append((b"connection", b"close"))  # a proxy keeps none of its own

    async def on_tick(self, counter: int) -> bool:
        """Stop when the time to leave has come."""
        if self._leaves_at is not None and time.monotonic() >= self._leaves_at:
            self.should_exit = True
        return await super().on_tick(counter)


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
