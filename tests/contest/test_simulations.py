"""Every format is played to the end by 8, 33, 100 and 200 players, and its invariants hold throughout."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from crownhead.contest import Bye, Contest, Finished, Round, formats
from crownhead.contest.formats.sections import MATCH
from crownhead.contest.model import OptionValue
from tests.contest.arena import evening
from tests.contest.checks import (
    balance,
    meetings,
    once_in_each_round,
    places_are_sound,
    points_are_conserved,
    really_met,
    sides,
)
from tests.contest.play import LIVELY, QUIET, Club, Habits, field_of, totals

WILD = Habits(draws=40, no_shows=10, both_absent=5, withdrawals=6)
SIZES = [8, 33, pytest.param(60, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.nightly)]
HABITS = [pytest.param(QUIET, id="quiet"), pytest.param(LIVELY, id="lively"), pytest.param(WILD, id="wild")]
each = pytest.mark.parametrize
everybody = each("count", SIZES)
every_habit = each("habits", HABITS)


def played(format_: str, count: int, habits: Habits, **options: OptionValue) -> tuple[Club, Finished]:
    club = Club(Contest(format_, field_of(count), options=options, dice=count), habits, seed=count)
    return club, club.to_the_end()


# --------------------------------------------------------------------------- round robin
@everybody
def test_in_a_round_robin_each_meets_each_once(count: int) -> None:
    club, end = played("round-robin", count, QUIET)
    assert set(meetings(club.contest).values()) == {1}
    assert len(meetings(club.contest)) == count * (count - 1) // 2
    assert len(club.contest.rounds) == count - 1 + count % 2
    points_are_conserved(club, end.tables[0])
    places_are_sound(end.tables[0])
    assert all(balance(had) <= 1 for had in sides(club.contest).values())


@each("count", [7, 8])
def test_in_a_double_round_robin_each_has_each_side_against_each(count: int) -> None:
    club, _ = played("round-robin", count, QUIET, cycles=2)
    assert set(meetings(club.contest).values()) == {2}
    first = Counter(
        (pairing.first, pairing.second) for _, pairing in club.contest.pairings() if pairing.second
    )
    assert set(first.values()) == {1}
    assert all(balance(had) == 0 for had in sides(club.contest).values())


@each("count", [8, 33])
@each("habits", HABITS[1:])
def test_a_round_robin_ends_even_if_players_leave(count: int, habits: Habits) -> None:
    club, end = played("round-robin", count, habits, games=2)
    assert max(meetings(club.contest).values()) == 1
    for made in club.contest.rounds:
        once_in_each_round(made)
        there = {key for pairing in made.pairings for key in pairing.players}
        assert there == {player.key for player in club.contest.players if player.plays_in(made.number)}
    places_are_sound(end.tables[0])
    left = {player.key for player in club.contest.players if player.left is not None}
    assert left.isdisjoint(end.winners)


# --------------------------------------------------------------------------------- swiss
@everybody
@every_habit
def test_a_swiss_tournament_keeps_its_rules(count: int, habits: Habits) -> None:
    rounds = 7 if count > 8 else 4
    club, end = played("swiss", count, habits, rounds=rounds)
    assert max(really_met(club.contest).values()) == 1, "nobody is met twice"
    for made in club.contest.rounds:
        once_in_each_round(made)
        there = {key for pairing in made.pairings for key in pairing.players}
        assert there == {player.key for player in club.contest.players if player.plays_in(made.number)}
        assert sum(pairing.bye is Bye.ODD for pairing in made.pairings) == len(there) % 2
    odd = Counter(pairing.first for _, pairing in club.contest.pairings() if pairing.bye is Bye.ODD)
    assert max(odd.values(), default=0) <= 1, "nobody has two byes"
    for had in sides(club.contest).values():
        assert balance(had) <= 3
        assert all(len(set(had[place : place + 3])) > 1 for place in range(len(had) - 3)), (
            "not thrice running"
        )
    points_are_conserved(club, end.tables[0])
    places_are_sound(end.tables[0])
    assert len(club.contest.rounds) == rounds


def test_a_swiss_tournament_takes_in_who_comes_late_and_lets_off_who_asks() -> None:
    habits = Habits(late=3, byes_asked=15, withdrawals=3)
    club = Club(
        Contest("swiss", field_of(33), options={"rounds": 7, "late_half": True, "half_byes": 2}), habits
    )
    end = club.to_the_end()
    asked = Counter(pairing.first for _, pairing in club.contest.pairings() if pairing.bye is Bye.ASKED)
    assert asked
    assert max(asked.values()) <= 2
    for number in (1, 2, 3):
        rows = {row.player: row for row in end.tables[0].rows}
        own = totals(club.contest)[f"late{number}"]
        assert rows[f"late{number}"].points == own + number, "half a point for each round missed"


def test_two_games_a_round_swap_colours_in_a_swiss_tournament() -> None:
    club, end = played("swiss", 16, LIVELY, rounds=5, games=2)
    assert max(really_met(club.contest).values()) == 1
    for _, pairing in club.contest.pairings():
        if len(pairing.games) == 2:
            assert pairing.games[0].first == pairing.games[1].second
    points_are_conserved(club, end.tables[0])


# ------------------------------------------------------------------------------ sections
@everybody
@every_habit
def test_sections_end_with_who_has_won_them_all(count: int, habits: Habits) -> None:
    club, end = played("sections", count, habits)
    places_are_sound(end.tables[0])
    for made in club.contest.rounds:
        groups: dict[int, set[str]] = {}
        for pairing in made.pairings:
            groups.setdefault(pairing.section, set()).update(pairing.players)
        assert all(2 <= len(group) <= 8 for group in groups.values())
        assert max(map(len, groups.values())) - min(map(len, groups.values())) <= 1
        assert sum(map(len, groups.values())) == len(set().union(*groups.values())), "one section for each"
        pairs = Counter(frozenset(pairing.players) for pairing in made.pairings)
        assert set(pairs.values()) == {1}
        if made.pairings[0].stage != MATCH:
            assert len(pairs) == sum(len(group) * (len(group) - 1) // 2 for group in groups.values())
    for earlier, later in pairwise(club.contest.rounds):
        assert goes_on(club.contest, later) <= goes_on(club.contest, earlier)
    for winner in end.winners:
        assert winner in goes_on(club.contest, club.contest.rounds[-1])


def goes_on(contest: Contest, made: Round) -> set[str]:
    return {key for pairing in made.pairings for key in pairing.players}


def test_all_who_tie_in_a_section_continue() -> None:
    club, _ = played("sections", 33, Habits(draws=90, no_shows=0, both_absent=0))
    tables = formats.standings(club.contest)
    for made in club.contest.rounds[:-1]:
        after = {
            key
            for later in club.contest.rounds
            if later.number == made.number + 1
            for key in goes_on(club.contest, later)
        }
        sections = [table for table in tables if table.round == made.number]
        for table in sections:
            most = max(row.points for row in table.rows)
            assert {row.player for row in table.rows if row.points == most} <= after


# --------------------------------------------------------------------------- elimination
@everybody
@every_habit
@each("third", [True, False])
def test_single_elimination_halves_the_field(count: int, habits: Habits, third: bool) -> None:
    club, end = played("single-elimination", count, habits, third_place=third)
    places_are_sound(end.tables[0])
    assert len(club.contest.rounds) <= (count - 1).bit_length()
    assert len(end.winners) <= 1
    assert max(meetings(club.contest).values()) == 1
    if habits is QUIET:
        assert len(end.winners) == 1
        assert end.tables[0].rows[0].player == end.winners[0]
        fourth = end.tables[0].rows[2]
        assert (fourth.place, fourth.sharing) == ((3, 1) if third else (3, 2))
        lost = Counter(
            key
            for _, pairing in club.contest.pairings()
            if pairing.second and pairing.stage != "third place" and pairing.leader is not None
            for key in pairing.players
            if key != pairing.leader
        )
        assert max(lost.values()) == 1


@everybody
@every_habit
def test_double_elimination_lets_nobody_out_before_their_second_loss(count: int, habits: Habits) -> None:
    club, end = played("double-elimination", count, habits, decider="seed")
    places_are_sound(end.tables[0])
    assert len(club.contest.rounds) <= 2 * (count - 1).bit_length() + 1
    assert len(end.winners) <= 1
    for made in club.contest.rounds:
        once_in_each_round(made)
    if habits is QUIET:
        losses = Counter(
            key
            for _, pairing in club.contest.pairings()
            if pairing.second and pairing.leader is not None
            for key in pairing.players
            if key != pairing.leader
        )
        assert losses[end.winners[0]] <= 1
        assert max(losses.values()) == 2


@each("seed", range(5))
def test_those_who_fall_into_the_lower_bracket_meet_nobody_again_soon(seed: int) -> None:
    club = Club(Contest("double-elimination", field_of(32), dice=seed), QUIET, seed=seed)
    club.to_the_end()
    met: dict[frozenset[str], int] = {}
    for number, pairing in club.contest.pairings():
        if pairing.second:
            assert number >= 6 or frozenset(pairing.players) not in met
            met[frozenset(pairing.players)] = number


# --------------------------------------------------------------------------------- arena
@each("count", [8, 33, 200])
def test_an_arena_pairs_who_is_free_until_it_is_closed(count: int) -> None:
    contest = evening(count, waves=40 if count < 200 else 12)
    last: dict[str, str] = {}
    for made in contest.rounds:
        once_in_each_round(made)
        for pairing in made.pairings:
            first, second = pairing.players
            assert last.get(first) != second, "nobody meets their last opponent again"
            last |= {first: second, second: first}
    end = formats.next_step(contest)
    assert isinstance(end, Finished)
    places_are_sound(end.tables[0])
    assert end.tables[0].unit == 1
    had = sides(contest)
    assert all(balance(games) <= 2 for games in had.values()), {
        key: balance(games) for key, games in had.items()
    }
