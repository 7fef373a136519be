"""When games of tournaments are rated: where the staff or the host's setting say so, and both have moved."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.notices.models import Notice
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import Change
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    client_of,
    enter_players,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
    play_two_moves,
)
from tests.server.competitions.test_api import CUP
from tests.server.competitions.test_pages import form
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db
RATED = replace(MAIN, rated=True)


def test_tournaments_of_members_are_unrated(alice: User) -> None:
    with pytest.raises(Forbidden, match="rated: Only the staff"):
        make_tournament(alice, game=RATED)
    assert api_of(alice).post("/tournaments", CUP | {"rated": True}).status_code == 403
    assert api_of(alice).post("/tournaments", CUP).json()["terms"]["rated"] is False
    client = Client()
    client.force_login(alice)
    assert 'name="rated"' not in client.get("/tournaments/new/").content.decode()
    client.post("/tournaments/new/", form(rated="on"))
    assert not any(row.terms["rated"] for row in Tournament.objects.all())


def test_the_host_of_a_club_lets_members_rate_their_tournaments(alice: User, settings: Any) -> None:
    settings.RATED_TOURNAMENTS_BY_MEMBERS = True
    assert make_tournament(alice, game=RATED).terms["rated"]


def test_the_staff_hold_rated_tournaments_and_rate_those_of_members(alice: User) -> None:
    judge = make_user("judge", is_staff=True)
    assert make_tournament(judge, game=RATED).terms["rated"]
    tournament = make_tournament(alice)
    wanted = Announcement(name="Spring cup", format="round-robin", game=RATED, min_players=3, start="hand")
    services.edit(user=judge, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    assert Tournament.objects.get(pk=tournament.pk).terms["rated"]


@pytest.mark.parametrize("result", ["first", "draw"])
def test_a_decision_does_not_rate_a_game_without_moves(result: str) -> None:
    judge = make_user("judge", is_staff=True)
    tournament, _users = make_running_tournament(judge, 4, game=RATED)
    row = open_rows(tournament)[0]
    name = opponents(row)[0].username if result == "first" else "draw"
    services.adjudicate(
        user=judge,
        tournament_id=tournament.public_id,
        game_id=row.game_id or "",
        result=name,
        reason="I want it so.",
        now=NOW,
    )
    row.refresh_from_db()
    assert (row.first_points, row.how) == (2 if result == "first" else 1, "adjudicated")
    assert not Change.objects.exists()
    assert not Game.objects.get(public_id=row.game_id).rated


def test_who_waited_for_a_no_show_reads_that_the_game_is_not_rated() -> None:
    judge = make_user("judge", is_staff=True)
    rated = replace(LIVE, rated=True)
    tournament, _users = make_running_tournament(judge, 4, game=rated, no_show_minutes=2)
    row = open_rows(tournament)[0]
    _absent, winner = opponents(row)
    now = NOW + timedelta(minutes=3)
    why = "Not rated: each side must make at least two moves."
    with clock.stopped(now):
        jobs.forfeit_no_shows(now)
        assert why in client_of(winner).get(f"/games/{row.game_id}/").content.decode()
    assert Notice.objects.filter(user=winner, text__contains=why).exists()
    assert not Change.objects.exists()


def test_a_game_that_was_played_is_rated() -> None:
    judge = make_user("judge", is_staff=True)
    tournament, _users = make_running_tournament(judge, 4, game=RATED)
    row = open_rows(tournament)[0]
    play_out(row.game_id or "", winner=None)
    assert Change.objects.count() == 2


@pytest.mark.parametrize("attempt", [1, 3])
@pytest.mark.parametrize("end", ["on time", "resigned"])
def test_a_game_left_to_a_substitute_is_not_rated_however_it_ends(bob: User, attempt: int, end: str) -> None:
    judge = make_user("judge", is_staff=True)
    tournament, _users = make_running_tournament(judge, 4, game=RATED)
    row = open_rows(tournament)[0]
    first, _second = play_two_moves(row.game_id or "")
    PairingGame.objects.filter(pk=row.pk).update(attempt=attempt)
    invite_substitute(tournament, first, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    if end == "on time":
        end_overdue_games(now=NOW + timedelta(days=30))
    else:
        resign(user=first, game_id=row.game_id or "", now=NOW)
    game = Game.objects.get(public_id=row.game_id)
    assert (game.status, game.rated) == ("finished", False)
    assert not Change.objects.exists()


def test_players_enter_on_the_terms_they_saw(alice: User) -> None:
    tournament = make_tournament(alice)
    enter_players(tournament, 1)
    judge = make_user("judge", is_staff=True)
    wanted = Announcement(name="Spring cup", format="round-robin", game=RATED, min_players=3, start="hand")
    with pytest.raises(Conflict, match="can't be changed once players have entered"):
        services.edit(user=judge, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
