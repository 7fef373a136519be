"""A game: its start position, moves and outcome."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Self

from crownhead._kernel import DrawCounters, Move
from crownhead.rules.draws import OFFICIAL, counters_of, draw_rules_of, draws_by
from crownhead.rules.errors import CrownheadError, IllegalMove
from crownhead.rules.lookup import variant_of
from crownhead.rules.outcome import Outcome, Termination
from crownhead.rules.position import Position
from crownhead.rules.protocols import provider
from crownhead.rules.schema import Colour, DrawRules, Variant

UNFINISHED = "*"


class Game:
    """A sequence of moves from a start position, under the rules of a variant and a set of draw rules.

    ``draw_rules`` is ``"official"`` (those of the federation), the key of a site's rules, or a ``DrawRules``.
    No moves can be played after the end of the game; ``"none"`` is for game records, whose recorded result
    decides. ``opening`` is played first and counted in ``opening_plies``, because the players did not choose
    these moves.
    """

    def __init__(
        self,
        variant: str | Variant = "american",
        *,
        start: Position | str | None = None,
        draw_rules: DrawRules | str = OFFICIAL,
        opening: Iterable[Move | str] = (),
    ) -> None:
        """``start`` is a position or FEN; raises what ``Position.from_fen`` and ``push`` raise."""
        self.variant = variant_of(variant)
        self.draw_rules = draw_rules_of(self.variant, draw_rules)
        self.tags: dict[str, str] = {}
        self._positions = [_start(self.variant, start)]
        self._moves: list[Move] = []
        self._counters: DrawCounters | None = None  # of the draw rules; made, and advanced, when asked for
        self._ended: Outcome | None = None  # as declared
        self._known: Outcome | None = None  # the outcome found in the position, cached
        self._is_known = False
        self.opening_plies = 0
        if isinstance(opening, str):
            raise CrownheadError(f"expected moves such as ('11-15', '23-19'), got {opening!r:.60}")
        for move in opening:
            self.push(move)
            self.opening_plies += 1

    @property
    def start(self) -> Position:
        """The start position."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions from the start on, one more than moves."""
        return tuple(self._positions)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple(self._moves)

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return self.position.turn

    @property
    def result(self) -> str:
        """``1-0`` (the side that begins the variant won), ``0-1``, ``1/2-1/2`` or ``*``."""
        outcome = self.outcome()
        return UNFINISHED if outcome is None else outcome.result(self.variant.start.first)

    def push(self, move: Move | str) -> Move:
        """Play a legal move, given as a ``Move`` or as text, and return it.

        Raises ``NotationError``, ``AmbiguousMove`` or ``IllegalMove`` (also if the game is over); the game
        then stays unchanged.
        """
        before = self.position
        over = self.outcome()
        if over is not None:
            raise IllegalMove(str(move), before.fen(), f"the game is over by {over.termination}")
        chosen = before.parse(move) if isinstance(move, str) else move
        after = before.play(chosen)
        self._moves.append(chosen)
        self._positions.append(after)
        self._is_known = False
        return chosen

    def extend(self, moves: Iterable[Move], positions: Iterable[Position]) -> None:
        """Append legal moves with the position after each, without checking them.

        This is for callers that have already played the moves, such as readers. Raises ``CrownheadError`` if
        the game is over, or if the numbers of moves and positions differ.
        """
        made, reached = list(moves), list(positions)
        if len(made) != len(reached):
            raise CrownheadError(f"expected a position for each of {len(made)} moves, got {len(reached)}")
        over = self.outcome() if made else None
        if over is not None:
            raise CrownheadError(f"expected a game in progress, but it is over by {over.termination}")
        self._moves += made
        self._positions += reached
        self._is_known = False

    def pop(self) -> Move:
        """Take back and return the last move, and cancel any declared outcome."""
        if not self._moves:
            raise CrownheadError("expected a move to take back, but none has been made")
        self._ended = None
        self._known, self._is_known = None, True  # the game went on from there
        self._positions.pop()
        if self._counters is not None and self._counters.plies == len(self._moves):
            self._counters.pop()
        self.opening_plies = min(self.opening_plies, len(self._moves) - 1)
        return self._moves.pop()

    def outcome(self) -> Outcome | None:
        """Return the outcome, as declared, by the position or by an automatic draw; None if in progress."""
        if self._ended is not None:
            return self._ended
        if not self._is_known:
            self._known, self._is_known = self._found(), True
        return self._known

    def claimable_draws(self) -> tuple[Termination, ...]:
        """Return the draws that a player can claim now."""
        if self.outcome() is not None:
            return ()
        return self._satisfied(automatic=False)

    def claim_draw(self) -> Outcome:
        """End the game with a claimed draw; raises ``CrownheadError`` if none is available."""
        draws = self.claimable_draws()
        if not draws:
            raise CrownheadError(f"expected a draw to claim under {self.draw_rules.name} rules, found none")
        return self.end(Outcome(None, draws[0]))

    def resign(self, colour: Colour | None = None) -> Outcome:
        """End the game by resignation of ``colour``, or of the side to move."""
        if colour is not None and colour not in list(Colour):
            raise CrownheadError(f"expected the colour that resigns, black or white, got {colour!r}")
        loser = self.turn if colour is None else Colour(colour)
        return self.end(Outcome(loser.opponent, Termination.RESIGNATION))

    def agree_draw(self) -> Outcome:
        """End the game as a draw by agreement."""
        return self.end(Outcome(None, Termination.AGREEMENT))

    def end(self, outcome: Outcome) -> Outcome:
        """Declare the outcome of the game; raises ``CrownheadError`` if it is already over."""
        over = self.outcome()
        if over is not None:
            raise CrownheadError(f"expected a game in progress, but it is over by {over.termination}")
        if not isinstance(outcome, Outcome):
            raise CrownheadError(f"expected an Outcome, got {outcome!r:.60}")
        self._ended = outcome
        return outcome

    def copy(self) -> Self:
        """Return a game with the same start, moves, tags and outcome that goes on by itself."""
        return copy(self)

    def notations(self) -> tuple[str, ...]:
        """Return the moves in PDN notation."""
        return provider.notation.write_played_moves(self._positions, self._moves)

    def pdn(self) -> str:
        """Return the game as a PDN record with its ``tags``."""
        return provider.notation.write_pdn(self)

    def _repr_svg_(self) -> str:
        """Return the current position with the last move, as notebooks show it."""
        return self.position.svg(last_move=self._moves[-1] if self._moves else None)

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        own = {"tags": dict(self.tags), "_positions": list(self._positions), "_moves": list(self._moves)}
        vars(twin).update(self.__getstate__() | own)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_counters": None}  # they can be counted again

    def __repr__(self) -> str:
        """Return a short description: variant, length and result."""
        return f"<Game {self.variant.key}, {len(self._moves)} plies, {self.result}>"

    def _found(self) -> Outcome | None:
        decided = self.position.outcome()
        if decided is not None:
            return decided
        draws = self._satisfied(automatic=True)
        return Outcome(None, draws[0]) if draws else None

    def _satisfied(self, *, automatic: bool) -> tuple[Termination, ...]:
        if not self.draw_rules.rules:
            return ()
        counters = self._counters
        if counters is None:
            counters = self._counters = counters_of(self.draw_rules, self.start)
        counters.count(self._moves, self._positions)
        return draws_by(self.draw_rules, counters, automatic=automatic)


def _start(variant: Variant, start: Position | str | None) -> Position:
    if start is None:
        return Position.start(variant)
    position = Position.from_fen(start, variant) if isinstance(start, str) else start
    if not isinstance(position, Position):
        raise CrownheadError(f"expected a start position or its FEN, got {start!r}")
    if position.variant is not variant and position.variant != variant:
        own = "" if position.variant_key != variant.key else " with other rules"
        raise CrownheadError(
            f"expected a start position of {variant.key}, got one of {position.variant_key}{own}"
        )
    return position
