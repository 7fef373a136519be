"""Probing endgame tables: open files, and their results of a position and of its moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

from crownhead import _kernel
from crownhead.engine.errors import BadTable, EngineError, kernel_errors
from crownhead.engine.tables.folders import SHIPPED, folder_in, users_folder
from crownhead.rules import Move, Position
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

__all__ = ["BadTable", "Counts", "Held", "Result", "Tables", "Verdict"]


class Result(StrEnum):
    """The result of a position with the best play of both sides, for the side to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


_RESULTS = {1: Result.WIN, 0: Result.DRAW, -1: Result.LOSS}
_VALUES = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}
_OPPOSITE = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a position in the tables, for its side to move, draw rules apart.

    ``plies`` is the distance to the end of the game, the winner taking the shortest way and the loser the
    longest; None for a draw, or where there is no table of distances.
    """

    result: Result
    plies: int | None = None

    def __str__(self) -> str:
        if self.result is Result.DRAW:
            return "draws"
        sooner_or_later = "" if self.plies is None else f" in {self.plies}"
        return f"{'wins' if self.result is Result.WIN else 'loses'}{sooner_or_later}"

    def before(self) -> Verdict:
        """The verdict for the other side, which has moved here: one ply more, the opposite result."""
        return Verdict(_OPPOSITE[self.result], None if self.plies is None else self.plies + 1)

    @property
    def order(self) -> tuple[int, int]:
        """Greater is better: an early win, a late win, a draw, a late loss, an early loss."""
        value = _VALUES[self.result]
        return value, -value * (self.plies or 0)


class Counts(NamedTuple):
    """How many positions have which result, and the longest win and loss in plies; 0 where not known."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    longest_win: int = 0
    longest_loss: int = 0

    @property
    def positions(self) -> int:
        """All of them, with one side to move."""
        return self.wins + self.losses + self.draws

    def plus(self, other: Counts) -> Counts:
        """The counts of both together."""
        return Counts(
            self.wins + other.wins,
            self.losses + other.losses,
            self.draws + other.draws,
            max(self.longest_win, other.longest_win),
            max(self.longest_loss, other.longest_loss),
        )


@dataclass(frozen=True, slots=True)
class Held:
    """A material with a table, such as ``kkm-k``: kings, men and marked men (``x``) of each side.

    ``counts`` are of both sides to move. Without ``distances`` the table has results alone.
    """

    material: str
    pieces: int
    distances: bool
    bytes: int
    counts: Counts


class Tables:
    """The open endgame tables of a variant. Any number of threads may probe them."""

    def __init__(self, folder: Path | str, variant: str | Variant) -> None:
        """Open those in ``folder``.

        Raises ``BadTable``, naming the file that is no table, and what ``folder_in`` raises.
        """
        self.variant = variant_of(variant)
        self.folder = folder_in(folder, variant)
        with kernel_errors():
            self.kernel = _kernel.Tables(kernel_variant(self.variant), str(self.folder))

    @classmethod
    def open(cls, folder: Path | str | None = None, variant: str | Variant = "american") -> Self:
        """The tables in a folder, this user's by default; raises what ``Tables`` does."""
        return cls(users_folder() if folder is None else Path(folder), variant)

    @classmethod
    def shipped(cls, variant: str | Variant = "american") -> Self:
        """The tables that come with the package; of most variants none."""
        return cls(SHIPPED, variant)

    @property
    def most(self) -> int:
        """The most pieces of a position that is known; 0 without tables."""
        return self.kernel.most

    @property
    def held(self) -> tuple[Held, ...]:
        """The materials with a table, fewest pieces first."""
        return tuple(
            Held(material, pieces, distances, size, Counts(*counts))
            for material, pieces, distances, size, counts in self.kernel.inventory()
        )

    def probe(self, position: Position) -> Verdict | None:
        """The result of a position; None: not known. Raises ``EngineError`` for one of another variant."""
        try:
            found = self.kernel.probe(position)
        except ValueError as error:
            raise EngineError(str(error)) from error
        return None if found is None else Verdict(_RESULTS[found[0]], found[1])

    def moves(self, position: Position) -> tuple[tuple[Move, Verdict], ...]:
        """The moves whose results are known, each with the result for the side that makes it, best first."""
        results = []
        for move in position.legal_moves():
            verdict = self.probe(position.play(move))
            if verdict is not None:
                results.append((move, verdict.before()))
        return tuple(sorted(results, key=lambda pair: pair[1].order, reverse=True))

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """The best moves; empty where the position is not known."""
        if self.probe(position) is None:
            return ()
        results = self.moves(position)
        return tuple(move for move, verdict in results if verdict.order == results[0][1].order)
