"""Tuning margins of the search: what every iteration plays, and where it leads."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from crownhead import Position
from crownhead.engine import Engine
from crownhead.engine.tuning import Plan, Tuning, begin, resume

PLAN = Plan(("american", "russian"), ("probcut", "singular"), iterations=400, pairs=4, nodes=100, seed=7)


def _played(tuning: Tuning, iterations: int, best: dict[str, int]) -> Tuning:
    """Iterations in which the side that is nearer to the best values mostly scores more."""
    dice = Random(3)

    def loss(values: dict[str, int]) -> float:
        return sum(((values[name] - best[name]) / best[name]) ** 2 for name in values)

    for _ in range(iterations):
        first, second = tuning.sides()
        expected = 0.5 + loss(second) - loss(first)
        tuning = tuning.after(min(max(expected + dice.gauss(0, 0.15), 0), 1))
    return tuning


def test_a_tuning_begins_with_the_margins_of_the_package() -> None:
    engine = Engine("russian", megabytes=1, tables=False)
    same = Engine("russian", megabytes=1, tables=False, margins=begin(PLAN).values())
    start = Position.start("russian")
    assert same.analyse(start, depth=8).nodes == engine.analyse(start, depth=8).nodes


def test_margins_go_where_games_are_won() -> None:
    best = {"probcut": 16, "singular": 28}
    found = _played(begin(PLAN), PLAN.iterations, best)
    assert found.is_over
    assert found.values() == pytest.approx(best, rel=0.2)


def test_the_sides_of_an_iteration_differ_in_every_margin() -> None:
    tuning = replace(begin(PLAN, {"probcut": 0.1}), done=10_000)
    first, second = tuning.sides()
    assert all(first[name] != second[name] for name in PLAN.names)


def test_margins_stay_within_what_makes_sense() -> None:
    tuning = begin(PLAN, {"probcut": 50, "singular": 500})
    for _ in range(20):
        first, second = tuning.sides()
        assert min(first["probcut"], second["probcut"]) >= 1
        assert max(first["singular"], second["singular"]) <= 400
        tuning = tuning.after(1 if first["probcut"] < second["probcut"] else 0)
    assert tuning.margins[0].value == 1


def test_variants_take_turns() -> None:
    tuning = begin(PLAN)
    assert [tuning.variant, tuning.after(0.5).variant, tuning.after(0.5).after(0.5).variant] == [
        "american",
        "russian",
        "american",
    ]


def test_a_tuning_that_was_stopped_goes_on_alike() -> None:
    best = {"probcut": 16, "singular": 28}
    half = _played(begin(PLAN), 50, best)
    assert _played(resume(half.to_json(), PLAN), 50, best) == _played(half, 50, best)


def test_a_tuning_of_another_plan_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected to go on with Plan\(.*nodes=100.*, got .*nodes=200"):
        resume(begin(PLAN).to_json(), replace(PLAN, nodes=200))


def test_a_margin_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected one of the margins .*probcut.*, got 'speed'"):
        begin(replace(PLAN, names=("speed",)))


@pytest.mark.parametrize(
    ("margins", "refused"),
    [
        ({"speed": 1}, "expected the name of a margin, got 'speed'"),
        ({"probcut": 0}, "expected probcut from 1 to 100, got 0"),
        ({"probcut": 101}, "expected probcut from 1 to 100, got 101"),
    ],
)
def test_an_engine_refuses_margins_that_make_no_sense(margins: dict[str, int], refused: str) -> None:
    with pytest.raises(ValueError, match=refused):
        Engine("russian", megabytes=1, margins=margins)


def test_other_margins_search_other_nodes() -> None:
    start = Position.start("russian")
    narrow = Engine("russian", megabytes=1, tables=False, margins={"probcut": 1, "reverse_futility": 1})
    wide = Engine("russian", megabytes=1, tables=False)
    assert narrow.analyse(start, depth=8).nodes != wide.analyse(start, depth=8).nodes
