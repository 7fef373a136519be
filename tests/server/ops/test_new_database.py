"""A new database: its tables are those that all migrations lead to, and none of them is left to apply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from pytest_django import Settings

from crownhead.server.ops.starting.current_database import is_current
from crownhead.server.ops.starting.new_database import create_tables

# Filled from the models after each migration.
_FILLED_LATER = {"django_content_type", "auth_permission"}

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the schema of SQLite"),
]


NewDatabase = Callable[[str], BaseDatabaseWrapper]


@pytest.fixture(autouse=True)
def with_migrations(settings: Settings) -> None:
    """The tests' own database was made without migrations; here they are found."""
    settings.MIGRATION_MODULES = {}


@pytest.fixture
def new_database(tmp_path: Path) -> Iterator[NewDatabase]:
    """Connections to empty databases."""
    made: list[BaseDatabaseWrapper] = []

    def connect(alias: str) -> BaseDatabaseWrapper:
        other: BaseDatabaseWrapper = connection.copy(alias)
        other.settings_dict = {**connection.settings_dict, "NAME": str(tmp_path / f"{alias}.sqlite3")}
        connections[alias] = other
        made.append(other)
        return other

    yield connect
    for other in made:
        other.close()
        del connections[other.alias]


@pytest.fixture
def empty(new_database: NewDatabase) -> BaseDatabaseWrapper:
    """A connection to an empty database."""
    return new_database("empty")


@pytest.fixture
def migrated(new_database: NewDatabase) -> BaseDatabaseWrapper:
    """A connection to a database that all migrations made."""
    database = new_database("migrated")
    executor = MigrationExecutor(database)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return database


def rows(database: BaseDatabaseWrapper, query: str) -> list[Any]:
    """Every row of the answer."""
    with database.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def schema(database: BaseDatabaseWrapper) -> dict[str, Any]:
    """Columns, foreign keys, indexes and checks of every table, and how many rows it has."""
    described = {}
    for table, text in rows(database, "SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
        if not table.startswith("sqlite_"):
            indexes = f"SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '{table}'"
            described[table] = {
                "columns": sorted(row[1:] for row in rows(database, f"PRAGMA table_xinfo('{table}')")),
                "foreign keys": sorted(
                    row[2:] for row in rows(database, f"PRAGMA foreign_key_list('{table}')")
                ),
                "indexes": sorted(str(row[0]) for row in rows(database, indexes)),
                "checks": sorted(
                    part.rstrip(")") for part in text.split(', CONSTRAINT "')[1:] if "CHECK" in part
                ),
                "rows": table in _FILLED_LATER or rows(database, f"SELECT COUNT(*) FROM {table}"),
            }
    return described


def migrations(database: BaseDatabaseWrapper) -> list[Any]:
    """The migrations that are recorded as applied."""
    return sorted(rows(database, "SELECT app, name FROM django_migrations"))


@pytest.mark.nightly  # half a minute; CI sees that no migration is missing, and applies all on PostgreSQL
def test_tables_made_from_the_models_are_those_that_the_migrations_make(
    empty: BaseDatabaseWrapper, migrated: BaseDatabaseWrapper
) -> None:
    create_tables(empty)
    assert schema(empty) == schema(migrated)
    assert migrations(empty) == migrations(migrated)


def test_a_database_with_tables_is_left_alone(empty: BaseDatabaseWrapper) -> None:
    rows(empty, "CREATE TABLE django_migrations (name text)")
    create_tables(empty)
    assert set(schema(empty)) == {"django_migrations"}


def test_tables_of_others_are_no_reason_to_do_without(empty: BaseDatabaseWrapper) -> None:
    rows(empty, "CREATE TABLE spatial_systems (name text)")
    create_tables(empty)
    assert "accounts_user" in schema(empty)


def test_a_failure_leaves_the_database_empty(
    empty: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def fail(editor: Any, model: type[models.Model]) -> None:
        made.append(model)
        if len(made) == 5:
            raise OperationalError("disk full")
        create(editor, model)

    editor = type(empty.schema_editor())
    create = editor.create_model
    monkeypatch.setattr(editor, "create_model", fail)
    with pytest.raises(OperationalError, match="disk full"):
        create_tables(empty)
    assert schema(empty) == {}


@pytest.fixture
def current(empty: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """A connection to a database as a new club has it after its first start."""
    create_tables(empty)
    assert not is_current(empty), "permissions are not there yet"
    call_command("migrate", database=empty.alias, verbosity=0)
    return empty


def test_nothing_is_left_to_migrate_after_the_first_start(current: BaseDatabaseWrapper) -> None:
    assert is_current(current)


def test_a_migration_that_is_not_recorded_is_left(current: BaseDatabaseWrapper) -> None:
    rows(current, "DELETE FROM django_migrations WHERE app = 'play' AND name LIKE '0002%'")
    assert not is_current(current)


def test_a_permission_that_a_killed_process_did_not_write_is_left(current: BaseDatabaseWrapper) -> None:
    rows(current, "DELETE FROM auth_permission WHERE codename = 'change_game'")
    assert not is_current(current)
    call_command("migrate", database=current.alias, verbosity=0)
    assert is_current(current)


def test_what_a_newer_version_has_applied_is_no_reason_to_migrate(current: BaseDatabaseWrapper) -> None:
    rows(
        current,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('play', '9999_later', '2030-01-01')",
    )
    assert is_current(current)
