"""Gives an engine of another library the Hub protocol, so that it can play matches.

It runs in that library's own environment and does not import Crownhead: ``python hub_peer.py
py-draughts``, or ``turbo`` or ``open-spiel``. Squares are numbers from 1, moves ``32-28`` or ``28x19x23``
with every piece taken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from typing import Protocol

ARGUMENT = re.compile(r'([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s"]*)))?')


class Peer(Protocol):
    """An engine that receives positions and returns its move."""

    name: str

    def begin(self, variant: str) -> None:
        """A game of a variant."""

    def place(self, pieces: str, moves: list[str]) -> None:
        """The side to move and a letter for every square, and the moves since."""

    def move(self, seconds: float) -> tuple[str, int]:
        """A move, and how many nodes or playouts it took."""


def serve(peer: Peer) -> None:
    """Answer until the end of the input."""
    settings = {"variant": "american"}
    seconds = 1.0
    for line in sys.stdin:
        found = [(name, quoted or plain or "") for name, quoted, plain in ARGUMENT.findall(line)]
        command, arguments = (found[0][0], dict(found[1:])) if found else ("", {})
        match command:
            case "hub":
                say(f'id name="{peer.name}"\nparam name=variant type=string value=american\nwait')
            case "set-param":
                settings[arguments["name"]] = arguments["value"]
            case "init" | "new-game":
                peer.begin(settings["variant"])
                say("ready" if command == "init" else "")
            case "pos":
                peer.place(arguments["pos"], arguments.get("moves", "").split())
            case "level":
                seconds = float(arguments.get("move-time", seconds))
            case "go":
                move, nodes = peer.move(seconds)
                say(f"info depth=1 score=0 nodes={nodes} pv={move}\ndone move={move}")
            case "quit":
                return


def say(text: str) -> None:
    """Write lines at once."""
    if text:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def fen(pieces: str) -> str:
    """The FEN of a side to move and a letter for every square."""
    squares: dict[str, list[str]] = {"w": [], "b": []}
    for number, letter in enumerate(pieces[1:], start=1):
        if letter.lower() in squares:
            squares[letter.lower()].append(("K" if letter.isupper() else "") + str(number))
    return f"{pieces[0]}:W{','.join(squares['w'])}:B{','.join(squares['b'])}"


def written(origin: int, target: int, taken: list[int]) -> str:
    """A move as the protocol has it."""
    return f"{origin}x{target}x{'x'.join(map(str, sorted(taken)))}" if taken else f"{origin}-{target}"


class PyDraughts:
    """Its general engine, or with ``turbo`` the one made for international draughts.

    In American checkers the library leaves captures to choice; here they are compulsory, as the law has it.
    """

    def __init__(self, kind: str) -> None:
        self._draughts = import_module("draughts")
        import_module("loguru").logger.remove()
        self._kind = kind
        self.name = f"py-draughts {version('py-draughts')} {kind}"
        self.begin("american")

    def begin(self, variant: str) -> None:
        """A new engine and the board's class."""
        names = {"american": "American", "international": "Standard", "russian": "Russian"}
        self._board = getattr(self._draughts, f"{names.get(variant, variant.title())}Board")
        if variant == "american":
            core = import_module("draughts.boards.american")._CORE  # noqa: SLF001

            def legal_moves(board: object) -> object:
                return board._legal_moves_from_core(core, max_capture=False)  # type: ignore[attr-defined]  # noqa: SLF001

            self._board = type("Compulsory", (self._board,), {"legal_moves": property(legal_moves)})
        engines = import_module("draughts.engines")
        make = engines.SimpleEngine
        if self._kind == "turbo":
            make = import_module("draughts.engines.turbo").TurboEngine
        self._engine = make(depth_limit=60)
        self._here = self._board()

    def place(self, pieces: str, moves: list[str]) -> None:
        """Replay the moves."""
        self._here = self._board.from_fen(fen(pieces))
        for text in moves:
            self._here.push(next(move for move in self._here.legal_moves if self._text(move) == text))

    def move(self, seconds: float) -> tuple[str, int]:
        """The best move of its engine."""
        self._engine.time_limit = seconds
        move = self._engine.get_best_move(self._here)
        return self._text(move), self._engine.nodes

    @staticmethod
    def _text(move: object) -> str:
        visited, taken = move.square_list, move.captured_list  # type: ignore[attr-defined]
        return written(visited[0] + 1, visited[-1] + 1, [square + 1 for square in taken])


class OpenSpiel:
    """Monte Carlo tree search over OpenSpiel's checkers, whose jumps are one action each.

    Its states begin at the start array, so the moves to an opening are found first.
    """

    def __init__(self) -> None:
        self._spiel = import_module("pyspiel")
        self.name = f"OpenSpiel {version('open_spiel')} MCTS"
        self._game = self._spiel.load_game("checkers")
        self._evaluator = self._spiel.RandomRolloutEvaluator(1, 1)
        self._ways: dict[str, list[int]] = {}
        self._state = self._game.new_initial_state()

    def begin(self, variant: str) -> None:
        """American checkers alone."""
        if variant != "american":
            raise SystemExit(f"expected american, got {variant}")

    def place(self, pieces: str, moves: list[str]) -> None:
        """Replay the moves from the opening."""
        if pieces not in self._ways:
            self._ways[pieces] = self._way(pieces)
        state = self._game.new_initial_state()
        for action in self._ways[pieces]:
            state.apply_action(action)
        for text in moves:
            state, _ = next(found for found in turns(state) if written_by(state, found[1]) == text)
        self._state = state

    def move(self, seconds: float) -> tuple[str, int]:
        """The best action of the search, jump by jump; the playouts are not reported."""
        bot = self._spiel.MCTSBot(
            self._game, self._evaluator, 2.0, 10_000_000, 500, True, 1, False, max_wall_clock_time=seconds
        )
        state, actions = self._state, []
        player = state.current_player()
        while not state.is_terminal() and state.current_player() == player:
            legal = state.legal_actions()
            actions.append(bot.step(state) if len(legal) > 1 else legal[0])
            state = state.child(actions[-1])
        return written_by(self._state, actions), 0

    def _way(self, pieces: str, plies: int = 6) -> list[int]:
        """The actions from the start array to an opening, as few as there are."""
        reached: dict[str, tuple[object, list[int]]] = {"": (self._game.new_initial_state(), [])}
        for _ in range(plies + 1):
            for state, actions in reached.values():
                if seen(state) == pieces:
                    return actions
            following: dict[str, tuple[object, list[int]]] = {}
            for state, actions in reached.values():
                for after, more in turns(state):
                    following.setdefault(seen(after), (after, actions + more))
            reached = following
        raise SystemExit(f"expected an opening of at most {plies} plies, got {pieces}")


def seen(state: object) -> str:
    """A state as the protocol has positions: its second player sits where White does."""
    letters = {"o": "b", "8": "B", "+": "w", "*": "W", ".": "e"}
    rows = str(state).splitlines()[:8]
    squares = [letters[row[1 + file]] for at, row in enumerate(rows) for file in _dark(at)]
    player = state.current_player()  # type: ignore[attr-defined]
    return ("B" if player == 0 else "W") + "".join(reversed(squares))


def _dark(row: int) -> range:
    return range(1 - row % 2, 8, 2)


def turns(state: object) -> list[tuple[object, list[int]]]:
    """The states after each whole move, with its actions."""
    player = state.current_player()  # type: ignore[attr-defined]
    whole, open_ones = [], [(state, [])]  # type: ignore[var-annotated]
    while open_ones:
        here, actions = open_ones.pop()
        for action in here.legal_actions():  # type: ignore[attr-defined]
            after = here.child(action)  # type: ignore[attr-defined]
            goes_on = not after.is_terminal() and after.current_player() == player
            (open_ones if goes_on else whole).append((after, [*actions, action]))
    return whole


def written_by(state: object, actions: list[int]) -> str:
    """The move that some actions make up."""
    texts, here = [], state
    for action in actions:
        texts.append(here.action_to_string(action))  # type: ignore[attr-defined]
        here = here.child(action)  # type: ignore[attr-defined]
    points = [texts[0][:2], *(text[2:4] for text in texts)]
    numbers = [_number(point) for point in points]
    taken = []
    for one, other in pairwise(points):
        if abs(ord(one[0]) - ord(other[0])) == 2:
            file, rank = (ord(one[0]) + ord(other[0])) // 2, (int(one[1]) + int(other[1])) // 2
            taken.append(_number(f"{chr(file)}{rank}"))
    return written(numbers[0], numbers[-1], taken)


def _number(point: str) -> int:
    """The number of a square: 1 is at the right of the first player's own row, as it sits at the bottom."""
    file, rank = ord(point[0]) - ord("a"), int(point[1])
    return (rank - 1) * 4 + (3 - file // 2) + 1


PEERS: Mapping[str, object] = {
    "py-draughts": lambda: PyDraughts("simple"),
    "turbo": lambda: PyDraughts("turbo"),
    "open-spiel": OpenSpiel,
}

if __name__ == "__main__":
    serve(PEERS[sys.argv[1]]())  # type: ignore[operator]
