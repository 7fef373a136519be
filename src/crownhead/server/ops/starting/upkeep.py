"""Updates the data folder to the current code: migrations and static files.

Static files are compressed when they are collected, which takes some seconds. ``prepare_static_files`` does
so once for an installation: the first start of a club on it copies them.
"""

import hashlib
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection

from crownhead.server.core.assets import bundles, static
from crownhead.server.core.queries.direct import direct_connection, unhurried
from crownhead.server.ops.starting.current_database import is_current
from crownhead.server.ops.starting.first_start import CommandError
from crownhead.server.ops.starting.new_database import create_tables

PREPARED = Path(sysconfig.get_path("data")) / "share" / "crownhead" / "static"
_MARK = ".collected"  # holds the fingerprint of the sources that were collected
_MIGRATION_LOCK = 0x63726F776E  # any number that only we use
_PAUSE = 1.0  # seconds between two tries to reach the database
_ADVICE = {
    "sqlite": "Restore a backup, or choose another folder with --data.",
    "postgresql": "Check that it is running and that DATABASE_URL is right.",
}


def migrate() -> bool:
    """Create or migrate the tables; whether the site is new. Raises `CommandError` without a database."""
    try:
        wait_for_database()
        with _migration_lock(), unhurried():
            is_new = create_tables(connection)
            if not is_current(connection):
                call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise CommandError(
            f"The database {settings.DATABASES['default']['NAME']} cannot be used: {error}. "
            f"{_ADVICE[connection.vendor]}"
        ) from error
    return is_new


def wait_for_database(*, pause: Callable[[float], object] = time.sleep) -> None:
    """Wait for a server that has not started yet, and say so; raises what it raises in the end."""
    if connection.vendor == "sqlite":
        return
    until = time.monotonic() + settings.DATABASE_WAIT
    has_announced = False
    while True:
        try:
            connection.ensure_connection()
        except OperationalError:
            if time.monotonic() + _PAUSE > until:
                raise
        else:
            return
        if not has_announced:
            has_announced = True
            sys.stderr.write(f"Waiting up to {settings.DATABASE_WAIT} seconds for the database.\n")
            sys.stderr.flush()
        pause(_PAUSE)


@contextmanager
def _migration_lock() -> Iterator[None]:
    """Let one process migrate while others wait; SQLite locks its file itself."""
    if connection.vendor != "postgresql":
        yield
        return
    session = direct_connection()
    try:
        with session.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")  # others may migrate for long
            cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATION_LOCK])
        yield
    finally:
        session.close()  # which ends the lock


def collect_static_files() -> None:
    """Collect the static files under hashed names, unless nothing has changed since the last time."""
    fingerprint = _fingerprint()
    if _is_of(settings.STATIC_ROOT, fingerprint):
        return
    if _is_of(PREPARED, fingerprint):
        _copy(PREPARED, settings.STATIC_ROOT)
    else:
        call_command("collectstatic", interactive=False, verbosity=0)
    (settings.STATIC_ROOT / _MARK).write_text(fingerprint, "ascii")


def prepare_static_files() -> bool:
    """Collect them for all clubs of this installation; False if they are there. Raises ``OSError``."""
    if _is_of(PREPARED, _fingerprint()):
        return False
    collect_static_files()
    shutil.rmtree(PREPARED, ignore_errors=True)
    _copy(settings.STATIC_ROOT, PREPARED)
    shutil.copyfile(settings.STATIC_ROOT / _MARK, PREPARED / _MARK)
    for path in (PREPARED.parent, PREPARED, *PREPARED.rglob("*")):  # for whichever user runs a club
        path.chmod(0o755 if path.is_dir() else 0o644)
    return True


def _is_of(folder: Path, fingerprint: str) -> bool:
    mark = folder / _MARK
    return mark.is_file() and mark.read_text("ascii") == fingerprint


def _copy(source: Path, target: Path) -> None:
    """Copy all but the mark, which says that the rest is there."""
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(_MARK))


def _fingerprint() -> str:
    """Changes with the name, size or date of any static file, and with the code that hashes them."""
    code = Path(bundles.__file__).read_bytes() + Path(static.__file__).read_bytes()
    digest = hashlib.sha256(django.__version__.encode() + code)
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            stat = Path(storage.path(name)).stat()
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
