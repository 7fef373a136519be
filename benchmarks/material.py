"""What the measurements work on: positions of random games, and samples of real games in PDN."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from pathlib import Path

from crownhead import Position, pdn

# A file of American games, in the data beside the repository.
GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "games" / "american_1841-2004.pdn.gz"
VARIANTS = ("american", "international", "russian", "italian")
POSITIONS = 60  # of each variant
SHORTEST, LONGEST = 10, 40  # plies of a random game
SEED = 20041841


@dataclass(frozen=True, slots=True)
class Sample:
    """Games in one PDN file."""

    path: Path
    games: int
    plies: int


def write_positions(folder: Path) -> Path:
    """FENs by variant with their numbers of legal moves, always the same ones."""
    rng = random.Random(SEED)
    found: dict[str, dict[str, int]] = {}
    for variant in VARIANTS:
        positions: dict[str, int] = {}
        while len(positions) < POSITIONS:
            position = _after_random_plies(rng, variant)
            if position.legal_moves():
                positions[position.fen()] = len(position.legal_moves())
        found[variant] = positions
    path = folder / "positions.json"
    path.write_text(json.dumps(found), "utf-8")
    return path


def _after_random_plies(rng: random.Random, variant: str) -> Position:
    position = Position.start(variant)
    for _ in range(rng.randint(SHORTEST, LONGEST)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


def write_sample(folder: Path, source: Path, *, every: int) -> Sample:
    """A PDN file with every so-many-th game of the source."""
    texts = gzip.decompress(source.read_bytes()).decode("utf-8").split("[Event ")[1::every]
    path = folder / f"every-{every}.pdn"
    path.write_text("".join("[Event " + text for text in texts), "utf-8")
    return Sample(path, len(texts), sum(len(game.moves) for game in pdn.read(path)))
