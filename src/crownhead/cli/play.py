"""``crownhead play``: a game against the engine in the terminal."""

from __future__ import annotations

import argparse

from crownhead.cli.arguments import Commands, add_command, add_position, position_of
from crownhead.cli.thinking import add_limits, limits_of
from crownhead.engine.thinking import Engine
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.schema import Colour

_DESCRIPTION = """
Play against the engine. Type a move as it is written, such as 11-15 or 22x15; or one of these words: moves
(the legal ones), board, back (take back your last move), hint, resign, quit.
"""
_EXAMPLES = (
    ("crownhead play", "American checkers, with the first move"),
    ("crownhead play --variant russian --side second --seconds 3", "a stronger opponent, who begins"),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "play", purpose="play against the engine", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_position(parser)
    parser.add_argument(
        "--side", choices=("first", "second"), default="first", help="whether you begin (default: first)"
    )
    add_limits(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> None:
    """Play to the end of the game, or of the input."""
    start = position_of(chosen)
    table = _Table(Game(start.variant_key, start=start), Engine(start.variant_key), limits_of(chosen))
    yours = start.turn if chosen.side == "first" else start.turn.opponent
    table.play(yours)


class _Table:
    """A game between a person and the engine."""

    def __init__(self, game: Game, engine: Engine, limits: dict[str, object]) -> None:
        self._game, self._engine, self._limits = game, engine, limits

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
            f"{winner} won: {outcome.termination}." if outcome.winner else f"A draw: {outcome.termination}."
        )

    def _engines_turn(self) -> None:
        move = self._engine.analyse(self._game, **self._limits).move  # type: ignore[arg-type]
        if move is not None:
            text = self._game.position.notation(move)
            self._game.push(move)
            print(f"The engine plays {text}.\n{self._game.position}")

    def _your_turn(self, yours: Colour) -> bool:
        """One line from the person; false where there are no more."""
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
        print(" ".join(position.notation(move) for move in position.legal_moves()))

    def _board(self) -> None:
        print(self._game.position)

    def _back(self) -> None:
        if len(self._game.moves) < 2:
            print("There is no move of yours to take back.")
            return
        self._game.pop()
        self._game.pop()
        print(self._game.position)

    def _hint(self) -> None:
        report = self._engine.analyse(self._game, **self._limits)  # type: ignore[arg-type]
        print(f"{' '.join(report.notations())}  ({report.score})")
