"""The table builder: builds endgame tables by retrograde analysis, and verifies them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crownhead import _kernel
from crownhead.engine.errors import BadTable, EngineError, kernel_errors
from crownhead.engine.tables.folders import folder_in
from crownhead.engine.tables.probing import Counts
from crownhead.rules.errors import CrownheadError
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

MAX_PIECES = 7  # those of seven, four against three
MAX_WITH_DISTANCES = 5  # by default; of more pieces the tables would not fit a disk
MEMORY = 8 << 30  # bytes, by default


@dataclass(frozen=True, slots=True)
class Stage:
    """The progress of a build or a verification: ``done`` files of ``total``, ``part`` of the current one.

    ``finished``: this material, just now; ``was_there``: it needed no work. In a verification, ``checked``
    positions of the material have been compared with their successors, and ``wrong`` contradict them.
    ``counts`` are those of a material that is finished.
    """

    material: str
    done: int
    total: int
    part: float
    finished: bool
    was_there: bool
    checked: int
    wrong: int
    counts: Counts

    @property
    def pieces(self) -> int:
        """The number of pieces of both sides."""
        return len(self.material) - 1


Listener = Callable[[Stage], object]


@dataclass(frozen=True, slots=True)
class Projection:
    """What a build will take, but for the tables that are complete already.

    ``positions`` have one side to move each; ``memory`` and ``disk`` are bytes, ``seconds`` on the wall, as
    measured on a slice of the largest material. All are estimates.
    """

    materials: int
    positions: int
    memory: int
    disk: int
    seconds: float


def project(
    variant: str | Variant,
    pieces: int,
    folder: Path | str,
    *,
    threads: int = 1,
    distances: int = MAX_WITH_DISTANCES,
    memory: int = MEMORY,
) -> Projection:
    """What ``build`` will take; raises what that raises, except for too little memory."""
    _check(pieces)
    row = variant_of(variant)
    place = str(folder_in(folder, row))
    with kernel_errors():
        found = _kernel.project_tables(kernel_variant(row), place, pieces, distances, memory, threads)
    return Projection(*found)


def build(
    variant: str | Variant,
    pieces: int,
    folder: Path | str,
    *,
    threads: int = 1,
    distances: int = MAX_WITH_DISTANCES,
    memory: int = MEMORY,
    on_stage: Listener | None = None,
) -> None:
    """Build the tables of 2 to ``pieces`` pieces in the folder, except those that are complete already.

    Up to ``distances`` pieces they have the plies to the end of the game, beyond that results alone, built
    within ``memory`` bytes. Each file appears when it is finished, so a build can be stopped and resumed.
    ``on_stage`` is called with each stage; an exception of it ends the work. Raises ``EngineError`` for an
    impossible number of pieces, ``CrownheadError`` where the memory is too small, ``OSError`` where a file
    cannot be written, and what ``folder_in`` raises.
    """
    needed = project(variant, pieces, folder, threads=threads, distances=distances, memory=memory)
    if needed.memory > memory:
        raise CrownheadError(
            f"expected tables that can be built in {in_gigabytes(memory)} of memory, got some that take "
            f"{in_gigabytes(needed.memory)}: allow more, have distances for fewer pieces, or build fewer"
        )
    row = variant_of(variant)
    place = str(folder_in(folder, row))
    try:
        _kernel.build_tables(
            kernel_variant(row), place, pieces, distances, memory, threads, _listening(on_stage)
        )
    except _kernel.BadTable as error:
        raise BadTable(str(error)) from error


def verify(
    variant: str | Variant,
    pieces: int,
    folder: Path | str,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    on_stage: Listener | None = None,
) -> int:
    """Compare each position of the tables with its successors; the number of those that contradict them.

    Where there is no file of distances, the results alone are compared. Raises ``BadTable`` for a file that
    is missing or damaged, and what ``folder_in`` raises.
    """
    _check(pieces)
    wrong = 0

    def count(stage: Stage) -> None:
        nonlocal wrong
        wrong += stage.wrong if stage.finished else 0
        if on_stage is not None:
            on_stage(stage)

    row = variant_of(variant)
    place = str(folder_in(folder, row))
    try:
        _kernel.verify_tables(kernel_variant(row), place, pieces, memory, threads, _listening(count))
    except _kernel.BadTable as error:
        raise BadTable(str(error)) from error
    return wrong


def in_gigabytes(size: int) -> str:
    """Bytes for people, with two digits."""
    return f"{size / 1e9:.2g} GB" if size < 1e10 else f"{size / 1e9:,.0f} GB"


def _check(pieces: int) -> None:
    if not 2 <= pieces <= MAX_PIECES:
        raise EngineError(f"expected tables of 2 to {MAX_PIECES} pieces, got {pieces}")


def _listening(on_stage: Listener | None) -> Callable[..., None]:
    def listen(*arguments: Any) -> None:
        if on_stage is not None:
            material, done, total, part, finished, was_there, checked, wrong, counts = arguments
            on_stage(Stage(material, done, total, part, finished, was_there, checked, wrong, Counts(*counts)))

    return listen
