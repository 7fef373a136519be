"""The kernel's counting: depths, bulk or leaf by leaf, threads and signals."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType

import pytest

from crownhead.rules.variants import VARIANTS
from tests.kernel.test_positions import start


@pytest.mark.parametrize("variant", VARIANTS)
def test_counting_in_bulk_and_leaf_by_leaf_agree_with_playing(variant: str) -> None:
    position = start(variant)
    depth = 5 if len(position.legal_moves()) < 20 else 4
    by_hand = sum(position.play(move).perft(depth - 1) for move in position.legal_moves())
    assert position.perft(depth) == position.perft(depth, bulk=False) == by_hand


def test_depth_zero_is_the_position_itself() -> None:
    assert start("american").perft(0) == 1


@pytest.mark.parametrize("depth", [-1, 101])
def test_depths_beyond_reason_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="depth from 0 to 100"):
        start("american").perft(depth)


def test_other_threads_run_while_the_kernel_counts() -> None:
    counting = threading.Thread(target=start("american").perft, args=(10,))
    beats = 0
    counting.start()
    while counting.is_alive():
        beats += 1
        time.sleep(0.001)
    assert beats > 3


class Interrupted(Exception):
    pass


def test_a_signal_ends_a_long_count() -> None:
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise Interrupted

    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Interrupted):
            start("american").perft(60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
