"""What our own engine and other engines have in common: they analyse positions and play."""

from __future__ import annotations

from typing import Protocol

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
        tell: Listener | None = None,
    ) -> Report:
        """Search a position, or the position of a game."""

    def play(self, subject: Subject, *, seconds: float | None = None, depth: int | None = None) -> Move:
        """The best move that it finds."""

    def stop(self) -> None:
        """Stop the search; it returns what it has found."""
