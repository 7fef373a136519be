"""The engine comes after the pages: a search runs at low priority, and nothing else of its task does."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from crownhead.server.analysis.engine.measures import Work
from crownhead.server.analysis.engine.pool import NICENESS, think

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads are Linux's")


def niceness() -> int:
    """Of the calling thread."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_a_search_has_low_priority_and_the_task_around_it_has_not() -> None:
    usual = niceness()
    assert think(niceness, work=Work.REPLY) == max(NICENESS, usual)
    assert niceness() == usual


def test_what_a_search_fails_by_is_raised_where_its_answer_was_wanted() -> None:
    with pytest.raises(ZeroDivisionError):
        think(lambda: 1 // 0, work=Work.REPLY)
    assert think(lambda: "the next one", work=Work.REPLY) == "the next one"


def test_every_task_has_a_thinker_of_its_own() -> None:
    names: set[int] = set()

    def task() -> None:
        names.add(think(threading.get_native_id, work=Work.REPLY))

    threads = [threading.Thread(target=task) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    names.add(think(threading.get_native_id, work=Work.REPLY))
    assert len(names) == 3
