"""What can be asked for its opinion of a position: our own engine, or any other that is driven alike."""

from __future__ import annotations

from typing import Protocol

from crownhead.engine.report import Report
from crownhead.engine.thinking import Listener, Subject
from crownhead.rules import Move


class Analyst(Protocol):
    """An engine of one variant. One search at a time; ``stop`` may come from another thread."""

    variant: str

    def analyse(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        tell: Listener | None = None,
    ) -> Report:
        """What can be expected of a position, or of the position of a game."""

    def play(self, subject: Subject, *, seconds: float | None = None, depth: int | None = None) -> Move:
        """The move that it would make."""

    def stop(self) -> None:
        """Let the search end now, with what it has found."""
