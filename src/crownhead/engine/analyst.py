"""What our own engine and other engines have in common: they analyse positions and play."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from crownhead.engine.clock import Clock
from crownhead.engine.engine import Listener, Subject
from crownhead.engine.report import Report
from crownhead.rules import Move, Variant


class Analyst(Protocol):
    """An engine of one variant. One search at a time; ``stop`` may come from another thread."""

    variant: Variant

    def analyse(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        on_report: Listener | None = None,
    ) -> Report:
        """Search a position, or the position of a game."""

    def play(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        """The best move that it finds; ``clock`` is that of the side to move."""

    def stop(self) -> None:
        """Stop the search; it returns what it has found."""


class RemoteEngine(Analyst, Protocol):
    """An engine outside this process; ``close`` ends the connection, as does the end of a ``with`` block."""

    @property
    def name(self) -> str:
        """What it calls itself; empty while that is not known."""

    def close(self) -> None:
        """End the connection, and a program that was started for it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
