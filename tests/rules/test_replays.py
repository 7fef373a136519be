"""Real games, replayed move by move."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from crownhead import Position
from tests.rules.suites import ROOT, SUITES

COLLECTION = ROOT.parent / "shared" / "data" / "games"
GAMES = {"international": 919, "russian": 419, "brazilian": 13, "italian": 304, "czech": 142, "frisian": 7}


def games(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def replay(game: dict[str, str], variant: str) -> Position:
    position = Position.from_fen(game["start_fen"], variant) if game["start_fen"] else Position.start(variant)
    for text in game["moves"].split():
        position = position.play(text)
    return position


@pytest.mark.parametrize("variant", GAMES)
def test_a_sample_of_real_games_replays(variant: str) -> None:
    sample = list(games(SUITES / "games" / f"{variant}.tsv.gz"))
    assert len(sample) >= 7
    for game in sample:
        replay(game, variant)


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES)
def test_the_whole_collection_of_real_games_replays(variant: str) -> None:
    path = COLLECTION / f"{variant}.tsv.gz"
    if not path.exists():
        pytest.skip(f"the collection of games is not at {path}")
    replayed = [replay(game, variant) for game in games(path)]
    assert len(replayed) == GAMES[variant]
