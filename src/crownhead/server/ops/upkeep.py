"""Updates the data folder to the current code: migrations and static files."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import DatabaseError, connection

from crownhead.server.core import static
from crownhead.server.ops.first_start import CommandError
from crownhead.server.ops.new_database import create_tables

_MARK = ".collected"  # holds the fingerprint of the sources that were collected
_MIGRATION_LOCK = 0x63726F776E  # any number that only we use
_ADVICE = {
    "sqlite": "Restore a backup, or choose another folder with --data.",
    "postgresql": "Check that it is running and that DATABASE_URL is right.",
}


def migrate() -> None:
    """Create or migrate the tables; raises `CommandError` if the database cannot be used."""
    try:
        with _migration_lock():
            create_tables(connection)
            call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise CommandError(
            f"The database {settings.DATABASES['default']['NAME']} cannot be used: {error}. "
            f"{_ADVICE[connection.vendor]}"
        ) from error


@contextmanager
def _migration_lock() -> Iterator[None]:
    """Let one process migrate while others wait; SQLite locks its file itself."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATION_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATION_LOCK])


def collect_static_files() -> None:
    """Collect the static files under hashed names, unless nothing has changed since the last time."""
    mark = settings.STATIC_ROOT / _MARK
    fingerprint = _fingerprint()
    if mark.is_file() and mark.read_text("ascii") == fingerprint:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(fingerprint, "ascii")


def _fingerprint() -> str:
    """Changes with the name, size or date of any static file, and with the code that hashes them."""
    digest = hashlib.sha256(django.__version__.encode() + Path(static.__file__).read_bytes())
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            stat = Path(storage.path(name)).stat()
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
