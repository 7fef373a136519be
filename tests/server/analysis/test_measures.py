"""The engine's work is counted by its kind: searches, the time that they take, and tasks that fail."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from crownhead.engine import Engine
from crownhead.server.accounts.models import User
from crownhead.server.analysis.studies import services as studies
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core.monitoring.metrics import ENGINE_FAILURES, ENGINE_SEARCHES, ENGINE_SECONDS
from tests.server.analysis.engine_tasks import run_engine_tasks
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


def counts(kind: str) -> tuple[float, float, float]:
    """Searches, seconds and failures of a kind so far."""
    counters = (ENGINE_SEARCHES, ENGINE_SECONDS, ENGINE_FAILURES)
    return tuple(counter.labels(kind)._value.get() for counter in counters)  # noqa: SLF001


def ask(user: User, **terms: Any) -> None:
    query = AnalysisRequest(variant="american", seconds=1, **terms)
    studies.create_study(user=user, caller=f"user:{user.pk}", query=query, now=NOW)


@pytest.mark.parametrize("terms", [{}, {"level": 1}])
def test_a_search_is_counted_with_its_time(alice: User, terms: dict[str, Any]) -> None:
    searches, seconds, failures = counts("analysis")
    ask(alice, **terms)
    run_engine_tasks()
    after = counts("analysis")
    assert after[0] == searches + 1
    assert seconds < after[1] < seconds + 60
    assert after[2] == failures


def test_a_search_that_fails_is_counted_as_a_failure(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no memory")

    searches, _, failures = counts("analysis")
    monkeypatch.setattr(Engine, "analyse", fail)
    ask(alice)
    with pytest.raises(RuntimeError, match="no memory"):
        run_engine_tasks()
    assert counts("analysis")[::2] == (searches + 1, failures + 1)


def test_every_kind_is_told_from_the_beginning(client: Client) -> None:
    text = client.get("/metrics").content.decode()
    for kind in ("reply", "analysis", "review"):
        for name in ("searches", "seconds", "failures"):
            assert f'crownhead_engine_{name}_total{{kind="{kind}"}} ' in text
