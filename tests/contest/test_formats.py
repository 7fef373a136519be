"""What each format does in the cases that its description names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from crownhead.contest import (
    Bye,
    Contest,
    Finished,
    Game,
    Pair,
    Pairing,
    Player,
    ResultKind,
    Round,
    Wait,
    WaitReason,
    formats,
)
from crownhead.contest.formats.knockout import bracket
from crownhead.contest.formats.round_robin import berger
from crownhead.contest.formats.sections import MATCH, dealt
from crownhead.contest.model import OptionValue
from tests.contest.play import field_of

WON, DRAWN, LOST = (2, 0), (1, 1), (0, 2)
BOTH_OUT = (0, 0)
Play = Callable[[Pairing], Pairing]


def contest(format_: str, count: int, **options: OptionValue) -> Contest:
    return Contest(format_, field_of(count), options=options)


def next_round(state: Contest) -> Round:
    step = formats.next_step(state)
    assert isinstance(step, Pair), step
    return step.round


def paired(state: Contest) -> Contest:
    """The contest with its next round, nothing played."""
    return replace(state, rounds=(*state.rounds, next_round(state)))


def stronger_wins(pairing: Pairing) -> Pairing:
    """All games won by the player of the higher rating, who has the lower number."""
    while due := pairing.due():
        games = tuple(Game(one.first, one.second, WON if one.first < one.second else LOST) for one in due)
        pairing = replace(pairing, games=(*pairing.games, *games))
    return pairing


def all_drawn(pairing: Pairing) -> Pairing:
    while due := pairing.due():
        pairing = replace(
            pairing, games=(*pairing.games, *(Game(one.first, one.second, DRAWN) for one in due))
        )
    return pairing


def after(state: Contest, how: Play = stronger_wins) -> Contest:
    """The contest with one more round, played."""
    made = next_round(state)
    return replace(state, rounds=(*state.rounds, Round(made.number, tuple(map(how, made.pairings)))))


def to_the_end(state: Contest, how: Play = stronger_wins) -> tuple[Contest, Finished]:
    while isinstance(formats.next_step(state), Pair):
        state = after(state, how)
    end = formats.next_step(state)
    assert isinstance(end, Finished), end
    return state, end


def leaves(state: Contest, key: str) -> Contest:
    """Somebody withdraws after the last round."""
    number = len(state.rounds)
    return replace(
        state,
        players=tuple(replace(one, left=number) if one.key == key else one for one in state.players),
    )


def pairs(made: Round) -> list[tuple[str, ...]]:
    return [tuple(key.lstrip("p0") for key in pairing.players) for pairing in made.pairings]


# --------------------------------------------------------------------------- round robin
def test_the_tables_are_those_of_the_handbook() -> None:
    # FIDE Handbook C.05, annex 1: four, six and eight players.
    assert berger(4) == (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    assert berger(6) == (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    )
    assert berger(8)[1] == ((8, 5), (6, 4), (7, 3), (1, 2))
    assert berger(8)[6] == ((4, 8), (5, 3), (6, 2), (7, 1))


@pytest.mark.parametrize("count", range(2, 30, 2))
def test_in_every_table_each_meets_each_and_sides_are_shared(count: int) -> None:
    rounds = berger(count)
    met = [frozenset(pair) for made in rounds for pair in made]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(1, count + 1), 2)))
    assert all(
        sorted(number for pair in made for number in pair) == list(range(1, count + 1)) for made in rounds
    )
    for number in range(1, count + 1):
        firsts = sum(pair[0] == number for made in rounds for pair in made)
        assert abs(2 * firsts - (count - 1)) == 1


def test_rounds_wait_for_each_other_unless_they_start_at_once() -> None:
    state = paired(contest("round-robin", 4, seeding="rating"))
    step = formats.next_step(state)
    assert isinstance(step, Wait)
    assert (step.why, step.open) == (WaitReason.GAMES, 2)
    together = paired(paired(paired(contest("round-robin", 4, at_once=True))))
    assert isinstance(formats.next_step(together), Wait)


def test_only_a_round_robin_at_once_overlaps() -> None:
    overlapping = {key for key, made in formats.FORMATS.items() if made.overlaps({})}
    assert not overlapping
    assert formats.format_of("round-robin").overlaps({"at_once": True})


def test_a_round_of_a_schedule_follows_from_its_players_and_what_those_who_left_had_played() -> None:
    state = after(after(contest("round-robin", 6)))
    state = leaves(state, "p002")
    gone = {"p002"}
    little = tuple(
        replace(made, pairings=tuple(one for one in made.pairings if gone.intersection(one.players)))
        for made in state.rounds
    )
    assert formats.format_of("round-robin").scheduled
    assert next_round(replace(state, rounds=little)) == next_round(state)


def test_the_odd_player_of_a_round_robin_sits_out_for_nothing() -> None:
    _, end = to_the_end(contest("round-robin", 5, seeding="rating"))
    assert [row.points for row in end.tables[0].rows] == [8, 6, 4, 2, 0]
    assert end.winners == ("p001",)


def test_a_player_who_leaves_early_counts_for_nobody() -> None:
    state = leaves(after(contest("round-robin", 6, seeding="rating")), "p006")
    state, end = to_the_end(state)
    rows = {row.player: row for row in end.tables[0].rows}
    assert rows["p006"].place == 6
    assert rows["p006"].withdrawn
    assert rows["p001"].points == 8, "a win against a player who left does not count"
    assert all(pairing.bye is Bye.ABSENT for _, pairing in state.pairings() if pairing.bye)


def test_a_player_who_leaves_late_loses_the_rest() -> None:
    state = after(after(after(contest("round-robin", 6, seeding="rating"))))
    state, end = to_the_end(leaves(state, "p001"))
    rows = {row.player: row for row in end.tables[0].rows}
    assert (rows["p001"].points, rows["p001"].place) == (6, 2), "points already scored stay"
    assert sum(pairing.bye is Bye.ODD for _, pairing in state.pairings()) == 2, "the two remaining opponents"
    assert end.winners == ("p002",)


def test_the_director_may_end_a_contest_early() -> None:
    state = replace(after(contest("round-robin", 6, seeding="rating")), closed=True)
    assert isinstance(formats.next_step(state), Finished)
    assert isinstance(formats.next_step(replace(paired(contest("swiss", 6)), closed=True)), Wait)


# ------------------------------------------------------------------------------ sections
@pytest.mark.parametrize(("count", "sizes"), [(8, [8]), (9, [5, 4]), (33, [7, 7, 7, 6, 6]), (200, [8] * 25)])
def test_a_field_is_dealt_into_sections_that_are_alike(count: int, sizes: list[int]) -> None:
    sections = dealt(list(field_of(count)), 8)
    assert sorted(map(len, sections), reverse=True) == sizes
    leaders = {player.key for player in field_of(len(sizes))}
    assert all(len(leaders.intersection(player.key for player in section)) == 1 for section in sections)


def test_in_a_section_each_pair_plays_two_games_with_one_opening() -> None:
    made = next_round(contest("sections", 16))
    assert len(made.pairings) == 2 * 28
    slots = [{game.ballot for game in pairing.due()} for pairing in made.pairings]
    assert all(len(slot) == 1 for slot in slots)
    assert len(set.union(*slots)) == len(slots), "and no other pair has it"


def test_two_section_winners_play_a_last_match_of_three_wins() -> None:
    state = after(contest("sections", 16))
    made = next_round(state)
    assert len(made.pairings) == 1
    assert (made.pairings[0].stage, made.pairings[0].wins) == (MATCH, 3)
    assert set(made.pairings[0].players) == {"p001", "p002"}
    _, end = to_the_end(state)
    assert end.winners == ("p001",)
    assert [row.place for row in end.tables[0].rows[:3]] == [1, 2, 3]


def test_one_section_without_a_tie_decides_at_once() -> None:
    state, end = to_the_end(contest("sections", 8))
    assert len(state.rounds) == 1
    assert end.winners == ("p001",)


def test_a_last_match_of_draws_alone_shares_the_title() -> None:
    state = after(contest("sections", 16))
    state, end = to_the_end(state, all_drawn)
    assert len(state.rounds[-1].pairings[0].games) == 20
    assert set(end.winners) == {"p001", "p002"}


def test_a_section_where_nobody_falls_out_is_played_once_more_and_then_shared() -> None:
    state, end = to_the_end(contest("sections", 5), all_drawn)
    assert len(state.rounds) == 2
    assert len(end.winners) == 5


def test_how_many_rounds_of_sections_there_are_is_known_once_the_last_one_is_over() -> None:
    state = after(contest("sections", 5), all_drawn)
    planned = formats.format_of("sections").planned_rounds
    assert planned(state) is None
    assert planned(paired(state)) is None
    assert planned(after(state, all_drawn)) == 2


def test_many_sections_of_draws_alone_come_to_an_end() -> None:
    state, end = to_the_end(contest("sections", 24), all_drawn)
    assert len(state.rounds) <= 6
    assert end.winners


def test_a_player_who_has_left_does_not_continue() -> None:
    state = leaves(after(contest("sections", 16)), "p001")
    assert formats.standings(state)[0].rows[0].player != "p001"
    _, end = to_the_end(state)
    assert "p001" not in end.winners


def test_the_tables_of_all_sections_are_shown_the_newest_first() -> None:
    state = after(after(contest("sections", 33)))
    tables = formats.standings(state)
    assert (tables[0].round, tables[0].section) == (0, 0)
    assert [(table.round, table.section) for table in tables[1:]] == [(2, 1), *((1, n) for n in range(1, 6))]


# --------------------------------------------------------------------------- elimination
def test_a_bracket_lets_the_best_meet_last() -> None:
    assert bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for size in (2, 4, 16, 64):
        seeds = bracket(size)
        while len(seeds) > 1:
            two = list(zip(seeds[::2], seeds[1::2], strict=True))
            assert {sum(pair) for pair in two} == {len(seeds) + 1}
            seeds = [min(pair) for pair in two]


def test_the_best_seeds_have_the_byes() -> None:
    made = next_round(contest("single-elimination", 6))
    assert [pairing.first for pairing in made.pairings if pairing.bye] == ["p001", "p002"]
    seeded = replace(
        contest("single-elimination", 6),
        players=tuple(Player(key, seed=seed) for seed, key in enumerate("fedcba", 1)),
    )
    assert [pairing.first for pairing in next_round(seeded).pairings if pairing.bye] == ["f", "e"]


def test_the_stronger_ones_come_as_far_as_their_seeds() -> None:
    state, end = to_the_end(contest("single-elimination", 8))
    assert [(row.player, row.place) for row in end.tables[0].rows[:4]] == [
        ("p001", 1), ("p002", 2), ("p003", 3), ("p004", 4)
    ]  # fmt: skip
    assert {row.place for row in end.tables[0].rows[4:]} == {5}
    assert [pairing.stage for pairing in state.rounds[-1].pairings] == ["final", "third place"]


@pytest.mark.parametrize(("decider", "goes_on"), [("second", "b"), ("seed", "a")])
def test_after_the_last_replay_the_decider_stands(decider: str, goes_on: str) -> None:
    players = (Player("a", seed=1), Player("b", seed=2))
    state = Contest("single-elimination", players, options={"decider": decider, "replays": 2})
    state, end = to_the_end(state, all_drawn)
    assert len(state.rounds[0].pairings[0].games) == 3
    assert state.rounds[0].pairings[0].games[-1].second == "b"
    assert end.winners == (goes_on,)


def test_a_lot_decides_always_alike() -> None:
    players = (Player("a", seed=1), Player("b", seed=2))
    options: dict[str, OptionValue] = {"decider": "lot", "replays": 0}
    ends = {
        dice: to_the_end(Contest("single-elimination", players, options=options, dice=dice), all_drawn)[
            1
        ].winners
        for dice in range(20)
    }
    assert set(ends.values()) == {("a",), ("b",)}


def test_where_both_fail_to_come_the_next_opponent_has_a_bye() -> None:
    state = paired(contest("single-elimination", 4, third_place=False))
    first, second = state.rounds[0].pairings
    first = replace(first, games=(Game(first.first, str(first.second), BOTH_OUT, ResultKind.FORFEIT),))
    state = replace(state, rounds=(Round(1, (first, stronger_wins(second))),))
    assert isinstance(formats.next_step(state), Finished)
    assert to_the_end(state)[1].winners == ("p002",)


def test_the_next_opponent_of_a_player_who_leaves_has_a_bye() -> None:
    state = leaves(after(contest("single-elimination", 8)), "p001")
    made = next_round(state)
    assert [(pairing.first, pairing.bye) for pairing in made.pairings if pairing.bye] == [("p004", Bye.ODD)]


def test_an_adjourned_match_holds_up_the_next_round_of_a_bracket() -> None:
    state = paired(contest("single-elimination", 4))
    first, second = state.rounds[0].pairings
    state = replace(state, rounds=(Round(1, (replace(first, adjourned=True), stronger_wins(second))),))
    assert isinstance(formats.next_step(state), Wait)


def test_a_player_who_comes_from_the_lower_bracket_has_to_win_twice() -> None:
    def second_wins_finals(pairing: Pairing) -> Pairing:
        while due := pairing.due():
            upset = pairing.stage == "final"
            games = tuple(
                Game(one.first, one.second, WON if (one.first < one.second) != upset else LOST) for one in due
            )
            pairing = replace(pairing, games=(*pairing.games, *games))
        return pairing

    state, end = to_the_end(contest("double-elimination", 8), second_wins_finals)
    assert [made.pairings[0].stage for made in state.rounds[-2:]] == ["final", "second final"]
    assert end.winners == ("p001",)
    state, end = to_the_end(contest("double-elimination", 8, second_final=False), second_wins_finals)
    assert state.rounds[-1].pairings[0].stage == "final"
    assert end.winners == ("p002",)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 16])
def test_two_losses_put_out_of_a_double_elimination(count: int) -> None:
    state, end = to_the_end(contest("double-elimination", count))
    assert end.winners == ("p001",)
    assert [row.player for row in end.tables[0].rows[:2]] == ["p001", "p002"]
    games = sum(pairing.second is not None for _, pairing in state.pairings())
    assert games == 2 * count - 2, "everyone but the winner loses twice, the winner never"


# --------------------------------------------------------------------------------- swiss
def test_a_no_show_wins_without_a_meeting() -> None:
    state = paired(contest("swiss", 4, rounds=3, first_side="first"))
    games = [
        replace(one, games=(Game(one.first, str(one.second), WON, ResultKind.FORFEIT),))
        for one in state.rounds[0].pairings
    ]
    state = replace(state, rounds=(Round(1, tuple(games)),))
    rows = formats.standings(state)[0].rows
    assert [(row.points, row.played, row.wins) for row in rows] == [
        (2, 0, 0),
        (2, 0, 0),
        (0, 0, 0),
        (0, 0, 0),
    ]
    again = replace(state, options={**state.options, "rounds": 3})
    assert isinstance(formats.next_step(again), Pair), "those who have not met may still meet"


def test_the_next_round_is_paired_while_an_adjourned_game_counts_as_drawn() -> None:
    state = paired(contest("swiss", 8, rounds=2, first_side="first"))
    first, *others = state.rounds[0].pairings
    adjourned = replace(first, games=(Game(first.first, str(first.second)),), adjourned=True)
    state = replace(state, rounds=(Round(1, (adjourned, *map(stronger_wins, others))),))
    made = next_round(state)
    groups = [set(pair) for pair in pairs(made)]
    assert {"1", "5"} not in groups, "nobody is met twice, not even while the game goes on"
    end = replace(state, rounds=(*state.rounds, Round(2, tuple(map(stronger_wins, made.pairings)))))
    assert isinstance(formats.next_step(end), Wait), "but the end waits for it"


def test_byes_that_were_asked_for_are_worth_half_as_often_as_the_host_allows() -> None:
    players = tuple(
        replace(player, off=frozenset({1, 2}) if player.key == "p004" else frozenset())
        for player in field_of(9)
    )
    state = Contest("swiss", players, options={"rounds": 3, "half_byes": 1})
    state = after(after(state))
    byes = [pairing.bye for _, pairing in state.pairings() if pairing.first == "p004"]
    assert byes == [Bye.ASKED, Bye.ABSENT]


def test_as_many_rounds_as_it_takes_and_one() -> None:
    planned = {
        count: formats.FORMATS["swiss"].planned_rounds(contest("swiss", count)) for count in (4, 8, 33, 200)
    }
    assert planned == {4: 3, 8: 4, 33: 7, 200: 9}


def test_a_contest_that_cannot_be_paired_any_more_ends() -> None:
    state, end = to_the_end(contest("swiss", 4, rounds=3))
    assert len(state.rounds) == 3
    state = contest("swiss", 5, rounds=5)
    for key in ("p005", "p004"):
        state = leaves(after(state), key)
    state, end = to_the_end(state)
    assert len(state.rounds) < 5
    assert end.winners == ("p001",)


# --------------------------------------------------------------------------------- arena
def arena(*results: str) -> Contest:
    """Waves of one game each, such as ``a+b``."""
    signs = {"+": WON, "=": DRAWN, "-": LOST}
    rounds = [
        Round(number, (Pairing(1, text[0], text[2], games=(Game(text[0], text[2], signs[text[1]]),)),))
        for number, text in enumerate(results, 1)
    ]
    return Contest("arena", tuple(Player(key) for key in "abcd"), tuple(rounds))


def points(state: Contest) -> dict[str, int]:
    return {row.player: row.points for row in formats.standings(state)[0].rows}


def test_a_streak_counts_double_until_it_ends() -> None:
    state = arena("a+b", "a+c", "a+d", "b-a", "a=c", "a+b")
    assert points(state)["a"] == 2 + 2 + 4 + 4 + 1 + 2
    assert points(replace(state, options={"streaks": False}))["a"] == 11


def test_a_forfeit_neither_makes_nor_ends_a_streak() -> None:
    state = arena("a+b", "a+c", "a+d", "a+b")
    third = state.rounds[2].pairings[0]
    forfeit = replace(third, games=(replace(third.games[0], how=ResultKind.FORFEIT),))
    state = replace(state, rounds=(*state.rounds[:2], Round(3, (forfeit,)), state.rounds[3]))
    assert points(state)["a"] == 2 + 2 + 2 + 4


def test_a_player_who_pauses_or_plays_is_not_paired() -> None:
    state = contest("arena", 5)
    players = tuple(replace(player, here=player.key != "p003") for player in state.players)
    made = next_round(replace(state, players=players))
    assert sorted(key for pairing in made.pairings for key in pairing.players) == [
        "p001",
        "p002",
        "p004",
        "p005",
    ]
    going = replace(state, players=players, rounds=(made,))
    step = formats.next_step(going)
    assert isinstance(step, Wait)
    assert step.why is WaitReason.PLAYERS


def test_two_alone_in_an_arena_meet_again_with_sides_swapped() -> None:
    state = after(contest("arena", 2))
    assert next_round(state).pairings[0].first == state.rounds[0].pairings[0].second


def test_a_closed_arena_waits_for_its_last_games() -> None:
    state = replace(paired(contest("arena", 4)), closed=True)
    assert isinstance(formats.next_step(state), Wait)
    ended = replace(
        state,
        rounds=tuple(Round(one.number, tuple(map(stronger_wins, one.pairings))) for one in state.rounds),
    )
    assert isinstance(formats.next_step(ended), Finished)
