"""The report of a search: scores, principal variations, nodes and time."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.engine.errors import EngineError
from crownhead.engine.tables import Result, Verdict
from crownhead.rules import Move, Position

WON = 30_000  # a game that is won already
_FORCED = 29_500  # beyond it a score counts plies to the end instead of hundredths of a man


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """What a position is worth to its side to move.

    ``value`` is in hundredths of a man; beyond ±29,500 it is a forced win or loss, ``30,000`` less the plies
    until the end.
    """

    value: int

    @property
    def win_in(self) -> int | None:
        """The plies until a forced win of the side to move; None where none was found."""
        return WON - self.value if self.value > _FORCED else None

    @property
    def loss_in(self) -> int | None:
        """The plies until a forced loss of the side to move; None where none was found."""
        return WON + self.value if self.value < -_FORCED else None

    @property
    def is_forced(self) -> bool:
        """A forced win or loss, against any defence."""
        return abs(self.value) > _FORCED

    def __neg__(self) -> Score:
        return Score(-self.value)

    def __str__(self) -> str:
        if self.win_in is not None:
            return f"wins in {self.win_in}"
        if self.loss_in is not None:
            return f"loses in {self.loss_in}"
        return f"{self.value / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation with its score."""

    score: Score
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a search, or of a part of it.

    ``lines`` are the best moves with what follows each, best first; they are empty where the game is over.
    ``depth`` is in plies, ``reached`` the selective depth (the longest line searched), ``nodes`` the
    positions visited. ``verdict`` is the result in the endgame tables, draw rules apart; None where they do
    not know the position. ``certain`` are the plies within which no draw rule that the search does not count
    can end the game; None: there is no such rule.
    """

    position: Position
    depth: int
    reached: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    verdict: Verdict | None = None
    certain: int | None = None

    @property
    def score(self) -> Score | None:
        """The score of the best line; None where the game is over."""
        return self.lines[0].score if self.lines else None

    @property
    def pv(self) -> tuple[Move, ...]:
        """The principal variation: the moves of the best line."""
        return self.lines[0].moves if self.lines else ()

    @property
    def move(self) -> Move | None:
        """The best move; None where the game is over."""
        return self.pv[0] if self.pv else None

    def expect_move(self) -> Move:
        """The best move. Raises ``EngineError`` where the game is over."""
        if self.move is None:
            raise EngineError("expected a position with a legal move, got one where the game is over")
        return self.move

    @property
    def proven(self) -> bool:
        """The result is certain, by a forced line of the search or by endgame tables.

        A win or a loss is certain only if it comes before any draw rule of the game can interfere; a draw,
        only by endgame tables.
        """
        if self.verdict is not None and self.verdict.result is Result.DRAW:
            return True
        if self.score is None or not self.score.is_forced:
            return False
        plies = self.score.win_in if self.score.win_in is not None else self.score.loss_in
        return self.certain is None or (plies is not None and plies <= self.certain)

    def notations(self, line: int = 0) -> tuple[str, ...]:
        """The moves of a line as they are written, each in its position."""
        position, texts = self.position, []
        for move in self.lines[line].moves:
            texts.append(position.notation(move))
            position = position.play(move)
        return tuple(texts)
