"""Work on several files in processes of their own, answered in the order of the files."""

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

_LOOK = 0.2  # seconds between two looks at how far the processes are

_T = TypeVar("_T")

Work = Callable[[str, Callable[[int], None]], _T]  # on a file; tells how many bytes of it are done


def default_jobs() -> int:
    """How many processes this machine runs at a time."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # where a process cannot be tied to processors
        return os.cpu_count() or 1


def map_files(files: Sequence[str], work: Work[_T], *, jobs: int, progress: Progress) -> Iterator[_T]:
    """What ``work``, which must travel between processes, makes of each file; raises what it raises.

    Raises ``CrownheadError`` where a process dies.
    The standard input is read by this process, since no other has it.
    """
    done = multiprocessing.Array("q", len(files))
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(done,))
    try:
        waiting = [
            None if file == STANDARD_INPUT else pool.submit(_work, work, file, index)
            for index, file in enumerate(files)
        ]
        for file, answer in zip(files, waiting, strict=True):
            yield work(file, _nobody) if answer is None else _answered(answer, done, progress)
    except BrokenProcessPool as error:  # killed, perhaps for want of memory
        raise CrownheadError("expected every process to finish its file, but one has died") from error
    except BaseException:  # an interrupt above all: nobody waits for what nobody wants
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
    """What a process has in common with the one that began it."""

    done: SynchronizedArray[int]


def _begin(done: SynchronizedArray[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # die of it in silence
    _Shared.done = done


def _work(work: Work[_T], file: str, index: int) -> _T:
    def tell(count: int) -> None:
        _Shared.done[index] = count

    return work(file, tell)


def _nobody(_count: int) -> None:
    """Nobody wants to know."""
