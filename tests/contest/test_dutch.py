"""Rounds are paired as the reference program for FIDE's Dutch system has published them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead.contest.dutch import Entrant, Pairs, PastRound, pair
from crownhead.contest.formats.fallback import pair_freely
from tests.house.tree import HOUSE

CASES = sorted((HOUSE / "suites" / "pairings").glob("dutch_*.txt"))
_CELL = re.compile(r"(\d+)([wb])([10=+-])")
_POINTS = {"1": 2, "+": 2, "=": 1, "0": 0, "-": 0}


def past(cell: str) -> PastRound:
    if cell == "Z":
        return PastRound(None, False, 0)
    match = _CELL.fullmatch(cell)
    assert match is not None, cell
    opponent, side, result = match.groups()
    if result in "+-":
        return PastRound(None, False, _POINTS[result], free=result == "+")
    return PastRound(int(opponent), side == "w", _POINTS[result])


def case(path: Path) -> tuple[list[Entrant], int, Pairs]:
    """The players, the number of rounds and the published pairs of a case."""
    entrants, rounds, pairs = [], 0, []
    for line in path.read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word in ("player", "absent"):
            number, *cells = rest.split()
            entrants.append(Entrant(int(number), tuple(map(past, cells)), here=word == "player"))
        elif word == "rounds":
            rounds = int(rest)
        elif word == "pairs":
            two = [tuple(map(int, cell.split("-"))) for cell in rest.split()]
            pairs += [(first, second or None) for first, second in two]
    return entrants, rounds, pairs


def in_step(entrants: list[Entrant]) -> list[Entrant]:
    """Everybody with as many rounds: the reference leaves out the rest of an absent player's."""
    most = max(len(one.past) for one in entrants)
    return [replace(one, past=(one.past + (PastRound(None, False, 0),) * most)[:most]) for one in entrants]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_published_round_is_paired_as_published(path: Path) -> None:
    entrants, rounds, pairs = case(path)
    assert pair(in_step(entrants), rounds=rounds) == pairs


def test_the_published_cases_are_there() -> None:
    assert [path.stem for path in CASES] == ["dutch_60", "dutch_c5", "dutch_c9"]
    entrants, _, pairs = case(CASES[0])
    assert len(entrants) == 60
    assert len(pairs) == 30
    by_number = {one.number: one for one in entrants}
    assert by_number[1].points == 21
    for one in entrants:
        for number, cell in enumerate(one.past):
            if cell.opponent is not None:
                other = by_number[cell.opponent].past[number]
                assert (other.opponent, other.first, other.points) == (
                    one.number,
                    not cell.first,
                    2 - cell.points,
                )


def test_the_first_round_puts_the_upper_half_against_the_lower() -> None:
    entrants = [Entrant(number) for number in range(1, 8)]
    assert pair(entrants, rounds=3) == [(1, 4), (5, 2), (3, 6), (7, None)]
    assert pair(entrants, rounds=3, top_first=False) == [(4, 1), (2, 5), (6, 3), (7, None)]


def test_nobody_gets_a_second_bye() -> None:
    entrants = [
        Entrant(1, (PastRound(2, True, 2),)),
        Entrant(2, (PastRound(1, False, 0),)),
        Entrant(3, (PastRound(None, False, 2, True),)),
    ]
    assert pair(entrants, rounds=3) == [(3, 1), (2, None)]


def test_where_all_have_met_there_is_no_round() -> None:
    entrants = [Entrant(1, (PastRound(2, True, 2),)), Entrant(2, (PastRound(1, False, 0),))]
    assert pair(entrants, rounds=3) is None
    assert pair_freely(entrants) is None


def test_where_colours_stand_in_the_way_they_are_let_go() -> None:
    # Both have had the first side twice running, so neither may have it again.
    twice = [(3, 5), (4, 6)]
    entrants = [
        Entrant(number, tuple(PastRound(other, True, 1) for other in met))
        for number, met in enumerate(twice, 1)
    ]
    entrants += [
        Entrant(number, tuple(PastRound(other, False, 1) for other in met), here=False)
        for number, met in enumerate([(1, 6), (2, 5), (4, 1), (3, 2)], 3)
    ]
    assert pair(entrants, rounds=9) is None
    assert pair_freely(entrants) == [(1, 2)]


def results(entrants: list[Entrant], pairs: Pairs, dice: Random, games: int) -> list[Entrant]:
    done = {one.number: PastRound(None, False, 0) for one in entrants}
    for first, second in pairs:
        if second is None:
            done[first] = PastRound(None, False, 2 * games, free=True)
            continue
        points = dice.randrange(2 * games + 1)
        done[first] = PastRound(second, True, points)
        done[second] = PastRound(first, False, 2 * games - points)
    return [replace(one, past=(*one.past, done[one.number]), here=dice.random() > 0.05) for one in entrants]


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 24), st.integers(1, 2), st.integers(0, 10_000))
def test_a_tournament_keeps_the_absolute_rules(count: int, games: int, seed: int) -> None:
    dice, rounds = Random(seed), min(6, count - 1)
    entrants = [Entrant(number) for number in range(1, count + 1)]
    for _ in range(rounds):
        pairs = pair(entrants, rounds=rounds, games=games)
        if pairs is None:
            return
        there = [number for two in pairs for number in two if number is not None]
        assert sorted(there) == sorted(one.number for one in entrants if one.here)
        by_number = {one.number: one for one in entrants}
        for first, second in pairs:
            if second is None:
                assert not any(cell.free for cell in by_number[first].past)
            else:
                assert second not in {cell.opponent for cell in by_number[first].past}
        entrants = results(entrants, pairs, dice, games)
    for one in entrants:
        sides = [cell.first for cell in one.past if cell.opponent is not None]
        assert abs(2 * sum(sides) - len(sides)) <= 3, (
            "two more of a side, three in the last round for leaders"
        )
