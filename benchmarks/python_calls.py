"""What single calls from Python cost: `python benchmarks/python_calls.py LIBRARY POSITIONS.json`.

The positions are FENs by variant with their numbers of legal moves, the same for every library. Each call is
made on boards that were made afresh and have answered nothing yet, so that no library profits from what it
remembers.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from figures import Figure, emit
from libraries import Library, library

ENOUGH = 0.05  # CPU seconds of calls that a figure rests on …
PATIENCE = 0.5  # … unless as many seconds have gone by with what has to be made for them
SLOW = 0.0005  # CPU seconds a call, from which one is timed at a time and not a hundred

Call = tuple[Callable[[], Any], Callable[[Any], object]]  # what is made beforehand; what is timed


def repeated(*, make: Callable[[], Any], call: Callable[[Any], object]) -> tuple[int, float]:
    """How many calls were made, each with something newly made, and the CPU seconds of the calls alone."""
    calls, seconds = 0, 0.0
    began = time.process_time()
    while seconds < ENOUGH and time.process_time() - began < PATIENCE:
        fresh = [make() for _ in range(1 if seconds >= SLOW * calls else 100)]
        started = time.process_time()
        for each in fresh:
            call(each)
        seconds += time.process_time() - started
        calls += len(fresh)
    return calls, seconds


def calls_of(subject: Library, variant: str, fens: list[str]) -> dict[str, Call]:
    """Every call that is measured, by its name in the table."""
    turn = iter(range(10**9))

    def start() -> Any:
        return subject.start(variant)

    def some_board() -> Any:
        return subject.read_fen(variant, fens[next(turn) % len(fens)])

    def board_and_move() -> tuple[Any, Any]:
        board = start()
        return board, subject.legal(board)[0]

    def board_and_text() -> tuple[Any, str]:
        board, move = board_and_move()
        return start(), subject.write_move(board, move)

    return {
        "legal moves of the start": (start, subject.legal),
        "legal moves in mid-game": (some_board, subject.legal),
        "play (and take back)": (board_and_move, lambda pair: subject.play(*pair)),
        "play a move given as text": (board_and_text, lambda pair: subject.play_text(*pair)),
        "read FEN": (lambda: fens[next(turn) % len(fens)], lambda fen: subject.read_fen(variant, fen)),
        "write FEN": (some_board, subject.write_fen),
        "start board": (lambda: None, lambda _: subject.start(variant)),
    }


def whole_games(subject: Library, variant: str) -> tuple[int, float]:
    """Plies of random games, each asked for its legal moves and whether it is over, and their CPU seconds."""
    dice, plies, seconds = random.Random(variant), 0, 0.0
    while seconds < ENOUGH:
        started = time.process_time()
        plies += subject.play_out(variant, dice)
        seconds += time.process_time() - started
    return plies, seconds


def check(subject: Library, variant: str, expected: dict[str, int]) -> None:
    """Refuse to time a library that lists other moves than we do, unless that is known of it."""
    if variant in subject.wrong_rules:
        return
    for fen, count in expected.items():
        legal = len(subject.legal(subject.read_fen(variant, fen)))
        if legal != count:
            raise SystemExit(f"{subject.name}, {variant}, {fen}: expected {count} legal moves, got {legal}")


def main() -> None:
    """Measure every call in every variant that the library knows."""
    subject = library(sys.argv[1])
    positions: dict[str, dict[str, int]] = json.loads(Path(sys.argv[2]).read_text("utf-8"))
    for variant, expected in positions.items():
        if variant not in subject.variants:
            continue
        check(subject, variant, expected)
        for measure, (make, call) in calls_of(subject, variant, list(expected)).items():
            count, seconds = repeated(make=make, call=call)
            emit(Figure(measure, variant, count, seconds))
        emit(Figure("a ply of a game to its end", variant, *whole_games(subject, variant)))


if __name__ == "__main__":
    main()
