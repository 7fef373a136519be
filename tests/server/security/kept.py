"""The club with one of everything, made once for the tests of a file: each begins with it as it was."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from crownhead.server.core import clock
from tests.server.play.factories import NOW
from tests.server.security.visitors import Visitors, make_club


@contextmanager
def kept_club(blocker: DjangoDbBlocker, folder: Path) -> Iterator[Visitors]:
    """Rows that stay until the end, and files in a folder; tests within undo only what they do themselves."""
    with blocker.unblock(), transaction.atomic():
        with _as_in_tests(folder):
            made = make_club()
        cache.clear()
        yield made
        transaction.set_rollback(True)


def as_it_was(made: Visitors, folder: Path, to: Path) -> Visitors:
    """A copy of its objects for one test, whose files go to a folder of its own."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    return copy.deepcopy(made)


@contextmanager
def _as_in_tests(folder: Path) -> Iterator[None]:
    """What the settings and the clock of each test are: fixtures of tests come later than those of a file."""
    unlimited = dict.fromkeys(settings.LIMITS, "1000000/m")
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    changed: AbstractContextManager[object] = override_settings(
        PASSWORD_HASHERS=quick,
        EMAIL_FILE_PATH=folder / "mail",
        LIMITS=unlimited,
        DATA=folder,
        RATED_GAMES_PER_PAIR=10_000,
        EARLY_LEAVES_PER_DAY=10_000,
    )
    with changed, clock.stopped(NOW):
        yield
