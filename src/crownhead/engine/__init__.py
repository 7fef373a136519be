"""The engine: search, evaluation, training and endgame tables of every variant.

>>> from crownhead import Position, engine
>>> report = engine.analyse(Position.from_fen("W:WK10,K11:BK1,K4"), depth=5)
>>> report.depth
5
"""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING

from crownhead.engine.clock import Allowance, Clock
from crownhead.engine.engine import Engine, Listener, Subject, engine_of, position_of
from crownhead.engine.errors import BadTable, EngineError
from crownhead.engine.levels import LEVELS, choose
from crownhead.engine.report import Line, Report, Score
from crownhead.rules import Move

if TYPE_CHECKING:
    from crownhead.engine.analyst import RemoteEngine
    from crownhead.engine.connecting import AsyncEngine, connect, connect_async
    from crownhead.engine.streaming import analyse_async, stream

__all__ = [
    "LEVELS",
    "Allowance",
    "AsyncEngine",
    "BadTable",
    "Clock",
    "Engine",
    "EngineError",
    "Line",
    "RemoteEngine",
    "Report",
    "Score",
    "analyse",
    "analyse_async",
    "connect",
    "connect_async",
    "play",
    "stream",
]

_LATER = {
    "AsyncEngine": "connecting",
    "RemoteEngine": "analyst",
    "analyse_async": "streaming",
    "connect": "connecting",
    "connect_async": "connecting",
    "stream": "streaming",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what speaks with other programs and event loops when first used: a site does neither."""
        if name in _LATER:
            return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def analyse(
    subject: Subject,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    threads: int = 1,
    on_report: Listener | None = None,
) -> Report:
    """Search a position, or that of a game; see ``Engine.analyse``. The transposition table is kept."""
    engine = engine_of(position_of(subject).variant)
    return engine.analyse(
        subject, seconds=seconds, depth=depth, nodes=nodes, lines=lines, threads=threads, on_report=on_report
    )


def play(
    subject: Subject,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    level: int | None = None,
    dice: random.Random | None = None,
) -> Move:
    """The best move that the engine finds; see ``Engine.play``.

    With a ``level`` from 1 to 10 it plays as people do, the lower the weaker: see ``levels.choose``, which
    takes the ``dice``. ``seconds`` then bounds the highest level; a ``depth`` beside it is a ``EngineError``.
    """
    engine = engine_of(position_of(subject).variant)
    if level is None:
        return engine.play(subject, seconds=seconds, depth=depth)
    if depth is not None:
        raise EngineError("expected a level or a depth, got both")
    return choose(engine, subject, level=level, dice=dice, seconds=seconds)
