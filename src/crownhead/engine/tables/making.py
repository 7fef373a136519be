"""Making endgame tables, and checking those that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crownhead import _kernel
from crownhead.engine.tables.folders import folder_in
from crownhead.engine.tables.probing import Counts
from crownhead.rules.lookup import variant_of

MOST_PIECES = 7
_Work = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Stage:
    """How far the work has come: ``done`` files of ``total``, and the ``part`` of the one at hand.

    ``finished``: this material, just now; ``was_there``: it needed no work. When tables are verified,
    ``checked`` positions of the material have been compared with their successors, and ``wrong`` contradict
    them. ``counts`` are those of a material that is finished.
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


def build(variant: str, pieces: int, folder: Path, *, threads: int = 1, tell: Listener | None = None) -> None:
    """Make the tables of 2 to ``pieces`` pieces in the folder, but for those that are there and whole.

    Each file appears when it is finished, so the work can be stopped and gone on with. ``tell`` hears of
    each stage; what it raises ends the work. Raises ``ValueError`` for a number of pieces that cannot be,
    ``OSError`` where a file cannot be written, and what ``folder_in`` raises.
    """
    _work(_kernel.build_tables, variant, pieces, folder, threads, tell)


def verify(variant: str, pieces: int, folder: Path, *, threads: int = 1, tell: Listener | None = None) -> int:
    """Compare each position of the tables with its successors; the number of those that contradict them.

    Raises ``BadTable`` for a file that is missing or damaged, and what ``build`` raises.
    """
    wrong = 0

    def hear(stage: Stage) -> None:
        nonlocal wrong
        wrong += stage.wrong if stage.finished else 0
        if tell is not None:
            tell(stage)

    _work(_kernel.verify_tables, variant, pieces, folder, threads, hear)
    return wrong


def _work(work: _Work, variant: str, pieces: int, folder: Path, threads: int, tell: Listener | None) -> None:
    if not 2 <= pieces <= MOST_PIECES:
        raise ValueError(f"expected tables of 2 to {MOST_PIECES} pieces, got {pieces}")

    def hear(*told: Any) -> None:
        if tell is not None:
            material, done, total, part, finished, was_there, checked, wrong, counts = told
            tell(Stage(material, done, total, part, finished, was_there, checked, wrong, Counts(*counts)))

    key = variant_of(variant).key
    work(key, str(folder_in(folder, key)), pieces, threads, hear)
