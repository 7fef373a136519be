"""Large teams and matches: a request does a part of the work, and a page shows a part of a list."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from crownhead.server.teams import jobs, services, tasks
from crownhead.server.teams.models import Availability, Board, BoardGame, JoinRequest, Member, Team, TeamMatch
from crownhead.server.teams.services import match_games
from crownhead.server.teams.services.match_games import MAX_AT_ONCE
from crownhead.server.teams.views.matches import MAX_LISTED
from crownhead.server.teams.views.members import REQUESTS_PER_PAGE
from crownhead.server.teams.views.teams import MAX_SHOWN, PER_PAGE
from tests.server.play.factories import NOW, api_of
from tests.server.tasks import kill_worker, run_tasks
from tests.server.teams.factories import let_play, make_accepted_match, make_team, make_team_of
from tests.server.teams.test_pages import client_of, page, post

pytestmark = pytest.mark.django_db

BOARDS = MAX_AT_ONCE + 2


def many(count: int, prefix: str = "m") -> list[User]:
    names = [f"{prefix}{number:03}" for number in range(count)]
    return User.objects.bulk_create(User(username=name, folded=name, likeness=name) for name in names)


def begun_on_many_boards() -> tuple[TeamMatch, list[User], list[User]]:
    """A match on more boards than a captain's request begins; the players of the last block each other."""
    home, ours = make_team_of("dogs", BOARDS)
    away, theirs = make_team_of("cats", BOARDS)
    match = make_accepted_match(home, away, boards=BOARDS, games_each=1)
    let_play(match, *ours, *theirs)
    block(user=ours[-1], other=theirs[-1], now=NOW)
    for users in (ours, theirs):
        names = [user.username for user in users]
        services.line_up(user=users[0], match_id=match.public_id, usernames=names, now=NOW)
    return TeamMatch.objects.get(pk=match.pk), ours, theirs


def test_a_large_match_begins_with_few_games_and_the_worker_starts_the_others() -> None:
    match, ours, _theirs = begun_on_many_boards()
    assert match.status == "playing"
    assert Game.objects.count() == MAX_AT_ONCE
    html = page(client_of(ours[0]), f"/team-matches/{match.public_id}/")
    assert "The games on the other boards start in a moment." in html

    run_tasks("default")

    assert Game.objects.count() == BOARDS - 1
    boards = Board.objects.filter(match=match).order_by("number")
    assert [board.number for board in boards] == list(range(1, BOARDS + 1))
    assert [board.games.count() for board in boards] == [1] * (BOARDS - 1) + [0]
    html = page(client_of(ours[0]), f"/team-matches/{match.public_id}/")
    assert "start in a moment" not in html


def test_the_games_of_a_large_match_begin_a_few_in_each_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.teams.test_large.BOARDS", 2 * MAX_AT_ONCE + 2)
    match, _ours, _theirs = begun_on_many_boards()
    assert Game.objects.count() == MAX_AT_ONCE
    for begun, more in ((2 * MAX_AT_ONCE, True), (2 * MAX_AT_ONCE + 1, False)):
        assert match_games.begin_more(match_id=match.public_id, now=NOW, dice=Random(1)) == more
        assert Game.objects.count() == begun


def test_a_large_match_is_not_over_before_all_its_games_have_begun() -> None:
    match, ours, _theirs = begun_on_many_boards()
    for row in BoardGame.objects.select_related("board__home_player"):
        resign(user=row.board.home_player, game_id=row.game_id, now=NOW)
    match.refresh_from_db()
    assert (match.status, match.away_points) == ("playing", 2 * MAX_AT_ONCE)

    run_tasks("default")
    late = BoardGame.objects.get(board__number=BOARDS - 1)
    resign(user=ours[BOARDS - 2], game_id=late.game_id, now=NOW)
    match.refresh_from_db()
    assert match.status == "finished"


def test_a_match_whose_games_did_not_all_begin_goes_on_later() -> None:
    begun_on_many_boards()
    DBTaskResult.objects.all().delete()
    jobs.begin_what_was_left(NOW)
    run_tasks("default")
    assert Game.objects.count() == BOARDS - 1
    jobs.begin_what_was_left(NOW)
    assert run_tasks("default") == 0


def test_a_worker_that_is_killed_while_it_begins_games_leaves_no_board_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.server.teams.test_large.BOARDS", 2 * MAX_AT_ONCE + 2)
    begun_on_many_boards()
    DBTaskResult.objects.exclude(task_path=tasks.begin_more_games.module_path).delete()
    kill_worker(monkeypatch, match_games, "start_game", turn=2)
    assert (Game.objects.count(), Board.objects.count()) == (MAX_AT_ONCE, MAX_AT_ONCE + 1)
    jobs.begin_what_was_left(NOW)
    run_tasks("default")
    assert (Game.objects.count(), Board.objects.count()) == (BOARDS - 1, BOARDS)


def test_who_has_left_the_club_meanwhile_is_given_no_game() -> None:
    _match, ours, _theirs = begun_on_many_boards()
    User.objects.filter(pk=ours[MAX_AT_ONCE].pk).update(is_active=False)
    run_tasks("default")
    assert Game.objects.count() == BOARDS - 2
    assert Board.objects.count() == BOARDS


def test_who_has_left_the_team_meanwhile_is_given_no_game() -> None:
    match, ours, _theirs = begun_on_many_boards()
    services.leave(user=ours[MAX_AT_ONCE], team_id=match.home.public_id, now=NOW)
    run_tasks("default")
    assert Game.objects.count() == BOARDS - 2
    assert Board.objects.count() == BOARDS


@pytest.mark.parametrize(("boards", "members"), [(4, 100), (5, 100), (50, 8), (50, 100), (50, 900)])
def test_a_captain_finds_everybody_who_can_play_and_the_page_is_bounded(boards: int, members: int) -> None:
    home, ours = make_team_of("dogs", 2)
    away, _theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away)
    people = many(members - 1)  # and the captain
    Member.objects.bulk_create(Member(team=home, user=user, joined_at=NOW) for user in people)
    Availability.objects.bulk_create(
        Availability(match=match, side="home", user=user, said_at=NOW) for user in people
    )
    TeamMatch.objects.update(boards=boards)
    html = page(client_of(ours[0]), f"/team-matches/{match.public_id}/")
    assert all(user.username in html for user in people)
    is_listed_once = boards * members > MAX_LISTED
    assert html.count("<option>") == (members if is_listed_once else boards * members)
    assert html.count('name="player"') == boards
    assert html.count('aria-describedby="how-to-choose"') == (boards if is_listed_once else 0)
    assert html.count('id="how-to-choose"') == is_listed_once
    assert len(html) < 60_000


def test_the_names_of_a_line_up_can_be_typed() -> None:
    home, ours = make_team_of("dogs", 2)
    away, _theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away)
    let_play(match, *ours)
    names = [ours[1].username.upper(), ours[0].username]
    answer = post(client_of(ours[0]), f"/team-matches/{match.public_id}/", do="line_up", player=names)
    assert "Line-up submitted." in answer


def test_requests_to_join_have_pages() -> None:
    team, (captain,) = make_team_of("dogs", 1)
    people = many(REQUESTS_PER_PAGE + 3)
    JoinRequest.objects.bulk_create(
        JoinRequest(team=team, user=user, by=user, kind="asked", made_at=NOW) for user in people
    )
    client, path = client_of(captain), f"/teams/{team.public_id}/members/"
    first, second = page(client, path), page(client, f"{path}?page=2")
    shown = [{user.username for user in people if user.username in html} for html in (first, second)]
    assert [len(names) for names in shown] == [REQUESTS_PER_PAGE, 3]
    assert "?page=2" in first
    assert not shown[0] & shown[1]
    assert "?page=" not in page(Client(), path)


def test_requests_to_join_are_listed_in_parts_by_program() -> None:
    team, (captain,) = make_team_of("dogs", 1)
    people = many(103)
    JoinRequest.objects.bulk_create(
        JoinRequest(team=team, user=user, by=user, kind="asked", made_at=NOW) for user in people
    )
    api, path = api_of(captain), f"/teams/{team.public_id}/requests"
    parts = [api.get(path), api.get(path, offset="100"), api.get(path, offset="1", limit="2")]
    listed = [[row["username"] for row in answer.json()] for answer in parts]
    names = [user.username for user in people]
    assert listed == [names[:100], names[100:], names[1:3]]
    assert api.get(path, limit="101").status_code == 422


@pytest.mark.parametrize("show", ["mine", "invitations"])
def test_of_many_teams_of_ones_own_the_first_are_shown_and_all_have_pages(alice: User, show: str) -> None:
    captains = many(PER_PAGE + 5, "c")
    teams = [make_team(user, f"Team {user.username}") for user in captains]
    Member.objects.filter(user=alice).delete()
    if show == "mine":
        Member.objects.bulk_create(Member(team=team, user=alice, joined_at=NOW) for team in teams)
    else:
        JoinRequest.objects.bulk_create(
            JoinRequest(team=team, user=alice, by=team.captain, kind="invited", made_at=NOW) for team in teams
        )
    client, section = client_of(alice), "mine" if show == "mine" else "invited"
    top = re.search(rf'aria-labelledby="{section}".*?</section>', page(client, "/teams/"), re.DOTALL)
    assert top
    assert sum(team.name in top[0] for team in teams) == MAX_SHOWN
    assert f"?show={show}" in top[0]
    parts = [page(client, f"/teams/?show={show}"), page(client, f"/teams/?show={show}&page=2")]
    shown = [{team.name for team in teams if team.name in html} for html in parts]
    assert [len(names) for names in shown] == [PER_PAGE, 5]
    assert not shown[0] & shown[1]
    assert Team.objects.count() == len(teams)


def test_guests_find_all_teams_whatever_they_ask_for() -> None:
    make_team_of("dogs", 1)
    assert "dogs" in page(Client(), "/teams/?show=mine")
