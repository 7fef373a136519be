"""Learning: games with itself leave positions, the fit makes weights, and a stopped course goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead import Position
from crownhead.engine import Engine
from crownhead.engine.training import WEIGHTS, Course, train


@pytest.mark.parametrize("variant", ["american", "anti", "turkish", "mule"])
def test_a_round_leaves_positions_and_weights_that_the_engine_can_use(variant: str, tmp_path: Path) -> None:
    (lap,) = train(Course(variant, rounds=1, games=3, nodes=100), tmp_path)
    assert lap.positions > 10
    assert 0 < lap.loss < 2
    weights = (tmp_path / WEIGHTS).read_bytes()
    report = Engine(variant, megabytes=1, weights=weights).analyse(Position.start(variant), depth=4)
    assert report.move in Position.start(variant).legal_moves()


def test_the_same_course_gives_the_same_positions(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        list(train(Course("american", rounds=1, games=2, nodes=100), tmp_path / folder))
    one, two = (tmp_path / folder / "round-000.samples" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_course_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    course = Course("american", rounds=2, games=2, nodes=100)
    next(train(course, tmp_path))
    first = (tmp_path / "round-000.samples").stat()
    laps = list(train(course, tmp_path))
    assert [lap.number for lap in laps] == [0, 1]
    assert (tmp_path / "round-000.samples").stat().st_mtime_ns == first.st_mtime_ns
    assert laps[1].positions > laps[0].positions


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="expected no weights or"):
        Engine("american", megabytes=1, weights=b"1234")


def test_a_piece_more_is_learned_to_be_worth_something(tmp_path: Path) -> None:
    list(train(Course("american", rounds=1, games=40, nodes=200), tmp_path))
    engine = Engine("american", megabytes=1, weights=(tmp_path / WEIGHTS).read_bytes())
    ahead = engine.analyse(Position.from_fen("W:W21-32:B1-9"), depth=1).score
    behind = engine.analyse(Position.from_fen("W:W21-29:B1-12"), depth=1).score
    assert ahead is not None
    assert behind is not None
    assert ahead > behind
