"""The rollback log undoes exactly what the database rolled back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from crownhead.server.core.problems import Conflict
from tests.server.simulation.rollback_log import RollbackLog

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rollback_log() -> Iterator[RollbackLog]:
    made = RollbackLog()
    made.open()
    yield made
    made.close()


def _add(rollback_log: RollbackLog, lines: list[str], line: str) -> None:
    rollback_log.begin()
    lines.append(line)
    rollback_log.undo_by(lambda: lines.remove(line))


def _add_and_fail(rollback_log: RollbackLog, lines: list[str], added: tuple[str, ...]) -> None:
    with transaction.atomic():
        for line in added:
            _add(rollback_log, lines, line)
        raise Conflict("expected a game in progress")


def _roll_back(rollback_log: RollbackLog, lines: list[str], *added: str) -> None:
    with pytest.raises(Conflict):
        _add_and_fail(rollback_log, lines, added)


def test_changes_of_a_rolled_back_transaction_are_undone(rollback_log: RollbackLog) -> None:
    lines: list[str] = []
    with transaction.atomic():
        _add(rollback_log, lines, "a game has begun")
    _roll_back(rollback_log, lines, "it has ended", "its players are notified")
    rollback_log.apply_rollbacks()
    assert lines == ["a game has begun"]


def test_changes_after_a_rollback_are_kept(rollback_log: RollbackLog) -> None:
    lines: list[str] = []
    _roll_back(rollback_log, lines, "it has ended")
    with transaction.atomic():
        _add(rollback_log, lines, "it has ended by time")
    rollback_log.apply_rollbacks()
    assert lines == ["it has ended by time"]


def test_rolling_back_to_a_savepoint_undoes_only_its_changes(rollback_log: RollbackLog) -> None:
    lines: list[str] = []
    with transaction.atomic():
        _add(rollback_log, lines, "a player is expelled")
        _roll_back(rollback_log, lines, "their game has ended")
        _add(rollback_log, lines, "the others are notified")
    rollback_log.apply_rollbacks()
    assert lines == ["a player is expelled", "the others are notified"]


def test_committed_changes_are_never_undone(rollback_log: RollbackLog) -> None:
    lines: list[str] = []
    with transaction.atomic():
        _add(rollback_log, lines, "a game has begun")
    rollback_log.apply_rollbacks()
    _roll_back(rollback_log, lines, "it has ended")
    rollback_log.apply_rollbacks()
    rollback_log.apply_rollbacks()
    assert lines == ["a game has begun"]
