"""Processing files in parallel."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable

import pytest

from crownhead import CrownheadError
from crownhead.cli.games.parallel import default_jobs, map_files
from crownhead.cli.progress import Progress


def shout(file: str, on_progress: Callable[[int], None]) -> str:
    """Work that reports progress and finishes immediately."""
    on_progress(7)
    return file.upper()


def fail(file: str, _on_progress: Callable[[int], None]) -> str:
    """Work that fails."""
    raise CrownheadError(f"{file} is bad")


def die(_file: str, _on_progress: Callable[[int], None]) -> str:
    """Work that is killed."""
    os._exit(1)


def test_answers_come_in_the_order_of_the_files() -> None:
    names = [f"file {number}" for number in range(20)]
    answers = map_files(names, shout, jobs=3, progress=Progress("working"))
    assert list(answers) == [name.upper() for name in names]


def test_an_error_of_a_process_is_raised_here_and_no_process_stays() -> None:
    with pytest.raises(CrownheadError, match="b is bad"):
        list(map_files(["b", "c"], fail, jobs=2, progress=Progress("working")))
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_is_reported() -> None:
    with pytest.raises(CrownheadError, match="but one has died"):
        list(map_files(["a", "b"], die, jobs=2, progress=Progress("working")))


def test_there_is_a_processor() -> None:
    assert default_jobs() >= 1
