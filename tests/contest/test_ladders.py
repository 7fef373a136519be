"""Ladders of both styles: who may challenge whom, and whom a challenge moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead.contest.errors import ContestError
from crownhead.contest.ladders import Challenger, Ending, Move, Refusal, places, stairs

ORDER = tuple("abcdefgh")
ANN, BEN = Challenger("ann", 30), Challenger("ben", 25)
orders = st.integers(2, 30).map(lambda count: tuple(f"p{n}" for n in range(count)))


# ------------------------------------------------------------------------------- places
@pytest.mark.parametrize("rank", [10, 29, 31, 50])
def test_anybody_within_twenty_places_may_be_challenged(rank: int) -> None:
    assert places.refusal(ANN, replace(BEN, rank=rank)) is None


@pytest.mark.parametrize(("rank", "reason"), [(9, Refusal.TOO_HIGH), (51, Refusal.TOO_LOW)])
def test_nobody_further_away_may_be_challenged(rank: int, reason: Refusal) -> None:
    assert places.refusal(ANN, replace(BEN, rank=rank)) is reason


def test_a_third_challenge_of_ones_own_is_refused() -> None:
    busy = replace(ANN, challenging=frozenset({"cleo", "dan"}))
    assert places.refusal(busy, BEN) is Refusal.OWN_CHALLENGES


def test_challenges_that_others_have_made_do_not_count() -> None:
    wanted = replace(ANN, challenged_by=frozenset({"cleo", "dan", "eve"}))
    assert places.refusal(wanted, replace(BEN, challenged_by=frozenset({"cleo", "fay"}))) is None


def test_two_who_are_playing_do_not_challenge_each_other_again() -> None:
    assert places.refusal(replace(ANN, challenging=frozenset({"ben"})), BEN) is Refusal.OPEN_BETWEEN
    assert places.refusal(replace(ANN, challenged_by=frozenset({"ben"})), BEN) is Refusal.OPEN_BETWEEN


def test_whom_one_has_challenged_and_fled_is_left_alone_for_a_fortnight() -> None:
    assert places.refusal(replace(ANN, fled={"ben": 13.9}), BEN) is Refusal.MET_LATELY
    assert places.refusal(replace(ANN, fled={"ben": 14.0, "cleo": 1}, met={"ben": 1}), BEN) is None
    assert places.refusal(ANN, replace(BEN, fled={"ann": 1})) is None


def test_nobody_on_vacation_is_challenged_on_either_ladder() -> None:
    assert places.refusal(ANN, replace(BEN, away=True)) is Refusal.AWAY
    assert stairs.refusal(ANN, replace(BEN, rank=30, away=True)) is Refusal.AWAY


def test_nobody_challenges_themselves() -> None:
    assert places.refusal(ANN, ANN) is Refusal.SELF
    assert stairs.refusal(ANN, ANN) is Refusal.SELF


def test_every_refusal_says_why() -> None:
    assert all(reason.sentence.endswith(".") for reason in Refusal)


def test_the_lower_winner_takes_the_place_and_the_rest_move_down() -> None:
    assert places.after(ORDER, "f", "c", Ending.PLAYED) == tuple("abfcdegh")
    assert places.new_ranks(6, 3, Ending.PLAYED, size=8) == (3, 4)


def test_a_win_of_the_higher_one_moves_nobody() -> None:
    assert places.after(ORDER, "c", "f", Ending.PLAYED) == ORDER


@pytest.mark.parametrize("ending", [Ending.DRAWN, Ending.VOID])
def test_a_draw_or_an_annulled_game_moves_nobody(ending: Ending) -> None:
    assert places.after(ORDER, "f", "c", ending) == ORDER
    assert stairs.new_ranks(4, 2, ending) == (4, 2)


def test_a_player_who_runs_out_of_time_goes_to_the_last_place() -> None:
    assert places.after(ORDER, "f", "c", Ending.FLED) == tuple("abfdeghc")
    assert places.after(ORDER, "c", "f", Ending.FLED) == tuple("abcdeghf")


def test_those_below_one_who_leaves_move_up() -> None:
    assert places.without(ORDER, "c") == tuple("abdefgh")
    assert places.changes(tuple("abcd"), tuple("acd")) == (Move("c", 3, 2), Move("d", 4, 3))


@given(orders, st.data())
def test_a_challenge_keeps_everybody_on_the_ladder_and_moves_few(
    order: tuple[str, ...], data: st.DataObject
) -> None:
    winner = data.draw(st.sampled_from(order))
    loser = data.draw(st.sampled_from([key for key in order if key != winner]))
    ending = data.draw(st.sampled_from(list(Ending)))
    now = places.after(order, winner, loser, ending)
    assert sorted(now) == sorted(order)
    ranks = places.new_ranks(order.index(winner) + 1, order.index(loser) + 1, ending, size=len(order))
    assert (now.index(winner) + 1, now.index(loser) + 1) == ranks
    others = [key for key in order if key not in (winner, loser)]
    assert [key for key in now if key not in (winner, loser)] == others, "nobody else passes anybody"
    assert now.index(winner) <= order.index(winner)


@given(st.integers(1, 200), st.integers(1, 200))
def test_the_reach_is_what_a_challenge_is_allowed(rank: int, size: int) -> None:
    rank = min(rank, size)
    reach = places.reachable(rank, size)
    allowed = [
        other
        for other in range(1, size + 1)
        if other == rank or places.refusal(replace(ANN, rank=rank), replace(BEN, rank=other)) is None
    ]
    assert list(reach) == allowed


@pytest.mark.parametrize(("winner", "loser"), [(3, 3), (0, 2), (2, 9)])
def test_places_that_the_ladder_does_not_have_are_refused(winner: int, loser: int) -> None:
    with pytest.raises(ContestError, match="expected two places from 1 to 8"):
        places.new_ranks(winner, loser, Ending.PLAYED, size=8)


def test_a_stranger_is_not_on_the_ladder() -> None:
    with pytest.raises(ContestError, match="expected a member of the ladder, got 'zoe'"):
        places.after(ORDER, "zoe", "a", Ending.PLAYED)


# ------------------------------------------------------------------------------- stairs
@pytest.mark.parametrize("step", [6, 5, 4, 3])
def test_ones_own_step_and_three_below_may_be_challenged(step: int) -> None:
    assert stairs.refusal(replace(ANN, rank=6), replace(BEN, rank=step)) is None
    assert step in stairs.reachable(6)


@pytest.mark.parametrize(("step", "reason"), [(7, Refusal.TOO_HIGH), (2, Refusal.TOO_LOW)])
def test_nobody_above_or_four_below_may_be_challenged(step: int, reason: Refusal) -> None:
    assert stairs.refusal(replace(ANN, rank=6), replace(BEN, rank=step)) is reason
    assert step not in stairs.reachable(6)


def test_one_may_have_one_challenge_of_ones_own_and_one_of_others() -> None:
    ann, ben = replace(ANN, rank=4), replace(BEN, rank=3)
    wanted = frozenset({"cleo"})
    assert stairs.refusal(replace(ann, challenging=wanted), ben) is Refusal.OWN_CHALLENGES
    assert stairs.refusal(ann, replace(ben, challenged_by=wanted)) is Refusal.CHALLENGED_ALREADY
    assert stairs.refusal(replace(ann, challenged_by=wanted), replace(ben, challenging=wanted)) is None


def test_the_same_opponent_is_met_again_after_a_fortnight() -> None:
    ann, ben = replace(ANN, rank=4), replace(BEN, rank=4)
    assert stairs.refusal(replace(ann, met={"ben": 13.9}), ben) is Refusal.MET_LATELY
    assert stairs.refusal(ann, replace(ben, met={"ann": 2})) is Refusal.MET_LATELY
    assert stairs.refusal(replace(ann, met={"ben": 14.0}), ben) is None


def test_a_win_leads_up_and_a_loss_down_whatever_step_the_other_stands_on() -> None:
    assert stairs.new_ranks(2, 5, Ending.PLAYED) == (3, 4)
    assert stairs.new_ranks(5, 2, Ending.PLAYED) == (6, 1)


def test_nobody_falls_below_the_first_step() -> None:
    assert stairs.new_ranks(1, 1, Ending.PLAYED) == (2, 1)


def test_running_out_of_time_leads_back_to_the_first_step() -> None:
    assert stairs.new_ranks(3, 9, Ending.FLED) == (4, 1)


def test_empty_steps_are_taken_out() -> None:
    assert stairs.without_gaps({"a": 1, "b": 4, "c": 9, "d": 4}) == {"a": 1, "b": 2, "c": 3, "d": 2}
    assert stairs.without_gaps({"a": 3}) == {"a": 1}


def test_a_step_below_the_first_is_refused() -> None:
    with pytest.raises(ContestError, match="expected steps from 1, got 0 and 3"):
        stairs.new_ranks(0, 3, Ending.PLAYED)
    with pytest.raises(ContestError, match="expected a rank from 1"):
        Challenger("ann", 0)
