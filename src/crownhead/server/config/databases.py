"""The database of a club: SQLite in its data folder, or PostgreSQL at a URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from crownhead.server.core.queries.urls import postgresql_at

MAX_CONNECTIONS = 20  # of one process
_GIVE_UP_AFTER = 1  # seconds; a pool that waits longer between its tries is late when the database is back
_PROBES = 3  # unanswered ones after which a peer is gone

_SQLITE_OPTIONS = {
    "timeout": 20,
    # A club has some hundred statements, and SQLite plans one longer than it runs it; Python keeps 128.
    "cached_statements": 512,
    # A writer takes the lock at the start, so that it waits for it instead of failing half-way.
    "transaction_mode": "IMMEDIATE",
    # FULL: an acknowledged move survives a power cut too, at no measurable cost.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
}


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds for which nothing waits longer than for a database server: of each host of the URL, if several.

    ``connect``: to be let in. ``silence``: for a sign of life from the other end of a connection, on either
    side. ``statement``: for a statement, and for the next one of a transaction; 0 for ever.
    """

    connect: int = 5
    silence: int = 10
    statement: int = 60

    def of_client(self) -> dict[str, int]:
        """What libpq is told, so that a connection on which nothing arrives any more ends here."""
        probe = max(1, self.silence // (2 * _PROBES))
        return {
            "connect_timeout": self.connect,
            "keepalives_idle": max(1, self.silence // 2),
            "keepalives_interval": probe,
            "keepalives_count": _PROBES,
            "tcp_user_timeout": 1000 * self.silence,
        }

    def of_server(self) -> str:
        """What the server is told, so that it frees the locks of a client that is gone or stuck."""
        client = self.of_client()
        parameters = {
            "tcp_keepalives_idle": client["keepalives_idle"],
            "tcp_keepalives_interval": client["keepalives_interval"],
            "tcp_keepalives_count": client["keepalives_count"],
            "tcp_user_timeout": client["tcp_user_timeout"],
            "statement_timeout": 1000 * self.statement,
            "idle_in_transaction_session_timeout": 1000 * self.statement,
        }
        return " ".join(f"-c {name}={value}" for name, value in parameters.items())


class _Shared(TypedDict):
    """A pool of connections that the threads share; each request borrows one."""

    pool: dict[str, int]


def database(
    url: str,
    folder: Path,
    *,
    timeouts: Timeouts | None = None,
    is_pooler: bool = False,
    is_replica: bool = False,
) -> dict[str, Any]:
    """Django's settings for the database at ``url``, or for a file in the folder without one.

    ``is_pooler``: a pooler answers there, whose connections change their server with each transaction.
    ``is_replica``: it is only read from, and any of several hosts will do.
    """
    if not url:
        return {
            "ENGINE": "crownhead.server.config.sqlite3",
            "NAME": folder / "db.sqlite3",
            "CONN_MAX_AGE": None,
            "OPTIONS": dict(_SQLITE_OPTIONS),
            "TEST": {"NAME": ":memory:"},  # what tools take for granted of Django's own backend alone
        }
    timeouts = timeouts or Timeouts()
    settings = postgresql_at(url)
    hosts = settings["HOST"].count(",") + 1
    shared = _Shared(
        pool={
            "min_size": 0,
            "max_size": MAX_CONNECTIONS,
            "timeout": timeouts.connect * hosts,
            "reconnect_timeout": _GIVE_UP_AFTER,
        }
    )
    options = {**shared, **timeouts.of_client(), **settings.get("OPTIONS", {})}
    parameters = timeouts.of_server()
    if is_replica:
        parameters = f"{parameters} -c default_transaction_read_only=on"
        options |= {"target_session_attrs": "any"} if hosts > 1 else {}
    if not is_pooler:  # it refuses what it cannot keep for one client
        options["options"] = " ".join(filter(None, [parameters, options.get("options")]))
    return settings | {
        "ENGINE": "crownhead.server.config.postgresql",
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": is_pooler,
        "OPTIONS": options,
    }


def connection_pool(database: dict[str, Any]) -> dict[str, int] | None:
    """The settings of the pool of a database, which may be changed until it is used; None without one."""
    (key,) = _Shared.__required_keys__
    found: dict[str, int] | None = database["OPTIONS"].get(key)
    return found


def page_threads(engine: str) -> int:
    """The number of requests handled at once.

    SQLite takes one writer at a time, and more threads only collide (decision 7).
    """
    return 1 if engine.endswith("sqlite3") else 8
