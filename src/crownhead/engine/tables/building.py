"""The table builder: builds endgame tables by retrograde analysis, and verifies them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crownhead import _kernel
from crownhead.engine.tables.folders import folder_in
from crownhead.engine.tables.probing import Counts
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

MOST_PIECES = 7
_Work = Callable[..., None]


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
        """Of both sides."""
        return len(self.material) - 1


Listener = Callable[[Stage], object]


def build(
    variant: str | Variant, pieces: int, folder: Path | str, *, threads: int = 1, tell: Listener | None = None
) -> None:
    """Build the tables of 2 to ``pieces`` pieces in the folder, except those that are complete already.

    Each file appears when it is finished, so a build can be stopped and resumed. ``tell`` is called with each
    stage; an exception of it ends the work. Raises ``ValueError`` for an impossible number of pieces,
    ``OSError`` where a file cannot be written, and what ``folder_in`` raises.
    """
    _work(_kernel.build_tables, variant, pieces, folder, threads, tell)


def verify(
    variant: str | Variant, pieces: int, folder: Path | str, *, threads: int = 1, tell: Listener | None = None
) -> int:
    """Compare each position of the tables with its successors; the number of those that contradict them.

    Raises ``BadTable`` for a file that is missing or damaged, and what ``build`` raises.
    """
    wrong = 0

    def on_stage(stage: Stage) -> None:
        nonlocal wrong
        wrong += stage.wrong if stage.finished else 0
        if tell is not None:
            tell(stage)

    _work(_kernel.verify_tables, variant, pieces, folder, threads, on_stage)
    return wrong


def _work(
    work: _Work, variant: str | Variant, pieces: int, folder: Path | str, threads: int, tell: Listener | None
) -> None:
    if not 2 <= pieces <= MOST_PIECES:
        raise ValueError(f"expected tables of 2 to {MOST_PIECES} pieces, got {pieces}")

    def on_stage(*arguments: Any) -> None:
        if tell is not None:
            material, done, total, part, finished, was_there, checked, wrong, counts = arguments
            tell(Stage(material, done, total, part, finished, was_there, checked, wrong, Counts(*counts)))

    row = variant_of(variant)
    work(kernel_variant(row), str(folder_in(folder, row)), pieces, threads, on_stage)
