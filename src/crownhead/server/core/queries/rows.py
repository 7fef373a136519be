"""Writing single rows by SQL that is put together once: an insert, and an update of a row as it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import (
    BigIntegerField,
    CharField,
    ForeignKey,
    IntegerField,
    Model,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    SmallIntegerField,
    TextField,
)

_AS_THEY_ARE = {str, int, type(None)}
_OF_DJANGO = {
    BigIntegerField,
    CharField,
    ForeignKey,
    IntegerField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    SmallIntegerField,
    TextField,
}


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


def insert_all(rows: Sequence[Model]) -> None:
    """Insert rows of one model by one statement; they do not learn their primary keys."""
    if not rows:
        return
    sql, more = _insert_head(type(rows[0])), f", {_marks(type(rows[0]))}" * (len(rows) - 1)
    with connection.cursor() as cursor:
        cursor.execute(
            f"{sql} VALUES {_marks(type(rows[0]))}{more}", [value for row in rows for value in _values(row)]
        )


def update(row: Model, *, expected: tuple[str, ...], changes: Mapping[str, Any]) -> bool:
    """Change columns of a row, and the instance, if these fields are as they were read.

    Values are those of fields, or instances that they refer to; not expressions.
    """
    fields: list[Any] = [row._meta.get_field(name) for name in changes]
    conditions: list[Any] = [row._meta.get_field(name) for name in expected]
    parameters = [
        *(
            _saved(field, value.pk if isinstance(value, Model) else value)
            for field, value in zip(fields, changes.values(), strict=True)
        ),
        row.pk,
        *(_saved(field, getattr(row, field.attname)) for field in conditions),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_update(type(row), tuple(changes), expected), parameters)
        if not cursor.rowcount:
            return False
    for name, value in changes.items():
        setattr(row, name, value)
    return True


def _values(row: Model) -> list[Any]:
    return [_saved(field, field.pre_save(row, True)) for field in _fields(type(row))]


def _saved(field: Any, value: Any) -> Any:
    """As the database takes it; most are texts or numbers in columns of Django's own, and go as they are."""
    if type(value) in _AS_THEY_ARE and type(field) in _OF_DJANGO:
        return value
    return field.get_db_prep_save(value, connection)


@cache
def _fields(model: type[Model]) -> tuple[Any, ...]:
    return tuple(field for field in model._meta.local_concrete_fields if not field.primary_key)


@cache
def _insert_head(model: type[Model]) -> str:
    meta: Any = model._meta
    quoted = connection.ops.quote_name
    columns = [quoted(field.column) for field in meta.local_concrete_fields if not field.primary_key]
    return f"INSERT INTO {quoted(meta.db_table)} ({', '.join(columns)})"


@cache
def _marks(model: type[Model]) -> str:
    return f"({', '.join(['%s'] * (len(model._meta.local_concrete_fields) - 1))})"


@cache
def _insert(model: type[Model], unique: tuple[str, ...]) -> str:
    meta: Any = model._meta
    quoted = connection.ops.quote_name
    same = ", ".join(quoted(meta.get_field(name).column) for name in unique)
    unless = f" ON CONFLICT ({same}) DO NOTHING" if unique else ""
    return f"{_insert_head(model)} VALUES {_marks(model)}{unless} RETURNING {quoted(meta.pk.column)}"


@cache
def _update(model: type[Model], changed: tuple[str, ...], expected: tuple[str, ...]) -> str:
    meta: Any = model._meta
    quoted = connection.ops.quote_name
    values = ", ".join(f"{quoted(meta.get_field(name).column)} = %s" for name in changed)
    as_read = "".join(f" AND {quoted(meta.get_field(name).column)} = %s" for name in expected)
    place = f"WHERE {quoted(meta.pk.column)} = %s{as_read}"
    return f"UPDATE {quoted(meta.db_table)} SET {values} {place}"  # nosec B608 # names of columns
