"""PostgreSQL's side of a backup: `pg_dump` and `pg_restore`, which read one moment while others write."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from crownhead.server.ops.starting.first_start import CommandError

_KEYWORDS = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "NAME": "dbname"}
_OPTIONS = {  # of a URL
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
_VARIABLES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}


def dump(settings: dict[str, Any], target: Path) -> None:
    """Write the database to a file in the custom format, and read that again; raises ``CommandError``."""
    _run(settings, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")
    expect_sound(settings, target)


def expect_sound(settings: dict[str, Any], path: Path) -> None:
    """Read all of a dump; raises ``CommandError`` if it is damaged."""
    _run(settings, "pg_restore", "--no-owner", f"--file={os.devnull}", str(path))


def restore(settings: dict[str, Any], path: Path) -> None:
    """Replace the tables of the database by those of a dump, all or none of them."""
    _run(
        settings,
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        f"--dbname={settings['NAME']}",
        str(path),
    )


def has_tables(settings: dict[str, Any]) -> bool:
    """Whether the database holds anything; raises ``CommandError`` if it cannot be reached."""
    import psycopg

    known = {key: settings[name] for name, key in _KEYWORDS.items() if settings.get(name)}
    known |= {name: value for name, value in settings.get("OPTIONS", {}).items() if name in _OPTIONS}
    try:
        with psycopg.connect(**known) as connection:
            row = connection.execute(
                "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema())"
            ).fetchone()
    except psycopg.Error as error:
        raise CommandError(f"The database {settings['NAME']} cannot be reached: {error}") from error
    return row is not None and bool(row[0])


def _run(settings: dict[str, Any], program: str, *arguments: str) -> None:
    """Run a program; what it needs to connect is in its environment, where no other user sees it."""
    own = {key: str(settings[name]) for name, key in _VARIABLES.items() if settings.get(name)}
    options = settings.get("OPTIONS", {})
    own |= {key: str(options[name]) for name, key in _OPTIONS.items() if name in options}
    try:
        done = subprocess.run(
            [program, *arguments], env={**os.environ, **own}, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise CommandError(
            f"{program} is missing. Install the client programs of PostgreSQL, in Debian postgresql-client."
        ) from error
    if done.returncode:
        raise CommandError(f"{program} failed: {done.stderr.strip()}")
