"""Matches of teams from the proposal to the last game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.services.locking import lock
from crownhead.server.core.events import on
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.notices.models import Notice
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.draws.services import accept_draw, offer_draw
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.models import Game
from crownhead.server.play.staff.services import adjudicate, annul
from crownhead.server.teams import events, services
from crownhead.server.teams.models import Board, BoardGame, Side, Team, TeamMatch
from crownhead.server.teams.selectors import matches
from crownhead.server.teams.services.checking import findings
from crownhead.server.teams.services.match_games import MAX_AT_ONCE, begin_more
from tests.server.conftest import PASSWORD, Api, make_user
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks
from tests.server.teams.factories import (
    MAIN,
    let_play,
    make_accepted_match,
    make_proposed_match,
    make_team_of,
)

pytestmark = pytest.mark.django_db


def line_up(match: TeamMatch, captain: User, *users: User) -> TeamMatch:
    names = [user.username for user in users]
    let_play(match, *users)
    return services.line_up(user=captain, match_id=match.public_id, usernames=names, now=NOW)


def begun(games_each: int = 2) -> tuple[TeamMatch, list[User], list[User]]:
    """A match on two boards whose games have begun."""
    home, ours = make_team_of("dogs", 3)
    away, theirs = make_team_of("cats", 3)
    match = make_accepted_match(home, away, games_each=games_each)
    line_up(match, ours[0], ours[1], ours[2])
    line_up(match, theirs[0], theirs[0], theirs[2])
    run_tasks("default")
    return fresh(match), ours, theirs


def fresh(match: TeamMatch) -> TeamMatch:
    return matches.access_match(match.public_id)


def resign(row: BoardGame, user: User) -> None:
    draw_services.resign(user=user, game_id=row.game_id, now=NOW)


def test_a_match_begins_when_both_have_lined_up() -> None:
    home, ours = make_team_of("dogs", 3)
    away, theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away)
    assert fresh(match).status == "lining_up"
    line_up(match, ours[0], ours[2], ours[1])
    assert not Game.objects.exists()
    line_up(match, theirs[0], theirs[1], theirs[0])
    run_tasks("default")
    assert fresh(match).status == "playing"
    boards = [(board.home_player, board.away_player) for board in Board.objects.order_by("number")]
    assert boards == [(ours[2], theirs[1]), (ours[1], theirs[0])]
    assert BoardGame.objects.count() == Game.objects.count() == 4


def test_the_sides_change_from_board_to_board_and_from_game_to_game() -> None:
    begun()
    rows = BoardGame.objects.order_by("board__number", "number")
    assert [row.home_is_first for row in rows] == [True, False, False, True]


def test_both_games_of_a_board_begin_from_the_same_ballot() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    pro = make_accepted_match(
        home, away, options=MAIN.__class__(variant="pro", colour="first", days_per_move=2)
    )
    line_up(pro, ours[0], *ours)
    line_up(pro, theirs[0], *theirs)
    for board in Board.objects.all():
        games = Game.objects.filter(public_id__in=board.games.values("game_id"))
        assert {game.opening for game in games} == {board.opening}
        assert len(games) == 2
        assert games[0].first_player == games[1].second_player


def test_the_score_fills_in_as_games_end() -> None:
    match, ours, theirs = begun()
    rows = list(BoardGame.objects.order_by("board__number", "number"))
    resign(rows[0], ours[1])
    assert (fresh(match).home_points, fresh(match).away_points) == (0, 2)
    resign(rows[1], theirs[0])
    offer_draw(user=ours[2], game_id=rows[2].game_id, now=NOW)
    accept_draw(user=theirs[2], game_id=rows[2].game_id, now=NOW)
    assert (fresh(match).home_points, fresh(match).away_points) == (3, 3)
    assert fresh(match).status == "playing"
    emitted: list[events.TeamMatchFinished] = []
    on(events.TeamMatchFinished)(emitted.append)
    resign(rows[3], theirs[2])
    assert fresh(match).status == "finished"
    assert (fresh(match).home_points, fresh(match).away_points) == (5, 3)
    assert [event.winner for event in emitted] == ["home"]


def test_a_game_that_counts_for_nothing_is_played_again() -> None:
    match, _ours, _theirs = begun(games_each=1)
    judge = make_user("judge", is_staff=True)
    first = BoardGame.objects.order_by("pk")[0]
    adjudicate(by=judge, game_id=first.game_id, result="nothing", reason="A fault of ours", now=NOW)
    again = BoardGame.objects.get(board=first.board, number=first.number, attempt=2)
    assert again.home_is_first == first.home_is_first
    assert Game.objects.get(public_id=again.game_id).status == "playing"
    assert fresh(match).status == "playing"


def test_a_finished_game_that_is_annulled_is_played_again_while_the_match_continues() -> None:
    match, ours, _theirs = begun(games_each=1)
    judge = make_user("judge", is_staff=True)
    first = BoardGame.objects.order_by("pk")[0]
    game = Game.objects.get(public_id=first.game_id)
    assert game.first_player == ours[1]
    adjudicate(by=judge, game_id=first.game_id, result="first", reason="So it is", now=NOW)
    assert fresh(match).home_points == 2
    annul(staff=judge, game_id=first.game_id, reason="A mistake", now=NOW)
    assert fresh(match).home_points == 0
    assert BoardGame.objects.filter(board=first.board, attempt=2, home_points=None).exists()


def test_a_match_is_declined_or_withdrawn() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    match = make_proposed_match(home, away)
    with pytest.raises(Forbidden, match="captain of cats"):
        services.answer_match(user=ours[0], match_id=match.public_id, accepted=True, now=NOW)
    services.answer_match(user=theirs[0], match_id=match.public_id, accepted=False, now=NOW)
    assert fresh(match).status == "declined"
    with pytest.raises(Conflict):
        services.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
    other = make_accepted_match(home, away)
    with pytest.raises(Forbidden):
        services.withdraw(user=ours[1], match_id=other.public_id, now=NOW)
    services.withdraw(user=theirs[0], match_id=other.public_id, now=NOW)
    assert fresh(other).status == "withdrawn"
    services.disband(user=ours[0], team_id=home.public_id, now=NOW)


def test_a_team_that_plays_a_match_is_not_disbanded() -> None:
    match, ours, _theirs = begun()
    other = make_proposed_match(match.home, match.away)
    with pytest.raises(Conflict, match="still playing a match"):
        services.disband(user=ours[0], team_id=match.home.public_id, now=NOW)
    assert fresh(other).status == "proposed"


def test_a_team_that_is_disbanded_calls_off_its_matches_that_have_not_started() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    to_us, by_us = make_proposed_match(away, home), make_proposed_match(home, away)
    accepted = make_accepted_match(away, home)
    services.disband(user=ours[0], team_id=home.public_id, now=NOW)
    assert [fresh(match).status for match in (to_us, by_us, accepted)] == [
        "declined",
        "withdrawn",
        "withdrawn",
    ]
    subjects = list(Notice.objects.filter(user=theirs[0]).order_by("pk").values_list("subject", flat=True))
    assert subjects[-3:] == [
        "dogs declined the match against cats",
        "The match between dogs and cats was cancelled",
        "The match between cats and dogs was cancelled",
    ]


@pytest.mark.parametrize("state", ["proposed", "blocked", "accepted"])
def test_a_match_of_a_stranger_keeps_nobody_from_leaving_or_closing_their_account(state: str) -> None:
    home, ours = make_team_of("dogs", 1)
    for number, leave in enumerate((_close_account, _leave)):
        away, (user,) = make_team_of(f"cat{number}", 1)
        match = make_proposed_match(home, away, boards=1)
        if state == "accepted":
            services.answer_match(user=user, match_id=match.public_id, accepted=True, now=NOW)
        if state == "blocked":
            block(user=user, other=ours[0], now=NOW)
        assert leave(user, away) == 204
        run_tasks("default")
        assert fresh(match).status == ("withdrawn" if state == "accepted" else "declined")
        assert fresh(match).away.disbanded_at == NOW


def test_the_last_member_may_close_their_account_while_their_team_plays_a_match() -> None:
    home, _ours = make_team_of("dogs", 1)
    away, (user,) = make_team_of("cats", 1)
    match = make_proposed_match(home, away, boards=1)
    TeamMatch.objects.filter(pk=match.pk).update(status="playing")
    assert _leave(user, away) == 409
    assert _close_account(user, away) == 204
    run_tasks("default")
    assert (fresh(match).status, fresh(match).away.disbanded_at) == ("playing", NOW)


def _close_account(user: User, _team: Team) -> int:
    api = Api().as_(user)
    ApiToken.objects.filter(user=user).update(scopes="read play talk manage")
    return int(api.post("/me/close", {"password": PASSWORD}).status_code)


def _leave(user: User, team: Team) -> int:
    return int(Api().as_(user).post(f"/teams/{team.public_id}/leave").status_code)


def test_terms_that_make_no_sense_are_refused() -> None:
    home, _ours = make_team_of("dogs", 2)
    away, _theirs = make_team_of("cats", 3)
    with pytest.raises(Unprocessable, match="boards: Choose 1 to 2"):
        make_proposed_match(home, away, boards=3)
    with pytest.raises(Unprocessable, match="games_each"):
        make_proposed_match(home, away, games_each=3)
    with pytest.raises(Unprocessable, match="team other than your own"):
        make_proposed_match(home, home)


def test_line_ups_that_make_no_sense_are_refused(alice: User) -> None:
    home, ours = make_team_of("dogs", 3)
    away, _theirs = make_team_of("cats", 3)
    match = make_accepted_match(home, away)
    with pytest.raises(Unprocessable, match="Choose 2 players, one per board"):
        line_up(match, ours[0], ours[1])
    with pytest.raises(Unprocessable, match="only once"):
        line_up(match, ours[0], ours[1], ours[1])
    with pytest.raises(Unprocessable, match="Not in your team: alice"):
        line_up(match, ours[0], ours[1], alice)
    with pytest.raises(Forbidden):
        line_up(match, ours[1], ours[1], ours[2])


def test_somebody_in_both_teams_plays_for_one() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    services.join(user=ours[1], team_id=away.public_id, now=NOW)
    match = make_accepted_match(home, away)
    said: dict[str, Any] = {"user": ours[1], "match_id": match.public_id, "available": True, "now": NOW}
    with pytest.raises(Unprocessable, match="side: You are a member of both teams"):
        services.be_available(**said)
    services.be_available(side=Side.HOME, **said)
    line_up(match, ours[0], *ours)
    with pytest.raises(Unprocessable, match="These players have not said that they can play: dogs-2"):
        line_up(match, theirs[0], theirs[0], ours[1])


def test_a_team_match_has_no_live_clock() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    live = GameOptions(variant="american", colour="first", clock=LiveClock(initial=300))
    with pytest.raises(Unprocessable, match="pace: Team matches have no live clock"):
        make_proposed_match(home, away, options=live)
    match = make_accepted_match(home, away)
    terms = {**match.terms, "clock": {"initial": 300, "increment": 0}}
    TeamMatch.objects.filter(pk=match.pk).update(terms=terms)  # from before
    with pytest.raises(Unprocessable, match="no live clock"):
        line_up(match, theirs[0], *theirs)
    services.withdraw(user=ours[0], match_id=match.public_id, now=NOW)
    assert not Game.objects.exists()


def test_a_live_game_of_a_match_from_before_is_not_played_again() -> None:
    match, _ours, _theirs = begun(games_each=1)
    TeamMatch.objects.update(terms={**match.terms, "clock": {"initial": 300, "increment": 0}})
    judge = make_user("judge", is_staff=True)
    for row in BoardGame.objects.order_by("pk"):
        adjudicate(by=judge, game_id=row.game_id, result="nothing", reason="A fault of ours", now=NOW)
    assert Game.objects.count() == 2
    assert fresh(match).status == "finished"


def test_players_of_whom_one_has_blocked_the_other_do_not_meet() -> None:
    home, ours = make_team_of("dogs", 3)
    away, theirs = make_team_of("cats", 3)
    match = make_accepted_match(home, away, games_each=1)
    line_up(match, ours[0], ours[0], ours[1])
    let_play(match, *theirs[:2])
    block(user=theirs[1], other=ours[1], now=NOW)
    line_up(match, theirs[0], theirs[0], theirs[1])
    (row,) = BoardGame.objects.all()
    assert row.board.number == 1
    for captain in (ours[0], theirs[0]):
        notice = Notice.objects.filter(user=captain, link=f"/team-matches/{match.public_id}/").latest("pk")
        assert "has started" in notice.subject
        assert "don't play each other: board 2" in notice.text
    resign(row, ours[0])
    assert fresh(match).status == "finished"
    assert (fresh(match).home_points, fresh(match).away_points) == (0, 2)


@pytest.mark.parametrize("blocking", [(0,), (1,), (0, 1)])
def test_a_board_between_players_who_block_each_other_counts_for_neither_and_tells_nothing(
    blocking: tuple[int, ...],
) -> None:
    home, (one,) = make_team_of("dogs", 1)
    away, (other,) = make_team_of("cats", 1)
    match = make_accepted_match(home, away, boards=1, games_each=2)
    both = (one, other)
    for number in blocking:
        block(user=both[number], other=both[1 - number], now=NOW)
    line_up(match, one, one)
    line_up(match, other, other)
    assert (fresh(match).home_points, fresh(match).away_points) == (0, 0)
    assert not list(findings(repair=False))
    body = Api().as_(one).get(f"/team-matches/{match.public_id}").json()
    assert [board["lost_by"] for board in body["tables"]] == [None]


@pytest.mark.parametrize("how", ["removed", "left"])
def test_boards_are_lost_whose_players_are_gone_once_the_line_ups_are_in(how: str) -> None:
    home, ours = make_team_of("dogs", MAX_AT_ONCE + 3)
    away, theirs = make_team_of("cats", MAX_AT_ONCE + 3)
    match = make_accepted_match(home, away, boards=len(ours), games_each=1)
    let_play(match, *ours, *theirs)
    line_up(match, theirs[0], *theirs)
    line_up(match, ours[0], *ours)
    if how == "removed":
        services.remove(user=ours[0], team_id=home.public_id, username=ours[-1].username)
    else:
        services.leave(user=ours[-1], team_id=home.public_id, now=NOW)
    while begin_more(match_id=match.public_id, now=NOW, dice=Random(1)):
        pass
    last = Board.objects.get(number=len(ours))
    assert (last.games.count(), last.lost_by) == (0, "home")
    assert (fresh(match).home_points, fresh(match).away_points) == (0, 2)
    assert not Board.objects.filter(number__lt=len(ours)).exclude(lost_by="").exists()


def test_a_match_in_which_nobody_meets_is_over_at_once() -> None:
    home, ours = make_team_of("dogs", 1)
    away, theirs = make_team_of("cats", 1)
    match = make_accepted_match(home, away, boards=1)
    block(user=ours[0], other=theirs[0], now=NOW)
    line_up(match, ours[0], ours[0])
    line_up(match, theirs[0], theirs[0])
    assert fresh(match).status == "finished"
    assert not Game.objects.exists()


def test_a_game_is_not_played_again_by_players_who_have_blocked_each_other() -> None:
    match, ours, theirs = begun(games_each=1)
    first = BoardGame.objects.order_by("pk")[0]
    block(user=ours[1], other=theirs[0], now=NOW)
    judge = make_user("judge", is_staff=True)
    adjudicate(by=judge, game_id=first.game_id, result="nothing", reason="A fault of ours", now=NOW)
    assert not BoardGame.objects.filter(attempt=2).exists()
    assert fresh(match).status == "playing"


@pytest.mark.parametrize("suspended", [False, True])
def test_a_game_is_not_played_again_by_somebody_who_has_left_or_is_suspended(suspended: bool) -> None:
    match, ours, _theirs = begun(games_each=1)
    first = BoardGame.objects.order_by("pk")[0]
    if suspended:
        lock(user=ours[1])
    else:
        services.leave(user=ours[1], team_id=match.home.public_id, now=NOW)
    judge = make_user("judge", is_staff=True)
    adjudicate(by=judge, game_id=first.game_id, result="nothing", reason="A fault of ours", now=NOW)
    assert not BoardGame.objects.filter(attempt=2).exists()
