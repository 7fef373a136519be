"""The three libraries that are measured, behind the few verbs that the measurements need.

Each is installed in an environment of its own (two of them call their package `draughts`), so each
is imported only where its measurement runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, Protocol

MAX_PLIES = 150  # of a random game


class Library(Protocol):
    """What can be asked of a library; a board is whatever it calls one."""

    name: str
    variants: Mapping[str, Any]  # our keys; what it calls them
    wrong_rules: frozenset[str]  # variants whose published counts it misses
    engine_loops: Mapping[str, Callable[[Any, int], int]]  # a quicker count inside its own engine
    generic: Mapping[str, Any]  # start arrays by its code for any rules, where it has faster code

    def start(self, variant: str) -> Any:
        """The start array."""

    def read_fen(self, variant: str, fen: str) -> Any:
        """The board of a FEN."""

    def write_fen(self, board: Any) -> str:
        """The FEN of a board."""

    def legal(self, board: Any) -> Sequence[Any]:
        """All legal moves."""

    def play(self, board: Any, move: Any) -> object:
        """Play one of the legal moves, and leave the board as it was."""

    def write_move(self, board: Any, move: Any) -> str:
        """A legal move as text."""

    def play_text(self, board: Any, text: str) -> object:
        """Find the legal move that a text means, play it, and leave the board as it was."""

    def play_out(self, variant: str, dice: Random) -> int:
        """Play random moves until the game is over, draws included, at most `MAX_PLIES`; plies."""

    def perft(self, board: Any, depth: int, *, bulk: bool) -> int:
        """Count the lines of play of a depth; `bulk` counts the last ply without making it."""

    def replay(self, path: Path) -> tuple[int, int]:
        """Read a PDN file of American games and play every move of it; games and plies."""

    def check(self, path: Path) -> int:
        """Replay a PDN file keeping nothing; games, or 0 where the library has no way of its own for it."""


def library(name: str) -> Library:
    """A library by its name on the package index."""
    return _LIBRARIES[name]()


def version_of(name: str) -> str:
    """The installed version of a library."""
    return version(name)


class _Crownhead:
    name = "crownhead"
    wrong_rules: frozenset[str] = frozenset()
    engine_loops: Mapping[str, Callable[[Any, int], int]] = {}

    def __init__(self) -> None:
        self._crownhead = import_module("crownhead")
        self.variants: Mapping[str, Any] = self._crownhead.VARIANTS
        any_rules = import_module("any_rules")
        self.generic: Mapping[str, Any] = {
            key: any_rules.generic_start(key) for key in self.variants if any_rules.is_compiled(key)
        }

    def start(self, variant: str) -> Any:
        return self._crownhead.Position.start(variant)

    def read_fen(self, variant: str, fen: str) -> Any:
        return self._crownhead.Position.from_fen(fen, variant)

    def write_fen(self, board: Any) -> str:
        return str(board.fen())

    def legal(self, board: Any) -> Sequence[Any]:
        moves: Sequence[Any] = board.legal_moves()
        return moves

    def play(self, board: Any, move: Any) -> object:
        played: object = board.play(move)
        return played

    def write_move(self, board: Any, move: Any) -> str:
        return str(board.notation(move))

    def play_text(self, board: Any, text: str) -> object:
        return self.play(board, text)

    def play_out(self, variant: str, dice: Random) -> int:
        game = self._crownhead.Game(variant)
        while game.outcome() is None and len(game.moves) < MAX_PLIES:
            game.push(dice.choice(game.position.legal_moves()))
        return len(game.moves)

    def perft(self, board: Any, depth: int, *, bulk: bool) -> int:
        return int(board.perft(depth, bulk))

    def check(self, path: Path) -> int:
        with path.open("rb") as file:
            reader = self._crownhead.pdn.check(file)
            for _ in reader:
                pass
        return int(reader.good)

    def replay(self, path: Path) -> tuple[int, int]:
        games = plies = 0
        for game in self._crownhead.pdn.read(path):
            games += 1
            plies += len(game.moves)
        return games, plies


class _PyDraughts:
    """py-draughts: bit sets in Python integers; a board is changed and changed back."""

    name = "py-draughts"
    wrong_rules = frozenset({"american"})  # leaves captures to choice: 379 lines at depth 3, not 302
    generic: Mapping[str, Any] = {}

    def __init__(self) -> None:
        draughts = import_module("draughts")
        self.variants: Mapping[str, Any] = {
            "american": draughts.AmericanBoard,
            "international": draughts.StandardBoard,
            "russian": draughts.RussianBoard,
            "brazilian": draughts.BrazilianBoard,
        }
        self.engine_loops: Mapping[str, Callable[[Any, int], int]] = {
            "international": import_module("draughts.engines.turbo").perft_from_board
        }

    def start(self, variant: str) -> Any:
        return self.variants[variant]()

    def read_fen(self, variant: str, fen: str) -> Any:
        return self.variants[variant].from_fen(fen)

    def write_fen(self, board: Any) -> str:
        return str(board.fen)

    def legal(self, board: Any) -> Sequence[Any]:
        moves: Sequence[Any] = board.legal_moves
        return moves

    def play(self, board: Any, move: Any) -> object:
        board.push(move)
        undone: object = board.pop()
        return undone

    def write_move(self, board: Any, move: Any) -> str:  # noqa: ARG002
        return str(move)

    def play_text(self, board: Any, text: str) -> object:
        board.push_uci(text)
        undone: object = board.pop()
        return undone

    def play_out(self, variant: str, dice: Random) -> int:
        board, plies = self.start(variant), 0
        while not board.game_over and plies < MAX_PLIES:
            board.push(dice.choice(board.legal_moves))
            plies += 1
        return plies

    def perft(self, board: Any, depth: int, *, bulk: bool) -> int:
        moves = board.legal_moves
        if depth == 1 and bulk:
            return len(moves)
        lines = 0
        for move in moves:
            board.push(move)
            lines += 1 if depth == 1 else self.perft(board, depth - 1, bulk=bulk)
            board.pop()
        return lines

    def check(self, _path: Path) -> int:
        return 0

    def replay(self, path: Path) -> tuple[int, int]:
        # It reads one game at a time, and lets White begin unless a FEN says otherwise.
        black_begins = '[FEN "B:W21-32:B1-12"]\n[Event'
        texts = path.read_text("utf-8").split("[Event")[1:]
        boards = [self.variants["american"].from_pdn(black_begins + text) for text in texts]
        return len(boards), sum(len(board._moves_stack) for board in boards)  # noqa: SLF001


class _PyDraughtsObjects:
    """pydraughts: a board of piece objects; a board is changed and changed back."""

    name = "pydraughts"
    wrong_rules: frozenset[str] = frozenset()
    engine_loops: Mapping[str, Callable[[Any, int], int]] = {}
    generic: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self._draughts = import_module("draughts")
        self._pdn = import_module("draughts.PDN")
        self.variants: Mapping[str, Any] = {
            "american": "english",
            "international": "standard",
            "russian": "russian",
            "brazilian": "brazilian",
            "italian": "italian",
        }

    def start(self, variant: str) -> Any:
        return self._draughts.Board(self.variants[variant])

    def read_fen(self, variant: str, fen: str) -> Any:
        return self._draughts.Board(self.variants[variant], fen)

    def write_fen(self, board: Any) -> str:
        # `Board.fen` only looks up the text that `push` has written.
        return str(board._game.get_li_fen())  # noqa: SLF001

    def legal(self, board: Any) -> Sequence[Any]:
        moves: Sequence[Any] = board.legal_moves()
        return moves

    def play(self, board: Any, move: Any) -> object:
        board.push(move)
        undone: object = board.pop()
        return undone

    def write_move(self, board: Any, move: Any) -> str:
        return str(self._draughts.Move(board, board_move=move.board_move).pdn_move)

    def play_text(self, board: Any, text: str) -> object:
        return self.play(board, self._draughts.Move(board, pdn_move=text))

    def play_out(self, variant: str, dice: Random) -> int:
        board, plies = self.start(variant), 0
        while not board.is_over() and plies < MAX_PLIES:
            board.push(dice.choice(board.legal_moves()))
            plies += 1
        return plies

    def perft(self, board: Any, depth: int, *, bulk: bool) -> int:
        moves = board.legal_moves()
        if depth == 1 and bulk:
            return len(moves)
        lines = 0
        for move in moves:
            board.push(move)
            lines += 1 if depth == 1 else self.perft(board, depth - 1, bulk=bulk)
            board.pop()
        return lines

    def check(self, _path: Path) -> int:
        return 0

    def replay(self, path: Path) -> tuple[int, int]:
        games = plies = 0
        for game in self._pdn.PDNReader(filename=str(path)).games:
            board = self._draughts.Board("english")
            for text in game.moves:
                board.push(self._draughts.Move(board, pdn_move=text))
                plies += 1
            games += 1
        return games, plies


_LIBRARIES: Mapping[str, Callable[[], Library]] = {
    "crownhead": _Crownhead,
    "py-draughts": _PyDraughts,
    "pydraughts": _PyDraughtsObjects,
}
