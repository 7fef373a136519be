"""Computing in a process of its own: what is compiled may let no other thread of its process go on."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

_NICE = 10

Result = TypeVar("Result")


class LostProcess(RuntimeError):
    """It was killed before it had a result."""


class Computation(Generic[Result]):
    """What a function of a module returns, computed in a process that begins now and ends with this one."""

    def __init__(self, function: Callable[..., Result], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._answers, answers = context.Pipe(duplex=False)
        self._process = context.Process(target=_compute, args=(answers, function, arguments), daemon=True)
        self._process.start()
        answers.close()  # the other process has its own end

    @property
    def is_over(self) -> bool:
        """Whether ``result`` would not wait."""
        return self._answers.poll()

    def result(self) -> Result:
        """What the function returned; raises what it raised, or ``LostProcess``."""
        try:
            succeeded, answer = self._answers.recv()
        except EOFError as error:
            raise LostProcess from error
        finally:
            self._answers.close()
            self._process.join()
        if succeeded:
            result: Result = answer
            return result
        raise answer


def _compute(answers: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Give way to pages, and answer whether the function succeeded, and with what."""
    with suppress(OSError):
        os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and the server this
    try:
        answer = True, function(*arguments)
    except Exception as error:
        answer = False, error
    with suppress(BrokenPipeError):
        answers.send(answer)
