"""Writing single rows by SQL that is put together once: an insert, and an update of a row as it was read.

Where Django is replaced: decision 63.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    ForeignKey,
    IntegerField,
    Model,
    TextField,
)

_AS_THEY_ARE: Mapping[type, frozenset[type]] = {
    BooleanField: frozenset({bool, type(None)}),
    CharField: frozenset({str, type(None)}),
    DateTimeField: frozenset({type(None)}),
    ForeignKey: frozenset({int, str, type(None)}),
    IntegerField: frozenset({int, type(None)}),
    TextField: frozenset({str, type(None)}),
}
"""Which values the columns of Django save as they are given."""
_CHANGING = ("get_db_prep_save", "get_db_prep_value", "get_prep_value", "to_python")
"""The methods of fields that may change a value."""


class _Column(NamedTuple):
    """A field, with what is known of it before there is a value to save."""

    field: Any
    name: str  # of the attribute
    is_read: bool  # its value is that of the attribute, and nothing happens when it is saved
    unchanged: frozenset[type]
    has_moments: bool

    def value(self, row: Model) -> Any:
        """What a new row has here."""
        return getattr(row, self.name) if self.is_read else self.field.pre_save(row, True)


def insert_once(row: Model, *, unique: tuple[str, ...]) -> bool:
    """Insert a row unless there is one with the same values in these fields; returns whether it was.

    It has its primary key afterwards. Signals are not sent.
    """
    sql = _insert(type(row), unique)
    with connection.cursor() as cursor:
        cursor.execute(sql, _values(row))
        found = cursor.fetchone()
    if found is None:
        return False
    row.pk = found[0]
    row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001
    return True


def insert(row: Model) -> None:
    """Insert a row; it has its primary key afterwards. Signals are not sent."""
    insert_once(row, unique=())


def insert_all(model: type[Model], names: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows by one statement, each the values of these fields; the database fills the others."""
    if not rows:
        return
    columns, database = _columns(model, names), connections[DEFAULT_DB_ALIAS]
    marks = ", ".join([_marks(len(names))] * len(rows))
    with database.cursor() as cursor:
        cursor.execute(
            f"{_insert_head(model, names)} VALUES {marks}",
            [
                _saved(column, value, database)
                for row in rows
                for column, value in zip(columns, row, strict=True)
            ],
        )


def update(row: Model, *, expected: tuple[str, ...], changes: Mapping[str, Any]) -> bool:
    """Change columns of a row, and the instance, if these fields are as they were read.

    Values are those of fields, or instances that they refer to; not expressions.
    """
    columns, conditions = _columns(type(row), tuple(changes)), _columns(type(row), expected)
    database = connections[DEFAULT_DB_ALIAS]
    parameters = [
        _saved(column, value.pk if isinstance(value, Model) else value, database)
        for column, value in zip(columns, changes.values(), strict=True)
    ]
    parameters += [row.pk, *(_saved(column, getattr(row, column.name), database) for column in conditions)]
    with database.cursor() as cursor:
        cursor.execute(_update(type(row), tuple(changes), expected), parameters)
        if not cursor.rowcount:
            return False
    for name, value in changes.items():
        setattr(row, name, value)
    return True


def update_all(rows: Sequence[Model], *, changed: tuple[str, ...]) -> None:
    """Save these columns of rows of one model that the transaction has locked, by one statement for all."""
    if not rows:
        return
    columns, database = _columns(type(rows[0]), changed), connections[DEFAULT_DB_ALIAS]
    parameters = [
        [*(_saved(column, getattr(row, column.name), database) for column in columns), row.pk] for row in rows
    ]
    with database.cursor() as cursor:
        cursor.executemany(_update(type(rows[0]), changed, ()), parameters)


def _values(row: Model) -> list[Any]:
    database = connections[DEFAULT_DB_ALIAS]
    return [_saved(column, column.value(row), database) for column in _columns(type(row), None)]


def _saved(column: _Column, value: Any, database: Any) -> Any:
    """The value as the database takes it."""
    if type(value) in column.unchanged:
        return value
    if column.has_moments and type(value) is datetime and value.tzinfo is not None:
        return database.ops.adapt_datetimefield_value(value)
    return column.field.get_db_prep_save(value, database)


@cache
def _columns(model: type[Model], names: tuple[str, ...] | None) -> tuple[_Column, ...]:
    """The columns of these names; without names all but the primary key."""
    if names is None:
        return tuple(_column(one) for one in model._meta.local_concrete_fields if not one.primary_key)
    return tuple(_column(model._meta.get_field(name)) for name in names)


def _column(field: Any) -> _Column:
    kind = type(field)
    base = next((each for each in _AS_THEY_ARE if isinstance(field, each)), None)
    is_plain = base is not None and all(getattr(kind, name) is getattr(base, name) for name in _CHANGING)
    is_read = kind.pre_save is CharField.pre_save
    if kind is DateTimeField:
        is_read = not (field.auto_now or field.auto_now_add)
    unchanged = _AS_THEY_ARE[base] if base is not None and is_plain else frozenset()
    return _Column(field, field.attname, is_read, unchanged, is_plain and base is DateTimeField)


@cache
def _insert_head(model: type[Model], names: tuple[str, ...] | None) -> str:
    quoted = connection.ops.quote_name
    columns = ", ".join(quoted(column.field.column) for column in _columns(model, names))
    return f"INSERT INTO {quoted(model._meta.db_table)} ({columns})"


def _marks(count: int) -> str:
    return f"({', '.join(['%s'] * count)})"


@cache
def _insert(model: type[Model], unique: tuple[str, ...]) -> str:
    meta: Any = model._meta
    quoted = connection.ops.quote_name
    same = ", ".join(quoted(meta.get_field(name).column) for name in unique)
    unless = f" ON CONFLICT ({same}) DO NOTHING" if unique else ""
    marks = _marks(len(_columns(model, None)))
    return f"{_insert_head(model, None)} VALUES {marks}{unless} RETURNING {quoted(meta.pk.column)}"


@cache
def _update(model: type[Model], changed: tuple[str, ...], expected: tuple[str, ...]) -> str:
    meta: Any = model._meta
    quoted = connection.ops.quote_name
    values = ", ".join(f"{quoted(meta.get_field(name).column)} = %s" for name in changed)
    as_read = "".join(f" AND {quoted(meta.get_field(name).column)} = %s" for name in expected)
    place = f"WHERE {quoted(meta.pk.column)} = %s{as_read}"
    return f"UPDATE {quoted(meta.db_table)} SET {values} {place}"  # nosec B608 # names of columns
