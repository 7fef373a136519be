"""Processing several files in parallel, with results in the order of the files."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.sharedctypes import SynchronizedArray
from typing import TypeVar

from crownhead.cli.progress import Progress
from crownhead.cli.sources import STANDARD_INPUT
from crownhead.rules.errors import CrownheadError
from crownhead.rules.house import register
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK, VARIANTS

_LOOK = 0.2  # seconds between progress updates

_T = TypeVar("_T")

Work = Callable[[str, Callable[[int], None]], _T]  # processes a file; reports how many bytes are done


def default_jobs() -> int:
    """Return the number of available processors."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on this platform
        return os.cpu_count() or 1


def map_files(files: Sequence[str], work: Work[_T], *, jobs: int, progress: Progress) -> Iterator[_T]:
    """Yield the result of ``work``, which must be picklable, for each file; raises what ``work`` raises.

    Raises ``CrownheadError`` if a process dies. Standard input is read by this process, because
    the others do not have it.
    """
    done = multiprocessing.Array("q", len(files))
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(done, _house_rows()))
    try:
        waiting = [
            None if file == STANDARD_INPUT else pool.submit(_work, work, file, index)
            for index, file in enumerate(files)
        ]
        for file, answer in zip(files, waiting, strict=True):
            yield work(file, _ignore) if answer is None else _answered(answer, done, progress)
    except BrokenProcessPool as error:  # killed, perhaps out of memory
        raise CrownheadError("expected every process to finish its file, but one has died") from error
    except BaseException:  # above all an interrupt: stop the other processes
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _answered(answer: Future[_T], done: SynchronizedArray[int], progress: Progress) -> _T:
    while True:
        try:
            return answer.result(_LOOK)
        except TimeoutError:
            if answer.done():
                raise
            progress.show(sum(done[:]))


class _Shared:
    """State shared with the parent process."""

    done: SynchronizedArray[int]


def _house_rows() -> tuple[Variant, ...]:
    return tuple(row for row in VARIANTS.values() if row.key not in STOCK)


def _begin(done: SynchronizedArray[int], house_rows: Sequence[Variant]) -> None:
    register(house_rows)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # exit quietly on Ctrl+C
    _Shared.done = done


def _work(work: Work[_T], file: str, index: int) -> _T:
    def report_progress(count: int) -> None:
        _Shared.done[index] = count

    return work(file, report_progress)


def _ignore(_count: int) -> None:
    """Ignore progress."""
