"""SQLite's side of a backup: a copy by its online backup, and putting one in its place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crownhead.server.ops.starting.first_start import CommandError

DATABASE = "db.sqlite3"
FILES = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")
COUNTED = {
    "accounts_user": "accounts",
    "play_game": "games",
    "ratings_change": "rating changes",
    "competitions_tournament": "tournaments",
}
STILL_RUNNING = timedelta(seconds=15)


def copy(source: Path, target: Path) -> dict[str, int]:
    """A copy of the database as it is now, while others write; how many rows it has of a few tables.

    All pages are read in one step: in WAL mode that is one moment, and holds up no writer.
    """
    if not source.is_file():
        raise CommandError(f"There is no database at {source}.")
    try:
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
            read.backup(written)
            written.execute("PRAGMA journal_mode = DELETE")
        return expect_sound(target)
    except sqlite3.Error as error:
        raise CommandError(f"The database {source} cannot be copied: {error}.") from error


def expect_sound(path: Path) -> dict[str, int]:
    """The number of rows of a few tables; raises ``CommandError`` if the database is damaged."""
    try:
        with closing(sqlite3.connect(path)) as database:
            (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise CommandError(f"The database is damaged: {found}.")
            known = {
                name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            return {
                name: database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]  # nosec B608 # ours
                for name in COUNTED
                if name in known
            }
    except sqlite3.DatabaseError as error:
        raise CommandError(f"The database is damaged: {error}.") from error


def is_served(path: Path, now: datetime) -> bool:
    """Whether somebody has given a sign of life in this database just now."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            row = database.execute("SELECT at FROM play_heartbeat").fetchone()
    except sqlite3.Error:
        return False
    return row is not None and abs(now - datetime.fromisoformat(row[0]).replace(tzinfo=UTC)) < STILL_RUNNING
