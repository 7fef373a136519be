"""The club with one of everything, made once for the tests of a file: each begins with it as it was."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from django.conf import settings as the_settings
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from crownhead.server.core import clock
from tests.server.conftest import clear_caches
from tests.server.play.factories import NOW
from tests.server.security.visitors import Visitors, make_club


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files of the club are."""
    return tmp_path_factory.mktemp("club")


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker, folder: Path) -> Iterator[Visitors]:
    """Rows that stay until the end of a file; tests undo only what they do themselves."""
    with django_db_blocker.unblock(), transaction.atomic():
        with _as_in_tests(folder):
            made = make_club()
        clear_caches()
        yield made
        transaction.set_rollback(True)


@pytest.fixture
def club(made: Visitors, folder: Path, db: None, settings: Settings, tmp_path: Path) -> Iterator[Visitors]:
    """One of everything; the clock stands still, and nothing is asked too often."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/m")
    settings.DATA = tmp_path
    settings.SECURITY_CONTACT = "mailto:safe@club.example"
    settings.STAFF_SECOND_FACTOR = True
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    with clock.stopped(NOW):
        yield copy.deepcopy(made)


@contextmanager
def _as_in_tests(folder: Path) -> Iterator[None]:
    """What the settings and the clock of each test are: fixtures of tests come later than those of a file."""
    unlimited = dict.fromkeys(the_settings.LIMITS, "1000000/m")
    quick = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    changed: AbstractContextManager[object] = override_settings(
        PASSWORD_HASHERS=quick,
        EMAIL_FILE_PATH=folder / "mail",
        LIMITS=unlimited,
        DATA=folder,
        RATED_GAMES_PER_PAIR=10_000,
        EARLY_LEAVES_PER_DAY=10_000,
        EARLY_WINS_PER_DAY=10_000,
        EARLY_WINS_PER_MONTH=10_000,
    )
    with changed, clock.stopped(NOW):
        yield
