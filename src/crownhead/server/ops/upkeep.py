"""Bringing what lies in the data folder up to date with the code."""

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
from crownhead.server.ops.first_start import Unusable

_MARK = ".collected"  # in the folder of the static files: what they were made from
_MIGRATION_LOCK = 0x63726F776E  # any number that is ours
_ADVICE = {
    "sqlite": "Put a backup in its place, or choose another folder with --data.",
    "postgresql": "Look whether it runs, and at the address in DATABASE_URL.",
}


def migrate() -> None:
    """Create or change the tables; raise `Unusable` where there is something else than a database."""
    try:
        with _alone():
            call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise Unusable(
            f"The database {settings.DATABASES['default']['NAME']} cannot be used: {error}. "
            f"{_ADVICE[connection.vendor]}"
        ) from error


@contextmanager
def _alone() -> Iterator[None]:
    """One process changes the tables, others that start with it wait; SQLite locks its file itself."""
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
    """Gather the static files under their hashed names, unless that was done with the very same files."""
    mark = settings.STATIC_ROOT / _MARK
    print_of_now = _fingerprint()
    if mark.is_file() and mark.read_text("ascii") == print_of_now:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(print_of_now, "ascii")


def _fingerprint() -> str:
    """Changes with any static file's name, size or date, and with how they are hashed."""
    seen = hashlib.sha256(django.__version__.encode() + Path(static.__file__).read_bytes())
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            facts = Path(storage.path(name)).stat()
            seen.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return seen.hexdigest()
