"""Parts shared by commands that use the engine: search limits and output of reports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from crownhead.cli.arguments import whole_number
from crownhead.engine.engine import MAX_MEGABYTES, MAX_THREADS, MEGABYTES, Engine
from crownhead.engine.report import Report
from crownhead.rules.schema import Variant

_LONGEST = 86_400.0


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add ``--seconds``, ``--depth``, ``--nodes`` and ``--threads``."""
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        help="search time in seconds (default: 1 if there is no other limit)",
    )
    parser.add_argument("--depth", metavar="N", type=whole_number(1, 100), help="search depth in plies")
    parser.add_argument(
        "--nodes", metavar="N", type=whole_number(1, 999_999_999), help="number of positions to search"
    )
    add_threads(parser)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add ``--threads``."""
    parser.add_argument(
        "--threads",
        metavar="N",
        type=whole_number(1, MAX_THREADS),
        default=1,
        help="number of search threads (default: 1)",
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add ``--hash`` and ``--no-tables``, what the engine is made with."""
    parser.add_argument(
        "--hash",
        metavar="MB",
        type=whole_number(1, MAX_MEGABYTES),
        default=MEGABYTES,
        help=f"megabytes of the transposition table (default: {MEGABYTES})",
    )
    parser.add_argument(
        "--no-tables", dest="tables", action="store_false", help="do not probe the endgame tables"
    )


def engine_of(arguments: argparse.Namespace, variant: str | Variant) -> Engine:
    """The engine that the options ask for."""
    return Engine(variant, megabytes=arguments.hash, tables=arguments.tables)


def limits_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the limits as arguments for the engine."""
    return {name: getattr(arguments, name) for name in ("seconds", "depth", "nodes", "threads")}


def format_line(report: Report, line: int = 0) -> str:
    """Format a line of a report as text."""
    best = report.lines[line]
    return (
        f"{report.depth:>3}  {best.score!s:>12}  {report.seconds:7.2f} s  {' '.join(report.notations(line))}"
    )


def follower(wanted: bool) -> Callable[[Report], None] | None:
    """Return a callback that prints intermediate reports, if standard output is a terminal."""
    if not (wanted and sys.stdout.isatty()):
        return None
    return lambda report: print(format_line(report), flush=True)


def as_dict(report: Report) -> dict[str, Any]:
    """Return a report as JSON data."""
    score = report.score
    return {
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
        "score": None if score is None else score.value,
        "proven": report.proven,
        "tables": None if report.verdict is None else asdict(report.verdict),
        "lines": [
            {
                "score": line.score.value,
                "wins_in": line.score.win_in,
                "loses_in": line.score.loss_in,
                "moves": report.notations(number),
            }
            for number, line in enumerate(report.lines)
        ],
    }


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(
            f"expected seconds above 0, at most {_LONGEST:.0f}, got {text[:20]!r}"
        )
    return seconds
