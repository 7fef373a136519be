"""The engine: what a position of any variant is worth, and what to play.

>>> from crownhead import Position, engine
>>> report = engine.analyse(Position.from_fen("W:WK10,K11:BK1,K4"), depth=5)
>>> report.depth
5
"""

from __future__ import annotations

from crownhead.engine.report import Line, Report, Score
from crownhead.engine.thinking import Engine, Listener, Subject, engine_of
from crownhead.rules import Move

__all__ = ["Engine", "Line", "Report", "Score", "analyse", "play"]


def analyse(
    subject: Subject,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    threads: int = 1,
    tell: Listener | None = None,
) -> Report:
    """What can be expected of a position or a game; see ``Engine.analyse``. Its memory is kept."""
    engine = engine_of(_key(subject))
    return engine.analyse(
        subject, seconds=seconds, depth=depth, nodes=nodes, lines=lines, threads=threads, tell=tell
    )


def play(subject: Subject, *, seconds: float | None = None, depth: int | None = None) -> Move:
    """The move that the engine would make; see ``Engine.play``."""
    return engine_of(_key(subject)).play(subject, seconds=seconds, depth=depth)


def _key(subject: Subject) -> str:
    return subject.variant.key
