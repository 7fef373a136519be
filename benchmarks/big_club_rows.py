"""Writes rows by the hundred thousand, prepared by the models' own columns."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from enum import Enum
from itertools import chain, islice
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

AT_ONCE = 5000
# Whose values go to the database as they are, but for members of enumerations.
_PLAIN = (models.CharField, models.TextField, models.BooleanField, models.IntegerField, models.FloatField)
_INDEXES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    "postgresql": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() AND NOT"
    " EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname AND conrelid = tablename::regclass)",
}


@contextmanager
def without_indexes() -> Iterator[None]:
    """Let the indexes that no constraint needs be made at the end, each by one sort."""
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES[connection.vendor])
        found = dict(cursor.fetchall())
        for name in found:
            cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
        yield
        began = time.monotonic()
        for statement in found.values():
            cursor.execute(statement)
        sys.stdout.write(f"{len(found):>10,} indexes in {time.monotonic() - began:.0f} s\n")


def write(model: type[models.Model], rows: Iterable[Mapping[str, Any]], *, note: str | None = None) -> int:
    """Insert rows, given as values by attribute, the others being the columns' defaults; returns how many.

    Primary keys may be given; the sequences of the database go on behind them. Constraints hold.
    ``note``: what the line about it says more; without one when empty.
    """
    began, count = time.monotonic(), 0
    prepared = _prepared(model, rows)
    while batch := list(islice(prepared, AT_ONCE)):
        with transaction.atomic():
            _insert(model, batch)
        count += len(batch)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)
    if note != "":
        took = f"in {time.monotonic() - began:.0f} s"
        sys.stdout.write(f"{count:>10,} {model._meta.db_table} {took} {note or ''}\n")
        sys.stdout.flush()
    return count


def _fields(model: type[models.Model]) -> list[Any]:
    return list(model._meta.local_concrete_fields)


def _prepared(model: type[models.Model], rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """What the database takes for each column; the key is left to it where no row gives one."""
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return
    columns = [
        (field.attname, _taker(field), _default(field))
        for field in _fields(model)
        if not (field.primary_key and field.attname not in first)
    ]
    for row in chain((first,), rows):
        yield tuple(take(row[name]) if name in row else default() for name, take, default in columns)


def _taker(field: Any) -> Callable[[Any], Any]:
    """How a value of this column becomes what the database takes; as the field does it, but quickly."""
    if isinstance(field, models.ForeignKey):
        return _taker(field.target_field)
    if isinstance(field, _PLAIN) and type(field).get_db_prep_value is models.Field.get_db_prep_value:
        return lambda value: value.value if isinstance(value, Enum) else value
    if isinstance(field, models.DateTimeField) and connection.vendor == "sqlite":
        return lambda value: None if value is None else str(value.astimezone(UTC).replace(tzinfo=None))
    return lambda value: field.get_db_prep_save(value, connection)


def _default(field: Any) -> Callable[[], Any]:
    """What a row has that tells nothing; made again each time where a function makes it."""
    if callable(field.default) and field.default not in {dict, list}:
        return lambda: field.get_db_prep_save(field.get_default(), connection)
    value = field.get_db_prep_save(field.get_default(), connection)
    return lambda: value


def _insert(model: type[models.Model], rows: list[tuple[Any, ...]]) -> None:
    columns = [field.column for field in _fields(model)][-len(rows[0]) :]
    quote = connection.ops.quote_name
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)
