"""Learning: games with itself leave positions, the fit makes weights, and a stopped course goes on."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest

from crownhead import Position
from crownhead.engine import Engine
from crownhead.engine.training import WEIGHTS, Course, Part, play, train
from crownhead.engine.weights import unpack
from crownhead.rules.errors import CrownheadError


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
    one, two = (tmp_path / folder / "round-000-000.samples" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_course_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    course = Course("american", rounds=2, games=2, nodes=100)
    next(train(course, tmp_path))
    first = (tmp_path / "round-000-000.samples").stat()
    laps = list(train(course, tmp_path))
    assert [lap.number for lap in laps] == [0, 1]
    assert (tmp_path / "round-000-000.samples").stat().st_mtime_ns == first.st_mtime_ns
    assert laps[1].positions > laps[0].positions


def test_a_round_that_was_fitted_is_told_of_again_and_left_alone(tmp_path: Path) -> None:
    course = Course("american", rounds=2, games=2, nodes=100)
    laps = list(train(course, tmp_path))
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("round-*")}
    assert list(train(replace(course, games=5), tmp_path)) == laps
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("round-*")} == kept


@pytest.mark.parametrize("left", ["", "{}", '{"lap": {"number": 0}, "aim": {}}', "[1"])
def test_a_round_whose_numbers_are_lost_is_fitted_again(left: str, tmp_path: Path) -> None:
    course = Course("american", rounds=1, games=2, nodes=100)
    (lap,) = train(course, tmp_path)
    (tmp_path / "round-000.json").write_text(left)
    assert list(train(course, tmp_path)) == [lap]


def test_the_newest_weights_are_those_of_the_last_round_asked_for(tmp_path: Path) -> None:
    course = Course("american", rounds=2, games=2, nodes=100)
    list(train(course, tmp_path))
    list(train(replace(course, rounds=1), tmp_path))
    assert (tmp_path / WEIGHTS).read_bytes() == (tmp_path / "round-000.bin").read_bytes()


def test_the_last_fit_may_leave_early_rounds_out_and_count_the_last_more_often(tmp_path: Path) -> None:
    course = Course("american", rounds=3, games=3, nodes=100)
    laps = list(train(course, tmp_path))
    first, second, third = (late - early for early, late in pairwise([0, *(lap.positions for lap in laps)]))
    kept = (tmp_path / "round-001.bin").stat().st_mtime_ns

    again = list(train(replace(course, since=1, newest=3), tmp_path))

    assert again[:2] == laps[:2]
    assert again[2].positions == second + 3 * third
    assert (tmp_path / "round-001.bin").stat().st_mtime_ns == kept
    assert list(train(replace(course, since=1, newest=3), tmp_path)) == again
    (one_more,) = list(train(replace(course, rounds=4), tmp_path))[3:]
    assert one_more.positions > first + second + third


def test_a_course_without_a_round_to_learn_from_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CrownheadError, match="expected one of 2 rounds to begin with, got 3"):
        list(train(Course("american", rounds=2, games=2, since=2), tmp_path))


def test_a_crew_may_play_the_parts_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crownhead.engine.training.PART", 2)
    course = Course("american", rounds=2, games=5, nodes=100)

    def backwards(parts: Iterable[Part]) -> Iterator[tuple[Part, bytes]]:
        for part in reversed(list(parts)):
            yield part, play(part)

    laps = list(train(course, tmp_path / "crew", crew=backwards))
    assert len(list((tmp_path / "crew").glob("round-000-*.samples"))) == 3
    assert list(map(asdict, laps)) == list(map(asdict, train(course, tmp_path / "alone")))


def test_a_part_is_not_played_with_other_tables_than_it_was_meant_for() -> None:
    part = Part(Course("american", games=1, nodes=50), round=0, number=0, games=1, weights=b"", pieces=6)
    with pytest.raises(CrownheadError, match="tables of up to 6 pieces, got some of 4"):
        play(part)


def test_positions_held_back_are_foretold_better_than_by_counting(tmp_path: Path) -> None:
    laps = list(train(Course("russian", rounds=1, games=400, nodes=200), tmp_path))
    assert laps[0].unseen < laps[0].counted


def test_more_often_gone_over_positions_are_foretold_better(tmp_path: Path) -> None:
    first = Course("american", rounds=1, games=60, nodes=100, epochs=1)
    (once,) = train(first, tmp_path)
    (often,) = train(replace(first, epochs=8), tmp_path)
    assert often.positions == once.positions
    assert often.loss < once.loss


def test_parts_of_a_round_played_by_several_threads_are_the_same(tmp_path: Path) -> None:
    for threads in (1, 3):
        list(
            train(Course("brazilian", rounds=1, games=9, nodes=100, threads=threads), tmp_path / f"{threads}")
        )
    one, three = (tmp_path / folder / "round-000-000.samples" for folder in ("1", "3"))
    assert one.read_bytes() == three.read_bytes()


def test_what_was_learned_is_kept_as_the_package_ships_it(tmp_path: Path) -> None:
    list(train(Course("frisian", rounds=1, games=4, nodes=100), tmp_path))
    kept = unpack((tmp_path / "frisian.weights").read_bytes(), "frisian")
    exact = (tmp_path / WEIGHTS).read_bytes()
    assert len(kept) == len(exact)
    assert max(abs(a - b) for a, b in zip(array("h", kept), array("h", exact), strict=True)) <= 4


def test_a_piece_more_is_learned_to_be_worth_something(tmp_path: Path) -> None:
    list(train(Course("american", rounds=1, games=40, nodes=200), tmp_path))
    engine = Engine("american", megabytes=1, weights=(tmp_path / WEIGHTS).read_bytes())
    ahead = engine.analyse(Position.from_fen("W:W21-32:B1-9"), depth=1).score
    behind = engine.analyse(Position.from_fen("W:W21-29:B1-12"), depth=1).score
    assert ahead is not None
    assert behind is not None
    assert ahead > behind
