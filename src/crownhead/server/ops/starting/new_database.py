"""The tables of a new site, made from the models: all migrations would take many times as long."""

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


def create_tables(connection: BaseDatabaseWrapper) -> bool:
    """Create every table, record every migration as applied, and say so; nothing where there are tables.

    All in one transaction: a process that dies leaves the database empty. What the migrations would do to
    rows is left out, for there are none.
    """
    if _has_tables(connection):
        return False
    executor = MigrationExecutor(connection)
    with connection.schema_editor() as editor:
        if _has_tables(connection):  # another process was quicker
            return False
        for model in apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            for app, name in [(migration.app_label, migration.name), *migration.replaces]:
                executor.recorder.record_applied(app, name)
    return True


def _has_tables(connection: BaseDatabaseWrapper) -> bool:
    ours = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    recorded = MigrationRecorder.Migration._meta.db_table
    return not {*ours, recorded}.isdisjoint(connection.introspection.table_names())
