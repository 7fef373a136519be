"""Computing in a process of its own: what is compiled may let no other thread of its process go on."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

_NICE = 10

Result = TypeVar("Result")


class LostProcess(RuntimeError):
    """It could not be started, or was killed before it had a result."""


class Computation(Generic[Result]):
    """What a function of a module returns, computed in a process that begins now and ends with this one."""

    def __init__(self, function: Callable[..., Result], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._answers, theirs = context.Pipe()
        self._process = context.Process(target=_compute, args=(theirs,), daemon=True)
        try:
            self._process.start()
        except OSError as error:
            raise LostProcess from error
        finally:
            theirs.close()  # the other process has its own end
        with suppress(OSError):  # it has ended already, which the result tells
            self._answers.send((function, arguments))

    @property
    def is_over(self) -> bool:
        """Whether ``result`` would not wait."""
        return self._answers.poll()

    def result(self) -> Result:
        """What the function returned; raises what it raised, or ``LostProcess``."""
        try:
            succeeded, answer = self._answers.recv()
        except (EOFError, OSError) as error:
            raise LostProcess from error
        finally:
            self._answers.close()
            self._process.join()
        if succeeded:
            result: Result = answer
            return result
        raise answer

    def stop(self) -> None:
        """End the process; nobody wants the result any more."""
        self._process.terminate()
        self._answers.close()
        self._process.join()


def _compute(answers: Connection) -> None:
    """Answer whether a function succeeds, and with what; give way to pages meanwhile."""
    with suppress(OSError):
        os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and the server this
    threading.Thread(target=_end_with_parent, daemon=True).start()
    function, arguments = answers.recv()
    try:
        answer = True, function(*arguments)
    except Exception as error:
        answer = False, error
    with suppress(OSError):
        answers.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
