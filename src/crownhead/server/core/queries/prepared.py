"""Queries that Django writes once and the database answers often, with other values each time.

Most of what a short query costs in Django is writing it: building the `QuerySet` and compiling it to SQL.
A `Prepared` query is built and compiled at its first use, with values that stand for the parameters, and
afterwards only executed:

    _of_player = Prepared(lambda user_id: Plan.objects.filter(game__first_player=user_id), user_id=int)
    plans = _of_player.rows(user_id=5)

The parameters must not change the shape of the query: no None, no lists, no branches on their values.
What Django decides for each row and column is decided when a query is written, too: how a value is converted,
which attribute it becomes, and that nobody listens while an instance is made.
Where Django is replaced: decision 63.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.query import ModelIterable, RelatedPopulator
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, pre_init
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

Result = TypeVar("Result")
_PLACEHOLDER, _PLAIN = re.compile("%[%s]"), re.compile("[a-z0-9_-]*")
Places = tuple[tuple[int, str], ...]  # where each parameter stands among those of the SQL
_Rows = Iterable[Sequence[Any]]
_Populate = Callable[[Sequence[Any], Model], None]  # adds to an instance what came with it in its row
_KEPT_AS_GIVEN = {DeferredAttribute, ForeignKeyDeferredAttribute}  # attributes that only keep their values

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
    read: Callable[[_Rows], Iterator[Any]]


class Prepared(Generic[Result]):
    """A query of named parameters, each of type int, str or datetime."""

    def __init__(self, build: Callable[..., QuerySet[Any, Result]], **parameters: type) -> None:
        self._build = build
        self._parameters = parameters
        self._written: dict[str, _Written] = {}

    def rows(self, **values: Any) -> list[Result]:
        """Return the rows, as the `QuerySet` would."""
        database = connections[DEFAULT_DB_ALIAS]
        written = self._written.get(database.vendor) or self._write()
        with database.cursor() as cursor:
            cursor.execute(written.sql, _filled(written.constants, written.places, values, database))
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
        database = connections[DEFAULT_DB_ALIAS]
        sql, constants, places = self._written.get(database.vendor) or self._write()
        with database.cursor() as cursor:
            cursor.execute(sql, _filled(constants, places, values, database))
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


def _filled(
    constants: tuple[Any, ...], places: Places, values: Mapping[str, Any], database: BaseDatabaseWrapper
) -> list[Any]:
    filled = list(constants)
    for place, name in places:
        value = values[name]
        filled[place] = _moment(value, database) if isinstance(value, datetime) else value
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
    """The value as the database takes it."""
    return _moment(value, connection) if isinstance(value, datetime) else value


def _moment(value: datetime, database: Any) -> Any:
    return database.ops.adapt_datetimefield_value(value)


def _values(compiler: SQLCompiler) -> Callable[[_Rows], Iterator[Any]]:
    """What makes tuples of the rows."""
    converted = _converted(compiler)
    return lambda rows: map(tuple, converted(rows))


def _instances(compiler: SQLCompiler, alias: str) -> Callable[[_Rows], Iterator[Any]]:
    """What makes instances of models, as `ModelIterable` does."""
    converted = _converted(compiler)
    class_info: Any = compiler.klass_info
    begin, end, names = _columns(class_info, compiler)
    make = _maker(class_info["model"], names, alias)
    populates = _populates(class_info, compiler, alias)
    annotations = dict(compiler.annotation_col_map or {})

    def made_of(rows: _Rows) -> Iterator[Model]:
        for row in converted(rows):
            made = make(row[begin:end])
            for populate in populates:
                populate(row, made)
            for name, place in annotations.items():
                setattr(made, name, row[place])
            yield made

    return made_of


def _converted(compiler: SQLCompiler) -> Callable[[_Rows], _Rows]:
    """What makes values of Python from those of the database."""
    assert compiler.col_count is not None
    converters = compiler.get_converters([one[0] for one in compiler.select[: compiler.col_count]])
    if not converters:
        return lambda rows: rows
    steps = [(place, _converter(compiler, *found)) for place, found in converters.items()]

    def converted(rows: _Rows) -> Iterator[Sequence[Any]]:
        for row in map(list, rows):
            for place, convert in steps:
                row[place] = convert(row[place])
            yield row

    return converted


def _converter(compiler: SQLCompiler, converters: list[Any], expression: Any) -> Callable[[Any], Any]:
    connection = compiler.connection
    is_moment = type(getattr(expression, "output_field", None)) is DateTimeField
    if is_moment and len(converters) == 1 and connection.vendor == "sqlite" and connection.timezone is UTC:
        return _in_utc
    if len(converters) == 1:
        (only,) = converters
        return lambda value: only(value, expression, connection)

    def convert(value: Any) -> Any:
        for converter in converters:
            value = converter(value, expression, connection)
        return value

    return convert


def _in_utc(found: datetime | str | None) -> datetime | None:
    """A moment as SQLite keeps it: in UTC, without saying so; the highest of several is only a text."""
    if found is None:
        return None
    moment = datetime.fromisoformat(found) if isinstance(found, str) else found
    return moment.replace(tzinfo=UTC)


def _columns(class_info: Any, compiler: SQLCompiler) -> tuple[int, int, list[str]]:
    """Where the columns of a model begin and end, and the names of their attributes."""
    begin, end = class_info["select_fields"][0], class_info["select_fields"][-1] + 1
    columns: list[Any] = [one[0] for one in compiler.select[begin:end]]
    return begin, end, [column.target.attname for column in columns]


def _maker(model: type[Model], names: list[str], alias: str) -> Callable[[Sequence[Any]], Model]:
    """What makes an instance of the values of its columns, as `Model.from_db` does."""
    if not _is_only_filled(model, names):
        return lambda found: model.from_db(alias, names, found)

    def make(found: Sequence[Any]) -> Model:
        state = ModelState()
        state.adding, state.db = False, alias
        made = model.__new__(model)
        made.__dict__.update(zip(names, found, strict=True), _state=state)
        return made

    return make


def _is_only_filled(model: type[Model], names: list[str]) -> bool:
    """Whether nothing happens to an instance but that its attributes get their values."""
    has_signals = pre_init.has_listeners(model) or post_init.has_listeners(model)
    of_django = model.__init__ is Model.__init__ and model.from_db.__func__ is Model.from_db.__func__  # type: ignore[attr-defined] # of a class method
    return (
        of_django and not has_signals and all(type(getattr(model, name)) in _KEPT_AS_GIVEN for name in names)
    )


def _populates(class_info: Any, compiler: SQLCompiler, alias: str) -> list[_Populate]:
    """What adds the instances that come with one, by `select_related`."""
    return [_populate(info, compiler, alias) for info in class_info.get("related_klass_infos", [])]


def _populate(class_info: Any, compiler: SQLCompiler, alias: str) -> _Populate:
    if class_info["from_parent"]:
        of_django: Any = RelatedPopulator(class_info, compiler.select, alias)  # type: ignore[call-arg] # the stubs are of a later Django
        populate: _Populate = of_django.populate
        return populate
    begin, end, names = _columns(class_info, compiler)
    model: type[Model] = class_info["model"]
    make, within = _maker(model, names, alias), _populates(class_info, compiler, alias)
    key = begin + names.index(model._meta.pk.attname)
    set_here, set_there = class_info["local_setter"], class_info["remote_setter"]

    def populate_from_row(row: Sequence[Any], beside: Model) -> None:
        if row[key] is None:
            set_here(beside, None)
            return
        made = make(row[begin:end])
        for populate in within:
            populate(row, made)
        set_here(beside, made)
        set_there(made, beside)

    return populate_from_row
