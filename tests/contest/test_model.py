"""Players, games, pairings and rounds as values: what they allow, and which games are due."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead.contest import (
    BadField,
    BadOption,
    BadResult,
    BadRound,
    Bye,
    Contest,
    Game,
    Pair,
    Pairing,
    Player,
    ResultKind,
    Round,
    formats,
)
from crownhead.contest.options import Choices, Option

WON, DRAWN, LOST = (2, 0), (1, 1), (0, 2)


def play(pairing: Pairing, *results: tuple[int, int]) -> Pairing:
    """The pairing after more games, each with the half points of its first side."""
    for points in results:
        due = pairing.due()
        assert due, f"a game is due before {points}"
        pairing = replace(pairing, games=(*pairing.games, Game(due[0].first, due[0].second, points)))
    return pairing


def test_two_games_of_a_pairing_start_together_with_colours_swapped_and_one_opening() -> None:
    first, second = Pairing(3, "a", "b", planned=2, ballot=3).due()
    assert (first.number, first.first, first.second, first.ballot) == (1, "a", "b", 3)
    assert (second.number, second.first, second.second, second.ballot) == (2, "b", "a", 3)


def test_nothing_is_due_while_games_continue() -> None:
    pairing = Pairing(1, "a", "b", planned=2, games=(Game("a", "b"), Game("b", "a", WON)))
    assert pairing.due() == ()
    assert not pairing.over


def test_the_second_of_two_games_is_due_though_the_first_continues() -> None:
    pairing = Pairing(1, "a", "b", planned=2, games=(Game("a", "b"),))
    assert [game.number for game in pairing.due()] == [2]


def test_the_first_of_two_games_is_played_again_under_its_own_number_and_opening() -> None:
    second = Game("b", "a", WON, number=2)
    for game in (second, replace(second, points=None)):
        (again,) = Pairing(1, "a", "b", planned=2, ballot=3, games=(game,)).due()
        assert (again.number, again.first, again.second, again.ballot) == (1, "a", "b", 3)


def test_a_match_continues_until_somebody_has_won_often_enough() -> None:
    match = Pairing(1, "a", "b", wins=3, ballot=1)
    match = play(match, WON, DRAWN, WON, DRAWN)
    assert [(game.first, game.ballot) for game in match.due()] == [("a", 2001)]
    match = play(match, LOST, LOST)
    assert match.leader == "a"
    assert [game.points_of("a") for game in match.games].count(2) == 3
    assert match.over
    assert match.due() == ()


def test_a_match_for_wins_ends_with_its_last_game() -> None:
    match = play(Pairing(1, "a", "b", wins=3, most=4), DRAWN, DRAWN, WON, DRAWN)
    assert match.over
    assert match.leader == "a"


def test_a_tie_is_replayed_as_often_as_it_may_with_a_new_opening_every_two_games() -> None:
    pairing = play(Pairing(2, "a", "b", replays=2, ballot=2), DRAWN)
    assert [(game.first, game.ballot) for game in pairing.due()] == [("b", 2)]
    pairing = play(pairing, DRAWN)
    assert [(game.first, game.ballot) for game in pairing.due()] == [("a", 1002)]
    pairing = play(pairing, DRAWN)
    assert pairing.over
    assert pairing.leader is None


def test_a_forfeit_ends_a_match() -> None:
    games = (Game("a", "b", WON), Game("b", "a", WON, ResultKind.FORFEIT))
    match = Pairing(1, "a", "b", wins=3, games=games)
    assert match.over
    assert match.due() == ()


def test_an_adjourned_pairing_holds_up_no_round_and_starts_no_game() -> None:
    pairing = Pairing(1, "a", "b", adjourned=True)
    made = Round(1, (pairing,))
    assert pairing.due() == ()
    assert made.passed
    assert not made.over


@pytest.mark.parametrize(("bye", "points"), [(Bye.ODD, 4), (Bye.ASKED, 2), (Bye.ABSENT, 0)])
def test_a_bye_is_worth_as_much_as_its_games(bye: Bye, points: int) -> None:
    pairing = Pairing(1, "a", planned=2, bye=bye)
    assert pairing.points_of("a") == points
    assert pairing.over
    assert pairing.leader == "a"


@given(st.lists(st.sampled_from([WON, DRAWN, LOST]), max_size=40), st.integers(1, 2), st.integers(0, 3))
def test_a_pairing_starts_no_more_games_than_it_may(
    results: list[tuple[int, int]], planned: int, replays: int
) -> None:
    pairing = Pairing(1, "a", "b", planned=planned, replays=replays)
    for points in results:
        if not pairing.due():
            break
        pairing = play(pairing, points)
    assert len(pairing.games) <= planned * (1 + replays)
    assert pairing.over == (not pairing.due())
    assert pairing.points_of("a") + pairing.points_of("b") == 2 * len(pairing.games)
    firsts = [game.first for game in pairing.games]
    assert abs(firsts.count("a") - firsts.count("b")) <= 1


@pytest.mark.parametrize(
    ("points", "how"),
    [
        ((2, 1), ResultKind.PLAYED),
        ((2, 2), ResultKind.FORFEIT),
        ((0, 0), ResultKind.PLAYED),
        ((0, 0), ResultKind.ADJUDICATED),
    ],
)
def test_points_that_no_game_has_are_refused(points: tuple[int, int], how: ResultKind) -> None:
    with pytest.raises(BadResult, match="expected"):
        Game("a", "b", points, how)


def test_nobody_plays_against_themselves() -> None:
    with pytest.raises(BadResult, match="got 'a' twice"):
        Game("a", "a")
    with pytest.raises(BadRound, match="got 'a' twice"):
        Pairing(1, "a", "a")


def test_a_pairing_has_an_opponent_or_a_bye_and_its_own_games() -> None:
    with pytest.raises(BadRound, match="expected an opponent or a bye"):
        Pairing(1, "a")
    with pytest.raises(BadRound, match="expected an opponent or a bye"):
        Pairing(1, "a", "b", bye=Bye.ODD)
    with pytest.raises(BadResult, match="expected a game of 'a' and 'b'"):
        Pairing(1, "a", "b", games=(Game("a", "c"),))


def test_a_stranger_has_no_points() -> None:
    with pytest.raises(BadResult, match="expected 'a' or 'b', got 'c'"):
        Game("a", "b", WON).points_of("c")


def test_tables_of_a_round_are_distinguished() -> None:
    with pytest.raises(BadRound, match="expected each table of round 2 once"):
        Round(2, (Pairing(1, "a", "b"), Pairing(1, "c", "d")))


# ------------------------------------------------------------------------------- options
@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        ({"rounds": 99}, "expected a whole number from 0 to 30 for the option 'rounds', got 99"),
        ({"rounds": True}, "expected a whole number"),
        ({"games": "two"}, "expected a whole number from 1 to 2"),
        ({"late_half": 1}, "expected true or false"),
        ({"first_side": "third"}, "expected one of lot, first, second"),
        ({"colour": "red"}, "expected one of the options"),
        ({"tie_breaks": "buchholz, luck"}, "expected keys out of direct"),
    ],
)
def test_options_that_cannot_be_are_refused(chosen: dict[str, int | str | bool], complaint: str) -> None:
    players = tuple(Player(f"p{n}") for n in range(40))
    with pytest.raises(BadOption, match=complaint):
        formats.FORMATS["swiss"].check(chosen, players)


def test_an_option_that_was_not_chosen_has_its_default() -> None:
    options = (Option("size", 8, "how many", 2, 9), Option("fast", False, "whether"))
    choices = Choices(options, {"fast": True})
    assert choices.number("size") == 8
    assert choices.yes("fast")


@pytest.mark.parametrize("key", list(formats.FORMATS))
def test_every_format_says_what_it_is_and_what_may_be_chosen(key: str) -> None:
    made = formats.FORMATS[key]
    assert made.key == key
    assert made.summary.endswith(".")
    for option in made.options:
        assert option.checked(option.default) == option.default
        assert option.text
    made.check({}, tuple(Player(f"p{n}") for n in range(8)))


@pytest.mark.parametrize("key", list(formats.FORMATS))
def test_a_field_that_is_too_small_or_has_somebody_twice_is_refused(key: str) -> None:
    with pytest.raises(BadField, match=r"expected \d to \d+ players"):
        formats.FORMATS[key].check({}, (Player("a"), Player("b", left=0)))
    with pytest.raises(BadField, match="expected each player once, got 'a' more than once"):
        formats.FORMATS[key].check({}, (Player("a"), Player("b"), Player("c"), Player("a")))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadOption, match="expected one of sections"):
        formats.next_step(Contest("fischer-random", (Player("a"), Player("b"))))


def test_more_rounds_than_opponents_are_refused() -> None:
    players = tuple(Player(f"p{n}") for n in range(6))
    with pytest.raises(BadOption, match=r"expected fewer rounds than players \(6\)"):
        formats.FORMATS["swiss"].check({"rounds": 6}, players)
    formats.FORMATS["swiss"].check({"rounds": 5}, players)


# ----------------------------------------------------------------------- rounds by hand
@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (Round(2, ()), "expected round 1, got round 2"),
        (Round(1, (Pairing(1, "a", "x"),)), "expected players of the contest in round 1, got 'x'"),
        (
            Round(1, (Pairing(1, "a", "b"), Pairing(2, "a", "c"))),
            "expected everybody once in round 1, got 'a'",
        ),
        (Round(1, (Pairing(1, "a", "gone"),)), "expected players who are in, got 'gone'"),
    ],
)
def test_a_round_paired_by_hand_has_to_make_sense(made: Round, complaint: str) -> None:
    contest = Contest("swiss", (*map(Player, "abc"), Player("gone", left=0)))
    with pytest.raises(BadRound, match=complaint):
        formats.FORMATS["swiss"].check_round(contest, made)


def test_a_round_paired_by_hand_is_gone_on_from() -> None:
    contest = Contest("swiss", tuple(Player(key) for key in "abcd"), options={"rounds": 2})
    by_hand = Round(1, (play(Pairing(1, "a", "d"), WON), play(Pairing(2, "c", "b"), LOST)))
    formats.FORMATS["swiss"].check_round(contest, by_hand)
    step = formats.next_step(replace(contest, rounds=(by_hand,)))
    assert isinstance(step, Pair)
    assert {frozenset(pairing.players) for pairing in step.round.pairings} == {
        frozenset("ab"),
        frozenset("cd"),
    }
