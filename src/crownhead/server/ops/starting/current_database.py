"""Whether anything is left to migrate, found out without importing the migrations."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from django.apps import apps
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Permission
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def is_current(connection: BaseDatabaseWrapper) -> bool:
    """Whether every migration is recorded as applied, and what Django writes after the last one is there."""
    applied = set(MigrationRecorder(connection).applied_migrations())
    return applied.issuperset(_migrations()) and _has_permissions(connection)


def _migrations() -> Iterator[tuple[str, str]]:
    """App and name of each migration; only the packages that hold them are imported."""
    for app in apps.get_app_configs():
        name, _ = MigrationLoader.migrations_module(app.label)
        if name is None:
            continue
        try:
            package = import_module(name)
        except ModuleNotFoundError:  # an app without models
            continue
        yield from ((app.label, module.name) for module in iter_modules(package.__path__))


def _has_permissions(connection: BaseDatabaseWrapper) -> bool:
    """Whether each permission has its row; they are written after the migrations, apart from them."""
    there = Permission.objects.using(connection.alias).values_list(
        "content_type__app_label", "content_type__model", "codename"
    )
    return set(there).issuperset(_permissions())


def _permissions() -> Iterator[tuple[str, str, str]]:
    for model in apps.get_models():
        about = model._meta
        names = [get_permission_codename(action, about) for action in about.default_permissions]
        for name in (*names, *(name for name, _ in about.permissions)):
            yield about.app_label, about.model_name or "", name
