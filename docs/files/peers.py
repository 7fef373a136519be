"""Checks the statements of the comparison page about Python libraries, each in its own environment.

Usage: python peers.py pydraughts | py-draughts | open-spiel SUITES, the last being suites/perft.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

MAX_NODES = 10_000
TWO_ORDERS = "W:WK47:B14,19,29,31,42"  # two captures of four men each, and no other
BLACK_FIRST = "W:B14,19,29,31,42:WK47"

Say = Callable[[str, object], None]


def main(library: str, suites: str) -> None:
    """Print the results for one library."""

    def say(what: str, found: object) -> None:
        sys.stdout.write(f"{what}: {found}\n")

    say(library, version(library))
    {"pydraughts": pydraughts, "py-draughts": py_draughts, "open-spiel": open_spiel}[library](
        Path(suites), say
    )


def pydraughts(suites: Path, say: Say) -> None:
    """Check pydraughts."""
    board, move = import_module("draughts").Board, import_module("draughts").Move

    def played(position: Any) -> Iterator[Any]:
        for one in position.legal_moves():
            position.push(one)
            yield position
            position.pop()

    keys = {
        **{key: key for key in ("russian", "brazilian", "italian", "antidraughts", "breakthrough")},
        "american": "english",
        "international": "standard",
        "frisian": "frisian",
        "turkish": "turkish",
        "frysk": "frysk!",
    }
    _count(suites, say, {key: board(name) for key, name in keys.items()}, played)
    known = import_module("draughts.core.game")._convert_variant_names  # noqa: SLF001 - nothing else lists them
    say("names that it renames", [known(name) for name in ("american", "frysk")])
    ambiguous = board("standard", TWO_ORDERS)
    say("captures of one position", len(ambiguous.legal_moves()))
    say("the same, Black first", _tried(lambda: len(board("standard", BLACK_FIRST).legal_moves())))
    italian = board("italian", "W:WK30:B10,K12,K18,20,K26,K27")
    say("captures by article 6.9, one being legal", len(italian.legal_moves()))
    say("a move that is not legal", _tried(lambda: board("english").push(move(pdn_move="1-32"))))
    reader = import_module("draughts.PDN").PDNReader
    text = '[GameType "20"]\n\n1. 32-28 {a remark} 18-23 (1... 19-23) 2-0\n'
    (game,) = reader(pdn_text=text).games
    say("what it keeps of a game", sorted(vars(game)))
    say(
        "a position without moves, then a game", len(reader(pdn_text='[FEN "W:WK1:B50"]\n*\n\n' + text).games)
    )
    say("equal positions", board("standard") == board("standard"))


def py_draughts(suites: Path, say: Say) -> None:
    """Check py-draughts."""
    draughts = import_module("draughts")
    boards = {
        key: getattr(draughts, f"{name}Board")
        for key, name in (
            *((key, key.capitalize()) for key in ("american", "russian", "brazilian", "frisian", "frysk")),
            *((key, key.capitalize()) for key in ("antidraughts", "breakthrough")),
            ("international", "Standard"),
        )
    }

    def played(position: Any) -> Iterator[Any]:
        for one in position.legal_moves:
            position.push(one)
            yield position
            position.pop()

    _count(suites, say, {key: board() for key, board in boards.items()}, played)
    jump = boards["american"].from_fen("B:W18,21,23:B1,2,15")
    say("American checkers, a jump being compulsory", [str(one) for one in jump.legal_moves])
    say("captures of one position", len(boards["international"].from_fen(TWO_ORDERS).legal_moves))
    say("the same, Black first", _tried(lambda: boards["international"].from_fen(BLACK_FIRST).turn))
    said = boards["international"].from_pdn("1. 32-28 {a remark} 18-23 (1... 19-23) *")
    say("what it keeps of a game", said.pdn.splitlines())
    start = boards["international"]
    say("equal positions", start() == start())


def open_spiel(suites: Path, say: Say) -> None:
    """Check OpenSpiel, in which an action is one jump."""
    pyspiel = import_module("pyspiel")
    names = [game.short_name for game in pyspiel.registered_games()]
    say("games of the family", [name for name in names if "checkers" in name or "draughts" in name])
    state = pyspiel.load_game("checkers").new_initial_state()

    def played(position: Any) -> Iterator[Any]:
        for action in position.legal_actions():
            yield position.child(action)

    _count(suites, say, {"american": state}, played)
    say("first actions", [state.action_to_string(action) for action in state.legal_actions()])
    say("first to move", state.current_player())
    say("a state as text", str(state).splitlines()[0])
    say("the shape of an observation", state.get_game().observation_tensor_shape())


def _count(suites: Path, say: Say, starts: dict[str, Any], played: Callable[[Any], Iterator[Any]]) -> None:
    """Compare perft counts from each start position with the published ones."""

    def perft(position: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(perft(after, depth - 1) for after in played(position))

    for key, start in starts.items():
        told = "nothing published"
        for depth, nodes in _published(suites / f"{key}.perft"):
            found = perft(start, depth) if nodes <= MAX_NODES else nodes
            if found != nodes:
                told = f"differs at depth {depth}: {found}, not {nodes}"
                break
            told = f"agrees to depth {depth}" if nodes <= MAX_NODES else told
        say(f"perft of {key}", told)


def _published(suite: Path) -> Sequence[tuple[int, int]]:
    """Return the published counts of a suite's first position, the start."""
    first = suite.read_text("utf-8").split("\nposition ")[1]
    lines = (line.split() for line in first.splitlines())
    return [(int(words[0]), int(words[1])) for words in lines if len(words) == 2 and words[0].isdecimal()]


def _tried(action: Callable[[], object]) -> object:
    try:
        return action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:120]


if __name__ == "__main__":
    main(*sys.argv[1:])
