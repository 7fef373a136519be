"""Old rows are deleted in small transactions."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import Budget
from crownhead.server.core import jobs
from crownhead.server.core.jobs import sweep
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "AT_ONCE", 3)
    monkeypatch.setattr(jobs, "_PAUSE", 0)
    for number in range(10):
        Budget.objects.create(scope="moves", who=str(number), begun=1, ends_at=NOW + timedelta(hours=number))


def test_rows_are_deleted_some_at_a_time_and_the_others_stay() -> None:
    with CaptureQueriesContext(connection) as asked:
        assert sweep(Budget.objects.filter(ends_at__lte=NOW + timedelta(hours=7))) == 8
    assert sum(query["sql"].startswith("DELETE") for query in asked.captured_queries) == 3
    assert sorted(Budget.objects.values_list("who", flat=True)) == ["8", "9"]


def test_one_run_deletes_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST", 4)
    rows = Budget.objects.filter(ends_at__lte=NOW + timedelta(hours=7))
    assert [sweep(rows) for _ in range(3)] == [4, 4, 0]
