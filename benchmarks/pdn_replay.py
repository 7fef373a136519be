"""Games a second read from PDN and played through: `python benchmarks/pdn_replay.py LIBRARY FILE PLIES`.

Every move of every game is read, found among the legal moves and played; the number of plies must come out.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from figures import Figure, emit, timed
from libraries import library


def main() -> None:
    """Replay the file once."""
    subject, path, expected = library(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    plies = 0

    def replay() -> int:
        nonlocal plies
        games, plies = subject.replay(path)
        return games

    games, seconds = timed(replay)
    if plies != expected:
        raise SystemExit(f"{subject.name}, {path.name}: expected {expected} plies, played {plies}")
    emit(Figure("games replayed from PDN", "american", games, seconds))
    games, seconds = timed(partial(subject.check, path))
    if games:
        emit(Figure("games checked in PDN", "american", games, seconds))


if __name__ == "__main__":
    main()
