"""Queries that Django writes once and the database answers often, with other values each time.

Most of what a short query costs in Django is writing it: building the `QuerySet` and compiling it to SQL.
A `Prepared` query is built and compiled at its first use, with values that stand for the parameters, and
afterwards only executed:

    _of_player = Prepared(lambda user_id: Plan.objects.filter(game__first_player=user_id), user_id=int)
    plans = _of_player.rows(user_id=5)

The parameters must not change the shape of the query: no None, no lists, no branches on their values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

Result = TypeVar("Result")
_PLACEHOLDER, _PLAIN = re.compile("%[%s]"), re.compile("[a-z0-9_-]*")
Places = tuple[tuple[int, str], ...]  # where each parameter stands among those of the SQL

# What stands for a parameter of a type while the query is written; unlikely enough to be meant.
_STANDS_FOR: Mapping[type, Callable[[int], Any]] = {
    int: lambda place: 7_003_001_900 + place,
    str: lambda place: f"\u0001parameter {place}\u0001",
    datetime: lambda place: datetime(1871, 1, 1, 3, 7, 11, 13, tzinfo=UTC) + timedelta(days=place),
}


@dataclass(frozen=True, slots=True)
class _Written:
    """A query as SQL: parameters are constants, or names of those of the query; how rows are read."""

    sql: str
    constants: tuple[Any, ...]
    places: Places
    read: Callable[[Iterable[Any]], Iterator[Any]]


class Prepared(Generic[Result]):
    """A query of named parameters, each of type int, str or datetime."""

    def __init__(self, build: Callable[..., QuerySet[Any, Result]], **parameters: type) -> None:
        self._build = build
        self._parameters = parameters
        self._written: dict[str, _Written] = {}

    def rows(self, **values: Any) -> list[Result]:
        """Return the rows, as the `QuerySet` would."""
        written = self._written.get(connection.vendor) or self._write()
        with connection.cursor() as cursor:
            cursor.execute(written.sql, _filled(written.constants, written.places, values))
            found = cursor.fetchall()
        return list(written.read(found)) if found else []

    def first(self, **values: Any) -> Result | None:
        """Return the first row, or None; the query should have a limit of its own."""
        rows = self.rows(**values)
        return rows[0] if rows else None

    def _write(self) -> _Written:
        named = _named(self._parameters)
        queryset = self._build(**named)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        sql, constants, places = _placed(sql, parameters, named)
        model = issubclass(queryset._iterable_class, ModelIterable)  # noqa: SLF001
        read = _instances(compiler, queryset.db) if model else _values(compiler)
        written = _Written(sql, constants, places, read)
        self._written[connection.vendor] = written
        return written


class PreparedForKeys(Generic[Result]):
    """A query of what belongs to some rows: `build` gets their keys, and the named parameters.

    It is written once for 1, 2, 4, 8 … keys; where there are fewer, the first stands there again.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Result]], **parameters: type) -> None:
        self._build = build
        self._parameters = parameters
        self._of_size: dict[int, Prepared[Result]] = {}

    def rows(self, keys: Collection[int], **values: Any) -> list[Result]:
        """Return the rows, as the `QuerySet` would; none for no keys."""
        if not keys:
            return []
        size = 1 << (len(keys) - 1).bit_length()
        prepared = self._of_size.get(size) or self._write(size)
        filled = [*keys, *[next(iter(keys))] * (size - len(keys))]
        return prepared.rows(**dict(zip(_key_names(size), filled, strict=True)), **values)

    def _write(self, size: int) -> Prepared[Result]:
        names = _key_names(size)

        def build(**values: Any) -> QuerySet[Any, Result]:
            keys = [values.pop(name) for name in names]
            return self._build(keys, **values)

        prepared = self._of_size[size] = Prepared(build, **dict.fromkeys(names, int), **self._parameters)
        return prepared


def _key_names(size: int) -> list[str]:
    return [f"key {place}" for place in range(size)]


class PreparedUpdate:
    """An UPDATE of named parameters: what `build` returns are the rows, and the new values of columns."""

    def __init__(
        self, build: Callable[..., tuple[QuerySet[Any, Any], Mapping[str, Any]]], **parameters: type
    ) -> None:
        self._build = build
        self._parameters = parameters
        self._written: dict[str, tuple[str, tuple[Any, ...], Places]] = {}

    def run(self, **values: Any) -> int:
        """Change the rows; returns how many."""
        sql, constants, places = self._written.get(connection.vendor) or self._write()
        with connection.cursor() as cursor:
            cursor.execute(sql, _filled(constants, places, values))
            return int(cursor.rowcount)

    def _write(self) -> tuple[str, tuple[Any, ...], Places]:
        named = _named(self._parameters)
        queryset, changes = self._build(**named)
        query: Any = queryset.query.chain(UpdateQuery)
        query.add_update_values(dict(changes))
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        sql, constants, places = _placed(sql, parameters, named)
        written = self._written[connection.vendor] = (sql, constants, places)
        return written


def _named(parameters: Mapping[str, type]) -> dict[str, Any]:
    """A value for each parameter that stands for it."""
    return {name: _STANDS_FOR[kind](place) for place, (name, kind) in enumerate(parameters.items())}


def _filled(constants: tuple[Any, ...], places: Places, values: Mapping[str, Any]) -> list[Any]:
    filled = list(constants)
    for place, name in places:
        filled[place] = _adapted(values[name])
    return filled


def _placed(
    sql: str, parameters: Iterable[Any], named: Mapping[str, Any]
) -> tuple[str, tuple[Any, ...], Places]:
    """The SQL, its constants, and where each parameter of the query stands among them, each somewhere.

    Plain words and whole numbers among the constants are written into the SQL: where an index holds the rows
    of one status alone, SQLite would else plan the query at each run, since it might be for another status.
    """
    names = {_adapted(value): name for name, value in named.items()}
    values = iter(parameters)
    constants: list[Any] = []
    places: list[tuple[int, str]] = []

    def placed(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return found[0]
        value = next(values)
        name = names.get(value) if isinstance(value, int | str | datetime) else None
        if name is None and _is_plain(value):
            return f"'{value}'" if isinstance(value, str) else str(value)
        if name is not None:
            places.append((len(constants), name))
        constants.append(value)
        return found[0]

    sql = _PLACEHOLDER.sub(placed, sql)
    if missing := set(named) - {name for _place, name in places}:
        raise ValueError(f"expected the parameters {sorted(missing)} in the query")
    return sql, tuple(constants), tuple(places)


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return _PLAIN.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _adapted(value: Any) -> Any:
    """As the database takes it."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value


def _converted(compiler: SQLCompiler) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """What makes values of Python from those of the database."""
    assert compiler.col_count is not None
    converters = compiler.get_converters([one[0] for one in compiler.select[: compiler.col_count]])
    if not converters:
        return lambda rows: rows
    return lambda rows: compiler.apply_converters(rows, converters)


def _values(compiler: SQLCompiler) -> Callable[[Iterable[Any]], Iterator[Any]]:
    converted = _converted(compiler)
    return lambda rows: map(tuple, converted(rows))


def _instances(compiler: SQLCompiler, alias: str) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What makes instances of models, as `ModelIterable` does."""
    converted = _converted(compiler)
    class_info: Any = compiler.klass_info
    model: type[Model] = class_info["model"]
    begin, end = class_info["select_fields"][0], class_info["select_fields"][-1] + 1
    names = [one[0].target.attname for one in compiler.select[begin:end]]
    populators = get_related_populators(class_info, compiler.select, alias)  # type: ignore[call-arg]
    annotations = dict(compiler.annotation_col_map or {})

    def instances(rows: Iterable[Any]) -> Iterator[Model]:
        for row in converted(rows):
            made = model.from_db(alias, names, row[begin:end])
            for populator in populators:
                populator.populate(row, made)
            for name, place in annotations.items():
                setattr(made, name, row[place])
            yield made

    return instances
