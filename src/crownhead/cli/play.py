"""``crownhead play``: play against the engine in the terminal."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from crownhead.cli.arguments import Commands, add_command, add_position, position_of, whole_number
from crownhead.cli.thinking import add_limits, limits_of
from crownhead.engine.engine import Engine
from crownhead.engine.levels import LEVELS, choose
from crownhead.rules import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.schema import Colour

_DESCRIPTION = """
Play against the engine. Type a move, such as 11-15 or 22x15, or one of these commands: moves
(list the legal moves), board, back (take back your last move), hint, resign, quit.
"""
_EXAMPLES = (
    ("crownhead play", "American checkers; you move first"),
    ("crownhead play --level 3", "an easy opponent"),
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Play until the game or the input ends."""
    start = position_of(arguments)
    engine, limits = Engine(start.variant), limits_of(arguments)
    answer = _at_level(engine, arguments.level) if arguments.level else _at_its_best(engine, limits)
    table = _Table(Game(start.variant, start=start), engine, limits, answer)
    yours = start.turn if arguments.side == "first" else start.turn.opponent
    table.play(yours)


def _at_level(engine: Engine, level: int) -> Callable[[Game], Move | None]:
    dice = random.Random()  # so that games differ
    return lambda game: choose(engine, game, level=level, dice=dice)


def _at_its_best(engine: Engine, limits: dict[str, object]) -> Callable[[Game], Move | None]:
    return lambda game: engine.analyse(game, **limits).move  # type: ignore[arg-type]


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
