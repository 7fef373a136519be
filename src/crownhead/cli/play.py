"""``crownhead play``: play against the engine in the terminal."""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable

from crownhead.cli.arguments import Commands, add_command, add_position, position_of, whole_number
from crownhead.cli.thinking import add_engine, add_limits, engine_of, limits_of
from crownhead.engine.clock import Clock
from crownhead.engine.engine import Engine
from crownhead.engine.levels import LEVELS, choose
from crownhead.rules import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.schema import Colour

_LONGEST = 999

_DESCRIPTION = """
Play against the engine. Type a move, such as 11-15 or 22x15, or one of these commands: moves
(list the legal moves), board, back (take back your last move), hint, resign, quit.
"""
_EXAMPLES = (
    ("crownhead play", "American checkers; you move first"),
    ("crownhead play --level 3", "an easy opponent"),
    ("crownhead play --clock 5+3", "an opponent with five minutes, and three seconds more for each move"),
    ("crownhead play --variant russian --side second --seconds 3", "a strong opponent who moves first"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "play", purpose="play against the engine", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_position(parser)
    parser.add_argument(
        "--side", choices=("first", "second"), default="first", help="your side (default: first)"
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=whole_number(1, len(LEVELS)),
        help=f"difficulty, from 1 (beginner) to {len(LEVELS)} (default: full strength)",
    )
    add_limits(parser)
    parser.add_argument(
        "--clock",
        metavar="MINUTES[+SECONDS]",
        type=_clock,
        help="the engine's clock: minutes for the game, and seconds more for each move",
    )
    add_engine(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Play until the game or the input ends."""
    start = position_of(arguments)
    engine, limits = engine_of(arguments, start.variant), limits_of(arguments)
    table = _Table(Game(start.variant, start=start), engine, limits, _answers(engine, arguments))
    yours = start.turn if arguments.side == "first" else start.turn.opponent
    table.play(yours)


def _answers(engine: Engine, arguments: argparse.Namespace) -> Callable[[Game], Move | None]:
    """What makes the engine's moves: a level, or its full strength within the limits."""
    watch = _Watch(*arguments.clock) if arguments.clock else None
    limits = limits_of(arguments)
    dice = random.Random()  # so that games differ

    def answer(game: Game) -> Move | None:
        clock = None if watch is None else watch.clock
        if arguments.level:
            return choose(engine, game, level=arguments.level, dice=dice, clock=clock)
        if clock is None:
            return engine.analyse(game, **limits).move
        time_for_it = clock.allowance.at_most(limits["seconds"] or math.inf)
        by_clock = {"seconds": time_for_it.hard, "soft_seconds": time_for_it.soft}
        return engine.analyse(game, **(limits | by_clock)).move

    return answer if watch is None else watch.timed(answer)


class _Watch:
    """The engine's clock."""

    def __init__(self, left: float, increment: float) -> None:
        self._left, self._increment = left, increment

    @property
    def clock(self) -> Clock:
        """The clock as it stands; one that has run out stands still."""
        return Clock(max(self._left, 0.0), self._increment)

    def timed(self, answer: Callable[[Game], Move | None]) -> Callable[[Game], Move | None]:
        """The answers, each of which takes its time off the clock."""

        def answer_in_time(game: Game) -> Move | None:
            begun = time.monotonic()
            move = answer(game)
            self._left += self._increment - (time.monotonic() - begun)
            return move

        return answer_in_time


class _Table:
    """A game between the user and the engine."""

    def __init__(
        self, game: Game, engine: Engine, limits: dict[str, object], answer: Callable[[Game], Move | None]
    ) -> None:
        self._game, self._engine, self._limits, self._answer = game, engine, limits, answer

    def play(self, yours: Colour) -> None:
        print(self._game.position)
        while (outcome := self._game.outcome()) is None:
            if self._game.position.turn is yours:
                if not self._your_turn(yours):
                    return
            else:
                self._engines_turn()
        winner = "Nobody" if outcome.winner is None else "You" if outcome.winner is yours else "The engine"
        print(
            f"{winner} won ({outcome.termination})."
            if outcome.winner
            else f"The game is drawn ({outcome.termination})."
        )

    def _engines_turn(self) -> None:
        move = self._answer(self._game)
        if move is not None:
            text = self._game.position.notation(move)
            self._game.push(move)
            print(f"The engine plays {text}.\n{self._game.position}")

    def _your_turn(self, yours: Colour) -> bool:
        """Handle one line of input; return False when the user quits."""
        try:
            text = input("Your move: ").strip()
        except EOFError:
            print()
            return False
        words = {"moves": self._moves, "board": self._board, "back": self._back, "hint": self._hint}
        if text in ("quit", "exit"):
            return False
        if text == "resign":
            self._game.resign(yours)
        elif text in words:
            words[text]()
        elif text:
            self._push(text)
        return True

    def _push(self, text: str) -> None:
        try:
            self._game.push(text)
        except CrownheadError as error:
            print(error)

    def _moves(self) -> None:
        position = self._game.position
        print(" ".join(position.notations().values()))

    def _board(self) -> None:
        print(self._game.position)

    def _back(self) -> None:
        if len(self._game.moves) < 2:
            print("You have no move to take back.")
            return
        self._game.pop()
        self._game.pop()
        print(self._game.position)

    def _hint(self) -> None:
        report = self._engine.analyse(self._game, **self._limits)  # type: ignore[arg-type]
        print(f"{' '.join(report.notations())}  ({report.score})")


def _clock(text: str) -> tuple[float, float]:
    """Seconds on the clock, and those added with each move."""
    minutes, _, increment = text.partition("+")
    parts = [part.strip() for part in (minutes, increment or "0")]
    if (
        not all(part.isascii() and part.isdigit() and int(part) <= _LONGEST for part in parts)
        or parts[0] == "0"
    ):
        raise argparse.ArgumentTypeError(
            f"expected minutes such as 5, or 5+3 with seconds, got {text[:20]!r}"
        )
    return 60.0 * int(parts[0]), float(parts[1])
