"""A ladder of places, as on ItsYourTurn."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden, NotFound, Unprocessable
from crownhead.server.ladders import problems, services
from crownhead.server.ladders.events import Challenged, ChallengeEnded, LadderJoined, LadderLeft, PlaceTaken
from crownhead.server.ladders.models import Ladder, Line, Member
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Seat
from crownhead.server.play.staff.services import adjudicate, forfeit
from tests.server.ladders.factories import (
    challenge,
    end,
    games_of,
    make_finished_challenge,
    make_ladder,
    make_members,
    names_by_place,
    play_two_moves,
)
from tests.server.play.factories import DAY, NOW, fresh, play_moves, recorded_events
from tests.server.ratings.factories import OPENING

pytestmark = pytest.mark.django_db


def test_a_player_who_steps_on_stands_on_the_last_place(places: Ladder) -> None:
    make_members(3, places)
    assert names_by_place(places) == ["p01", "p02", "p03"]


def test_nobody_steps_on_twice(places: Ladder, alice: User) -> None:
    services.join(user=alice, ladder_id=places.public_id, now=NOW)
    with pytest.raises(problems.OnLadder):
        services.join(user=alice, ladder_id=places.public_id, now=NOW)
    assert names_by_place(places) == ["alice"]


def test_a_challenge_begins_its_game_at_once_on_the_terms_of_the_ladder(alice: User, bob: User) -> None:
    ladder = make_ladder(vacation=True, weekends_off=True, time=5, draw_rules="itsyourturn")
    for user in (alice, bob):
        services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    (game,) = games_of(challenge(ladder, bob, alice))
    assert {game.first_player, game.second_player} == {alice, bob}
    assert (game.status, game.rated, game.vacation, game.weekends_off) == ("playing", True, True, True)
    assert (game.days_per_move, game.draw_rules, game.is_public) == (5, "itsyourturn", True)
    assert (game.contest_kind, game.contest_event) == ("ladder", ladder.public_id)
    assert game.contest_name == "American checkers ladder, 5 days per move, weekends off"
    assert game.contest_link == f"/ladders/{ladder.public_id}/"


def test_the_lower_winner_takes_the_place_and_the_rest_move_down_one(places: Ladder) -> None:
    cast = make_members(5, places)
    make_finished_challenge(places, cast[3], cast[1], winner=cast[3])
    assert names_by_place(places) == ["p01", "p04", "p02", "p03", "p05"]


def test_a_challenged_player_who_is_lower_takes_the_place_on_winning(places: Ladder) -> None:
    cast = make_members(5, places)
    make_finished_challenge(places, cast[0], cast[4], winner=cast[4])
    assert names_by_place(places) == ["p05", "p01", "p02", "p03", "p04"]


@pytest.mark.parametrize("winner", [0, None])
def test_a_win_of_the_higher_and_a_draw_move_nobody(places: Ladder, winner: int | None) -> None:
    cast = make_members(3, places)
    make_finished_challenge(places, cast[2], cast[0], winner=None if winner is None else cast[winner])
    assert names_by_place(places) == ["p01", "p02", "p03"]
    member = Member.objects.get(ladder=places, user=cast[0])
    assert (member.won, member.drawn, member.lost) == ((1, 0, 0) if winner == 0 else (0, 1, 0))


def test_the_places_are_those_at_the_end_of_the_game(places: Ladder) -> None:
    cast = make_members(4, places)
    slow = challenge(places, cast[3], cast[1])
    make_finished_challenge(places, cast[1], cast[0], winner=cast[1])
    assert names_by_place(places) == ["p02", "p01", "p03", "p04"]
    end(games_of(slow)[0], cast[3])
    assert names_by_place(places) == ["p04", "p02", "p01", "p03"]


def test_a_winner_who_is_already_above_the_loser_stays(places: Ladder) -> None:
    cast = make_members(3, places)
    slow = challenge(places, cast[2], cast[1])
    make_finished_challenge(places, cast[2], cast[0], winner=cast[2])
    end(games_of(slow)[0], cast[2])
    assert names_by_place(places) == ["p03", "p01", "p02"]


def test_a_player_who_loses_on_time_goes_to_the_last_place(places: Ladder) -> None:
    cast = make_members(4, places)
    (game,) = games_of(challenge(places, cast[3], cast[0], seed=1))
    play_moves(game, *OPENING)
    late = fresh(game).first_player
    end_overdue_games(now=NOW + 30 * DAY)
    other = fresh(game).second_player
    assert late is not None
    assert other is not None
    assert names_by_place(places)[-1] == late.username
    assert names_by_place(places)[0] == (other.username if other == cast[3] else "p01")


def test_a_player_who_gives_up_before_the_game_has_begun_goes_to_the_last_place(places: Ladder) -> None:
    cast = make_members(4, places)
    (game,) = games_of(challenge(places, cast[2], cast[0]))
    end(game, cast[2], moves=False)
    assert fresh(game).annulled
    assert names_by_place(places) == ["p03", "p02", "p04", "p01"]


def test_a_game_that_staff_stop_moves_nobody(places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    made = challenge(places, cast[2], cast[0])
    adjudicate(by=dora, game_id=games_of(made)[0].public_id, result="nothing", reason="So.", now=NOW)
    made.refresh_from_db()
    assert made.outcome == "void"
    assert names_by_place(places) == ["p01", "p02", "p03"]


def test_a_game_that_is_declared_lost_costs_the_rank(places: Ladder, dora: User) -> None:
    cast = make_members(4, places)
    (game,) = games_of(challenge(places, cast[2], cast[1]))
    loser = Seat.FIRST if game.first_player == cast[1] else Seat.SECOND
    forfeit(by=dora, game_id=game.public_id, loser=loser, reason="So.", now=NOW)
    assert names_by_place(places) == ["p01", "p03", "p04", "p02"]


def test_a_game_that_is_declared_lost_for_both_moves_nobody(places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    made = challenge(places, cast[2], cast[1])
    forfeit(by=dora, game_id=games_of(made)[0].public_id, loser=None, reason="So.", now=NOW)
    made.refresh_from_db()
    assert (made.outcome, names_by_place(places)) == ("void", ["p01", "p02", "p03"])


def test_a_game_that_staff_decide_counts(places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    (game,) = games_of(challenge(places, cast[2], cast[0]))
    result = "first" if game.first_player == cast[2] else "second"
    adjudicate(by=dora, game_id=game.public_id, result=result, reason="So.", now=NOW)
    assert names_by_place(places) == ["p03", "p01", "p02"]


def test_two_games_have_the_same_ballot_and_swapped_sides_and_their_points_decide(
    alice: User, bob: User
) -> None:
    ladder = make_ladder(variant="pro", games=2)
    for user in (alice, bob):
        services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    made = challenge(ladder, bob, alice)
    one, two = games_of(made)
    assert one.opening == two.opening is not None
    assert (one.first_player, one.second_player) == (two.second_player, two.first_player)
    end(one, bob)
    made.refresh_from_db()
    assert (made.ended_at, names_by_place(ladder)) == (None, ["alice", "bob"])
    end(two, None)
    made.refresh_from_db()
    assert (made.outcome, names_by_place(ladder)) == ("won", ["bob", "alice"])


def test_two_games_that_are_shared_move_nobody(alice: User, bob: User) -> None:
    ladder = make_ladder(games=2)
    for user in (alice, bob):
        services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    one, two = games_of(challenge(ladder, bob, alice))
    end(one, bob)
    end(two, alice)
    assert names_by_place(ladder) == ["alice", "bob"]


def test_leaving_moves_up_those_below(places: Ladder) -> None:
    cast = make_members(4, places)
    services.leave(user=cast[1], ladder_id=places.public_id, now=NOW)
    assert names_by_place(places) == ["p01", "p03", "p04"]
    with pytest.raises(problems.NotOnLadder):
        services.leave(user=cast[1], ladder_id=places.public_id, now=NOW)


def test_leaving_loses_open_challenges_though_the_games_continue(places: Ladder) -> None:
    cast = make_members(4, places)
    made = challenge(places, cast[3], cast[0])
    play_two_moves(*games_of(made))
    services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
    made.refresh_from_db()
    assert made.outcome == "won"
    assert names_by_place(places) == ["p04", "p02", "p03"]
    (game,) = games_of(made)
    assert game.status == "playing"
    end(game, cast[0], moves=False)
    assert names_by_place(places) == ["p04", "p02", "p03"]


def test_a_player_who_comes_back_begins_on_the_last_place(places: Ladder) -> None:
    cast = make_members(3, places)
    services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
    services.join(user=cast[0], ladder_id=places.public_id, now=NOW)
    assert names_by_place(places) == ["p02", "p03", "p01"]


def test_the_staff_put_people_elsewhere_and_take_them_off_with_a_reason(places: Ladder, dora: User) -> None:
    cast = make_members(4, places)
    about: dict[str, Any] = {"ladder_id": places.public_id, "now": NOW, "reason": " Cheating. "}
    services.place(staff=dora, user=cast[3], rank=1, **about)
    assert names_by_place(places) == ["p04", "p01", "p02", "p03"]
    services.place(staff=dora, user=cast[3], rank=3, **about)
    assert names_by_place(places) == ["p01", "p02", "p04", "p03"]
    services.remove(staff=dora, user=cast[3], **about)
    assert names_by_place(places) == ["p01", "p02", "p03"]
    lines = Line.objects.exclude(reason="").values_list("kind", "before", "after", "staff", "reason")
    assert list(lines.order_by("id")) == [
        ("placed", 4, 1, dora.pk, "Cheating."),
        ("placed", 1, 3, dora.pk, "Cheating."),
        ("removed", 3, None, dora.pk, "Cheating."),
    ]


@pytest.mark.parametrize(("rank", "reason"), [(0, "So."), (4, "So."), (1, " "), (1, "x" * 201)])
def test_the_staff_need_a_place_that_there_is_and_a_reason(
    places: Ladder, dora: User, rank: int, reason: str
) -> None:
    cast = make_members(3, places)
    with pytest.raises(Unprocessable):
        services.place(
            staff=dora, ladder_id=places.public_id, user=cast[0], rank=rank, reason=reason, now=NOW
        )


def test_nobody_else_does_that(places: Ladder) -> None:
    cast = make_members(2, places)
    about: dict[str, Any] = {
        "staff": cast[1],
        "ladder_id": places.public_id,
        "user": cast[0],
        "reason": "So.",
        "now": NOW,
    }
    with pytest.raises(Forbidden):
        services.place(rank=2, **about)
    with pytest.raises(Forbidden):
        services.remove(**about)
    with pytest.raises(Forbidden):
        services.close_ladder(staff=cast[1], ladder_id=places.public_id, now=NOW)


def test_a_closed_ladder_keeps_its_places_and_takes_no_challenge(places: Ladder, dora: User) -> None:
    cast = make_members(3, places)
    made = challenge(places, cast[2], cast[0])
    for _ in range(2):
        services.close_ladder(staff=dora, ladder_id=places.public_id, now=NOW)
    made.refresh_from_db()
    assert made.outcome == "void"
    for act in (
        lambda: services.join(user=dora, ladder_id=places.public_id, now=NOW),
        lambda: challenge(places, cast[1], cast[0]),
    ):
        with pytest.raises(problems.LadderIsClosed):
            act()
    end(games_of(made)[0], cast[2])
    assert names_by_place(places) == ["p01", "p02", "p03"]
    assert Line.objects.filter(kind="closed").count() == 1


def test_every_event_is_sent(places: Ladder) -> None:
    with recorded_events(LadderJoined, Challenged, ChallengeEnded, PlaceTaken, LadderLeft) as emitted:
        cast = make_members(2, places)
        made = make_finished_challenge(places, cast[1], cast[0], winner=cast[1])
        services.leave(user=cast[0], ladder_id=places.public_id, now=NOW)
    assert [type(event).__name__ for event in emitted] == [
        "LadderJoined",
        "LadderJoined",
        "Challenged",
        "PlaceTaken",
        "ChallengeEnded",
        "LadderLeft",
    ]
    begun, taken, ended = emitted[2:5]
    assert (begun.challenger_id, begun.challenged_id) == (cast[1].pk, cast[0].pk)
    assert begun.game_ids == (games_of(made)[0].public_id,)
    assert (taken.user_id, taken.before, taken.after, taken.taken_from) == (cast[1].pk, 2, 1, cast[0].pk)
    assert (ended.winner_id, ended.void) == (cast[1].pk, False)
    assert emitted[5].rank == 2


def test_the_history_keeps_every_step(places: Ladder) -> None:
    cast = make_members(2, places)
    make_finished_challenge(places, cast[1], cast[0], winner=cast[1])
    lines = Line.objects.order_by("id").values_list("kind", "user__username", "before", "after")
    assert list(lines) == [
        ("joined", "p01", None, 1),
        ("joined", "p02", None, 2),
        ("challenged", "p02", 2, 1),
        ("won", "p02", 2, 1),
        ("moved", "p02", 2, 1),
    ]


def test_acts_on_what_there_is_not_are_not_found(places: Ladder, alice: User) -> None:
    with pytest.raises(NotFound):
        services.join(user=alice, ladder_id="nowhere", now=NOW)
    services.join(user=alice, ladder_id=places.public_id, now=NOW)
    with pytest.raises(NotFound):
        services.challenge(user=alice, ladder_id=places.public_id, opponent="nobody", now=NOW)
