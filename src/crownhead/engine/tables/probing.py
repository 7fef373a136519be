"""Asking endgame tables: open files, and what they say of a position and of its moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

from crownhead import _kernel
from crownhead._kernel import BadTable
from crownhead.engine.tables.folders import SHIPPED, folder_in, users_folder
from crownhead.rules import Move, Position
from crownhead.rules.lookup import variant_of

__all__ = ["BadTable", "Counts", "Held", "Result", "Tables", "Verdict"]


class Result(StrEnum):
    """Of a position with the best play of both, for its side to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


_RESULTS = {1: Result.WIN, 0: Result.DRAW, -1: Result.LOSS}
_WORTH = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}
_OPPOSITE = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a table says of a position: the result for its side to move, draw rules apart.

    ``plies`` are those until the end of the game, if the winner hurries and the loser does not; None for a
    draw, or where the distances are not there.
    """

    result: Result
    plies: int | None = None

    def __str__(self) -> str:
        if self.result is Result.DRAW:
            return "draws"
        sooner_or_later = "" if self.plies is None else f" in {self.plies}"
        return f"{'wins' if self.result is Result.WIN else 'loses'}{sooner_or_later}"

    def before(self) -> Verdict:
        """The same for the other side, who has moved here: one ply more, the result turned round."""
        return Verdict(_OPPOSITE[self.result], None if self.plies is None else self.plies + 1)

    @property
    def order(self) -> tuple[int, int]:
        """Greater is better: soon won, drawn, late lost."""
        worth = _WORTH[self.result]
        return worth, -worth * (self.plies or 0)


class Counts(NamedTuple):
    """How many positions have which result, and the longest win and loss among them, in plies."""

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
        """Those of both."""
        return Counts(
            self.wins + other.wins,
            self.losses + other.losses,
            self.draws + other.draws,
            max(self.longest_win, other.longest_win),
            max(self.longest_loss, other.longest_loss),
        )


@dataclass(frozen=True, slots=True)
class Held:
    """A material that there is a table of, such as ``kkm-k``: kings, men and marked men (``x``) of each side.

    ``counts`` are of both sides to move. Without ``distances`` the table tells results alone.
    """

    material: str
    pieces: int
    distances: bool
    bytes: int
    counts: Counts


class Tables:
    """The endgame tables of a variant, open. Any number of threads may ask."""

    def __init__(self, folder: Path, variant: str) -> None:
        """Open those in ``folder``.

        Raises ``BadTable``, naming the file that is none, and what ``folder_in`` raises.
        """
        self.variant = variant_of(variant).key
        self.folder = folder_in(folder, variant)
        self.kernel = _kernel.Tables(self.variant, str(self.folder))

    @classmethod
    def open(cls, folder: Path | str | None = None, variant: str = "american") -> Self:
        """The tables in a folder, this user's by default; raises what ``Tables`` does."""
        return cls(users_folder() if folder is None else Path(folder), variant)

    @classmethod
    def shipped(cls, variant: str = "american") -> Self:
        """The tables that come with the package; of most variants none."""
        return cls(SHIPPED, variant)

    @property
    def most(self) -> int:
        """No position of more pieces is known; 0 where there is no table."""
        return self.kernel.most

    @property
    def held(self) -> tuple[Held, ...]:
        """What there is a table of, fewest pieces first."""
        return tuple(
            Held(material, pieces, distances, size, Counts(*counts))
            for material, pieces, distances, size, counts in self.kernel.held()
        )

    def probe(self, position: Position) -> Verdict | None:
        """What is known of a position; None: nothing. Raises ``ValueError`` for one of another variant."""
        found = self.kernel.probe(position)
        return None if found is None else Verdict(_RESULTS[found[0]], found[1])

    def moves(self, position: Position) -> tuple[tuple[Move, Verdict], ...]:
        """The moves whose results are known, each with that of the side that makes it, best first."""
        judged = []
        for move in position.legal_moves():
            verdict = self.probe(position.play(move))
            if verdict is not None:
                judged.append((move, verdict.before()))
        return tuple(sorted(judged, key=lambda pair: pair[1].order, reverse=True))

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """The moves than which none is better; empty where the position, or its end, is not known."""
        if self.probe(position) is None:
            return ()
        judged = self.moves(position)
        return tuple(move for move, verdict in judged if verdict.order == judged[0][1].order)
