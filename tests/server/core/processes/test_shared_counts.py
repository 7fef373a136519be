"""Counts of what is open, in all processes of a server together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from crownhead.server.config.body_memory import MAX_PER_HOUSEHOLD, BodyMemory, MemoryFull
from crownhead.server.core.processes import shared_counts
from crownhead.server.core.processes.shared_counts import SharedCounts

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="several processes are forked")


@pytest.fixture(autouse=True)
def _alone_again() -> Iterator[None]:
    yield
    shared_counts.settle(0, 1)


def in_another_process(place: int, do: Callable[[], None]) -> None:
    """Do something as the process at a place of two, which then dies without tidying up."""
    child = os.fork()
    if child == 0:
        shared_counts.settle(place, 2)
        do()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0


def test_what_another_process_counts_counts_here_until_its_place_is_taken() -> None:
    counts = SharedCounts()
    shared_counts.settle(0, 2)
    counts.add("203.0.113.7", 2)
    in_another_process(1, lambda: counts.add("203.0.113.7", 3))
    assert (counts.of("203.0.113.7"), counts.in_all(), counts.of("203.0.113.8")) == (5, 5, 0)
    in_another_process(1, lambda: None)
    assert (counts.of("203.0.113.7"), counts.in_all()) == (2, 2)
    counts.add("203.0.113.7", -2)
    assert (counts.of("203.0.113.7"), counts.in_all()) == (0, 0)


def test_what_a_process_has_left_counts_no_more_once_its_parent_has_seen_its_end() -> None:
    counts = SharedCounts()
    shared_counts.settle(0, 2)
    counts.add("203.0.113.7", 2)
    in_another_process(1, lambda: counts.add("203.0.113.7", 3))
    shared_counts.clear(1)
    assert (counts.of("203.0.113.7"), counts.in_all()) == (2, 2)


def test_the_bodies_of_an_address_are_bounded_in_all_processes_together() -> None:
    memory = BodyMemory()
    shared_counts.settle(0, 2)

    def hold() -> None:
        memory.held_for("203.0.113.7").__enter__()(MAX_PER_HOUSEHOLD - 100)

    in_another_process(1, hold)
    with memory.held_for("203.0.113.7") as count:
        count(100)
        with pytest.raises(MemoryFull):
            count(1)
    with memory.held_for("203.0.113.8") as count:
        count(1000)
