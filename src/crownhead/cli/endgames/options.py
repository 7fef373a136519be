"""Parts shared by the commands about endgame tables: options, progress and totals by number of pieces."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crownhead.cli.arguments import add_json, add_variant, whole_number
from crownhead.cli.progress import Progress
from crownhead.cli.tables import table
from crownhead.engine.tables import MAX_PIECES, MEMORY, Counts, Stage, users_folder

_MAX_THREADS = 256
_MAX_GIB = 4096
_NAMES = ("positions", "wins", "losses", "draws", "longest_win", "longest_loss")


def add_options(parser: argparse.ArgumentParser, *, works: bool) -> None:
    """Add ``--variant``, ``--pieces``, ``--out``, ``--json``, and ``--threads`` if ``works``."""
    add_variant(parser)
    parser.add_argument(
        "--pieces",
        metavar="N",
        type=_pieces,
        required=works,
        help=f"maximum number of pieces of both sides together, from 2 to {MAX_PIECES}",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="the folder of the tables (default: CROWNHEAD_TABLES, or your own data folder)",
    )
    if works:
        cores = os.cpu_count() or 1
        parser.add_argument(
            "--threads",
            metavar="N",
            type=whole_number(1, _MAX_THREADS),
            default=cores,
            help="number of threads (default: one per core)",
        )
    add_json(parser)


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Add ``--memory``, in bytes."""
    parser.add_argument(
        "--memory",
        metavar="GIB",
        type=lambda text: whole_number(1, _MAX_GIB)(text) << 30,
        default=MEMORY,
        help=f"memory that may be used, in GiB (default: {MEMORY >> 30})",
    )


def folder_of(arguments: argparse.Namespace) -> Path:
    """Return the given folder, or the user's own."""
    return users_folder() if arguments.out is None else arguments.out


def _pieces(text: str) -> int:
    try:
        return whole_number(2, MAX_PIECES)(text)
    except argparse.ArgumentTypeError as error:
        if not text.strip().isdigit() or int(text) < 2:
            raise
        raise argparse.ArgumentTypeError(
            f"{error}: with each piece more there are fourteen to twenty times as many positions, of eight "
            f"in American checkers 400,000 million"
        ) from None


PARTS = 1000  # steps of the progress bar


@contextmanager
def following(work: str) -> Iterator[Follower]:
    """Show a progress bar during the block, and yield the callback for its stages."""
    with Progress(work, total=PARTS) as progress:
        yield Follower(progress)


class Follower:
    """A callback that shows progress and sums up the finished tables."""

    def __init__(self, progress: Progress) -> None:
        self.stages: list[Stage] = []
        self._progress = progress

    def __call__(self, stage: Stage) -> None:
        """Update the progress bar."""
        if stage.finished:
            self.stages.append(stage)
        share = round(PARTS * (stage.done + stage.part) / max(stage.total, 1))
        self._progress.show(share, f"{stage.material}, {stage.done} of {stage.total}")

    @property
    def counts(self) -> dict[int, Counts]:
        """The totals by number of pieces."""
        return summed((stage.pieces, stage.counts) for stage in self.stages)


def summed(counted: Iterable[tuple[int, Counts]]) -> dict[int, Counts]:
    """Add up counts by number of pieces."""
    sums: dict[int, Counts] = {}
    for pieces, counts in counted:
        sums[pieces] = sums.get(pieces, Counts()).plus(counts)
    return sums


def in_json(counts: dict[int, Counts]) -> list[dict[str, Any]]:
    """Return the totals as JSON data; the longest win and loss are null where no distances are known."""
    return [
        {"pieces": pieces} | dict(zip(_NAMES, _row(stats), strict=True)) for pieces, stats in counts.items()
    ]


def in_text(counts: dict[int, Counts]) -> list[str]:
    """Return the totals as lines of a table."""
    heading = ("pieces", *(name.replace("_", " ") for name in _NAMES))
    rows = [(str(pieces), *map(in_cell, _row(stats))) for pieces, stats in counts.items()]
    return table(heading, rows, right=range(len(heading)))


def in_cell(number: int | None) -> str:
    """Format a count; a dash for what is not known."""
    return "–" if number is None else f"{number:,}"


def _row(counts: Counts) -> tuple[int | None, ...]:
    return (
        counts.positions,
        counts.wins,
        counts.losses,
        counts.draws,
        counts.longest_win or None,
        counts.longest_loss or None,
    )
