"""All that `crownhead check` looks at: the database itself, then what each app knows of its records."""

from collections.abc import Iterator

from django.db import connection

from crownhead.server.core.background.checks import Finding, checks
from crownhead.server.core.queries.direct import unhurried


def findings(*, repair: bool) -> Iterator[Finding]:
    """What does not fit together, as it is found."""
    with unhurried():
        yield from _of_database()
        for check in checks().values():
            yield from check(repair)


def _of_database() -> Iterator[Finding]:
    """Pages that are damaged, and rows that refer to others which are not there; PostgreSQL sees to that."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        for (found,) in cursor.fetchall():
            if found != "ok":
                yield Finding(f"The database file is damaged: {found}.")
        cursor.execute("PRAGMA foreign_key_check")
        for table, row, parent, _key in cursor.fetchall():
            yield Finding(f"Table {table}: row {row} refers to a row of {parent} that does not exist.")
