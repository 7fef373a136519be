"""The engine of one variant: the search of the kernel with its weights, endgame tables and draw rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from crownhead._kernel import Searcher
from crownhead.engine.certainty import COUNTED, certain_plies, plies_since
from crownhead.engine.clock import Clock
from crownhead.engine.errors import EngineError, kernel_errors
from crownhead.engine.networks import evaluation
from crownhead.engine.report import Line, Report, Score
from crownhead.engine.tables import Tables
from crownhead.engine.tables.available import available
from crownhead.rules import Move, Position
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import DrawRules, NoProgressDraw, RepetitionDraw, Variant

MAX_DEPTH = 100
MEGABYTES = 64
MAX_MEGABYTES = 1 << 16
MAX_THREADS = 256
_SECONDS = 1.0  # where nothing limits a search
MAX_PIECES_WITH_TABLES = 16  # with more no search reaches the endgame tables

Subject = Position | Game
Listener = Callable[[Report], None]


class Engine:
    """The engine of a variant, with its own transposition table. One search at a time.

    ``megabytes`` is the size of the transposition table. ``weights`` of the evaluation are those that
    ``crownhead train`` has fitted, behind them perhaps a network: by default those of this package. Without
    any (``b""``) the material is counted. ``tables`` are the endgame tables to probe: by default those
    available, with False none. ``margins`` of the search, by name, replace those that have been tuned; raises
    ``EngineError`` where there is no such name or the value makes no sense.
    """

    def __init__(
        self,
        variant: str | Variant = "american",
        *,
        megabytes: int = MEGABYTES,
        weights: bytes | None = None,
        tables: Tables | bool = True,
        margins: Mapping[str, int] | None = None,
    ) -> None:
        self.variant = variant_of(variant)
        if not 1 <= megabytes <= MAX_MEGABYTES:
            raise EngineError(f"expected 1 to {MAX_MEGABYTES} megabytes, got {megabytes}")
        self._tables = tables
        if weights is None:
            weights = evaluation(self.variant)
        with kernel_errors():
            self._searcher = Searcher(kernel_variant(self.variant), megabytes, weights)
            if margins:
                self._searcher.set_margins(dict(margins))

    def analyse(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        soft_seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        lines: int = 1,
        threads: int = 1,
        with_tables: bool = True,
        to_the_letter: bool = False,
        on_report: Listener | None = None,
    ) -> Report:
        """Search a position, or the position of a game, by iterative deepening.

        Ends after ``seconds``, at ``depth`` plies or after ``nodes`` positions, whichever comes first; after
        a second where none is given. It begins no new iteration after about ``soft_seconds``: sooner where
        the best move has long been the same, later where it has just changed or its score has fallen.
        ``lines`` is the number of principal variations (MultiPV). With one
        thread a search limited by depth or nodes gives the same result every time with a fresh engine. In a
        game, repetitions and the counter of moves without progress count: a position that is repeated is a
        draw, or with ``to_the_letter`` only if the next repetition is one by the rules of the game. A
        position that the endgame tables know has an exact result; without ``with_tables`` they are not
        probed. ``on_report`` is called with each report that is better than the last. Raises ``EngineError``
        for a limit below its least value, or a position of another variant.
        """
        position = position_of(subject)
        positions, drawn_after = _reversible_history(subject)
        if to_the_letter:
            positions = _drawn_when_repeated(positions, subject)
        require_variant(position, self.variant)
        if seconds is None and soft_seconds is None and depth is None and nodes is None:
            seconds = _SECONDS
        _check("seconds", seconds, 0)
        _check("soft_seconds", soft_seconds, 0)
        _check("depth", depth, 1)
        _check("nodes", nodes, 1)
        _check("lines", lines, 1)
        _check("threads", threads, 1)
        tables = self._endgames(position) if with_tables else None
        certain = certain_plies(subject)
        verdict = None if tables is None else tables.probe(position)

        def report(raw: Any) -> Report:
            depth, reached, nodes, seconds, lines = raw
            variations = tuple(Line(Score(score), _moves(position, line)) for score, _, line in lines)
            return Report(position, depth, reached, nodes, seconds, variations, verdict, certain)

        found = self._searcher.search(
            positions,
            depth=min(depth or MAX_DEPTH, MAX_DEPTH),
            nodes=nodes,
            seconds=seconds,
            soft_seconds=soft_seconds,
            lines=lines,
            threads=threads,
            drawn_after=drawn_after,
            tables=None if tables is None else tables.kernel,
            on_report=None if on_report is None else lambda raw: on_report(report(raw)),
        )
        return report(found)

    def play(
        self,
        subject: Subject,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Move:
        """The best move that the engine finds, within what the ``clock`` of its side allows.

        ``seconds`` bounds that. Raises ``EngineError`` where there is no move.
        """
        soft = None
        if clock is not None:
            allowance = clock.allowance if seconds is None else clock.allowance.at_most(seconds)
            seconds, soft = allowance.hard, allowance.soft
        return self.analyse(subject, seconds=seconds, soft_seconds=soft, depth=depth).expect_move()

    def _endgames(self, position: Position) -> Tables | None:
        """The endgame tables that a search of this position may reach."""
        if isinstance(self._tables, Tables):
            return self._tables
        if not self._tables or len(position.pieces) > MAX_PIECES_WITH_TABLES:
            return None
        return available(self.variant)

    def stop(self) -> None:
        """Stop a search that runs in another thread; it returns what it has found."""
        self._searcher.stop()

    def forget(self) -> None:
        """Clear the transposition table."""
        self._searcher.clear()


def position_of(subject: Subject) -> Position:
    """The position to search; raises ``CrownheadError`` for what is neither a position nor a game."""
    position: object = subject if isinstance(subject, Position) else getattr(subject, "position", None)
    if not isinstance(position, Position):
        raise CrownheadError(f"expected a Position or a Game, got {subject!r:.80}")
    return position


def require_variant(position: Position, variant: Variant) -> None:
    """Raise ``EngineError`` for a position of another variant, or of other rules under the same key."""
    if position.variant is not variant and position.variant != variant:
        other = position.variant_key if position.variant_key != variant.key else "other rules with that key"
        raise EngineError(f"expected a position of {variant.key}, got one of {other}")


@lru_cache(maxsize=4)
def engine_of(variant: str | Variant) -> Engine:
    """An engine that is kept for the next search of the same variant."""
    return Engine(variant)


def _reversible_history(subject: Subject) -> tuple[list[Position], int]:
    """The positions since the last irreversible move, and the plies without one that draw a game."""
    if isinstance(subject, Position):
        return [subject], no_progress_limit(subject.variant.draws)
    since = plies_since(subject, COUNTED)
    return list(subject.positions[len(subject.positions) - 1 - since :]), no_progress_limit(
        subject.draw_rules
    )


def _drawn_when_repeated(positions: list[Position], subject: Subject) -> list[Position]:
    """The history, with positions that may be repeated once more without a draw hidden from the search.

    Each is replaced by the next one: the other side is to move there, so it equals no position that the
    search compares with it.
    """
    rules = (subject.variant.draws if isinstance(subject, Position) else subject.draw_rules).rules
    times = min(
        (rule.times for rule in rules if isinstance(rule, RepetitionDraw)), default=len(positions) + 2
    )
    times_seen = Counter(positions)
    return [
        here if times_seen[here] >= times - 1 else after
        for here, after in pairwise((*positions, positions[-1]))
    ]


def no_progress_limit(rules: DrawRules) -> int:
    """The plies without a capture or a move of a man that end a game in a draw; 0: no number of them does."""
    counts = [
        rule.moves_each for rule in rules.rules if isinstance(rule, NoProgressDraw) and rule.resets == COUNTED
    ]
    return 2 * min(counts, default=0)


def _moves(position: Position, line: Any) -> tuple[Move, ...]:
    """The legal moves of a principal variation of the kernel."""
    moves = []
    for origin, target, crowns, captures in line:
        move = next(
            legal
            for legal in position.legal_moves()
            if (legal.origin, legal.target, legal.crowns) == (origin, target, crowns)
            and sorted(legal.captures) == list(captures)
        )
        moves.append(move)
        position = position.play(move)
    return tuple(moves)


def _check(name: str, value: float | None, least: int) -> None:
    if value is not None and not value >= least:
        raise EngineError(f"expected {name} of at least {least}, got {value!r}")
