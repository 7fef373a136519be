"""Closing one's account: what runs is given up, what is over stays, and nobody is left signed in."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts import selectors
from crownhead.server.accounts.models import User
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.models import Entrant
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.ladders import services as ladders
from crownhead.server.ladders.models import Member
from crownhead.server.people.models import Archive, Piece
from crownhead.server.people.services import closing, data_export
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from crownhead.server.social.services import messages as social
from crownhead.server.teams.models import Team
from tests.server.competitions import factories as tournament_factories
from tests.server.conftest import PASSWORD, Api
from tests.server.ladders import factories as ladder_factories
from tests.server.people.conftest import NOW, window_of
from tests.server.play.factories import fresh, make_game, make_offer, play_moves
from tests.server.tasks import run_tasks
from tests.server.teams import factories as team_factories
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db


def invite(creator: User, opponent: str) -> str:
    """An invitation."""
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    game = invitation_services.invite(
        creator=creator, opponent=opponent, options=options, message="", site="http://testserver", now=NOW
    )
    return game.public_id


def words(page: str) -> str:
    """What people read of a page."""
    return re.sub(r"<[^>]*>", " ", page)


def status(game_id: str) -> str:
    """Where a game stands."""
    return str(Game.objects.get(public_id=game_id).status)


def test_a_page_says_what_it_means_and_asks_for_the_password(alice: User, bob: User) -> None:
    make_game(alice, bob)
    window = window_of(alice)
    page = window.get("/close-account/")
    assert "You resign your game in progress." in page.text
    assert "After 30 days somebody else can take your name." in page.text
    asked = window.post("/close-account/")
    assert asked.location == "/accounts/reauthenticate/?next=%2Fclose-account%2F"
    window.post(asked.location, {"password": "a wrong one"})
    assert User.objects.get(pk=alice.pk).is_active


def test_guests_have_nothing_to_close(db: None) -> None:
    assert window_of().get("/close-account/").location.startswith("/accounts/login/")


def test_closing_signs_out_and_says_good_bye(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    asked = client.post("/close-account/")
    answer = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert "Your account is closed." in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert selectors.player("alice") is None


def test_games_in_progress_are_resigned_and_offers_taken_back(alice: User, bob: User, charlie: User) -> None:
    running = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18").public_id
    theirs = make_game(charlie, alice).public_id
    waiting = make_offer(alice).public_id
    sent, by_mail, received = invite(alice, "bob"), invite(alice, "eve@s.example"), invite(bob, "alice")
    closing.close_confirmed(user=alice, now=NOW)
    run_tasks(GENERAL)
    assert status(running) == status(theirs) == "finished"
    assert Game.objects.get(public_id=running).winner == "second"
    assert status(waiting) == status(sent) == status(by_mail) == "withdrawn"
    assert status(received) == "declined"
    page = window_of(bob).get(f"/games/{running}/")
    assert "closed account" in words(page.text)
    assert "alice" not in page.text


def test_nobody_reads_the_name_that_a_closed_account_is_stored_under(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    send_message(user=alice, game_id=game.public_id, text="A fine game.", now=NOW)
    message = social.write(user=alice, to="bob", subject="Hello", text="How are you?", now=NOW)
    tournament, users = tournament_factories.make_running_tournament(alice, 4)
    tournament_factories.Playthrough(tournament).play()
    ladder = ladder_factories.make_ladder()
    for user in (alice, bob):
        ladders.join(user=user, ladder_id=ladder.public_id, now=NOW)
    ladder_factories.challenge(ladder, bob, alice)
    for user in (alice, users[0]):
        closing.close_confirmed(user=User.objects.get(pk=user.pk), now=NOW)
    run_tasks(GENERAL)
    window = window_of(bob)
    for path in (
        f"/games/{game.public_id}/",
        "/games/finished/",
        "/players/bob/games/",
        "/messages/",
        f"/messages/{message.conversation.public_id}/",
        f"/tournaments/{tournament.public_id}/",
        f"/tournaments/{tournament.public_id}/players/",
        f"/tournaments/{tournament.public_id}/rounds/1/",
        f"/tournaments/{tournament.public_id}/log/",
        f"/ladders/{ladder.public_id}/challenges/",
        f"/ladders/{ladder.public_id}/history/",
        "/notices/",
    ):
        text = words(window.get(path).text)
        assert "closed account" in text, path
        assert "closed-account-" not in text, path


def test_a_request_for_your_data_goes_with_the_account(alice: User) -> None:
    data_export.ask(user=alice, now=NOW)
    closing.close_confirmed(user=alice, now=NOW)
    assert data_export.tidy(now=NOW + data_export.STUCK_AFTER) == []
    assert not Archive.objects.exists()


def test_a_large_archive_of_a_closed_account_is_deleted_piece_by_piece(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_export, "_PIECE", 500)
    archive = data_export.ask(user=alice, now=NOW)
    data_export.make(archive_id=archive.pk, now=NOW)
    count = Piece.objects.count()
    assert count > 1
    with counted() as statements:
        closing.close_confirmed(user=alice, now=NOW)
    assert not any("people_piece" in sql for sql in statements)
    with counted() as statements:
        assert data_export.tidy(now=NOW + data_export.STUCK_AFTER) == []
    assert sum(sql.startswith('DELETE FROM "people_piece"') for sql in statements) >= count
    assert not Archive.objects.exists()
    assert not Piece.objects.exists()


def test_no_archive_is_made_of_a_closed_account(alice: User) -> None:
    archive = data_export.ask(user=alice, now=NOW)
    closing.close_confirmed(user=alice, now=NOW)
    data_export.make(archive_id=archive.pk, now=NOW)
    assert not Piece.objects.exists()
    assert not Archive.objects.filter(ready_at__isnull=False).exists()


def test_programs_close_an_account_by_its_password(api: Api, alice: User, settings: Settings) -> None:
    as_alice = api.as_(alice)
    assert as_alice.post("/me/close", {"password": "a wrong one"}).status_code == 403
    assert as_alice.post("/me/close", {}).status_code == 422
    assert as_alice.post("/me/close", {"password": PASSWORD}).status_code == 204
    assert as_alice.get("/me").status_code == 401
    assert User.objects.get(pk=alice.pk).last_seen_at is None


def test_guessing_the_password_is_stopped(api: Api, alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"password": "3/h"}
    as_alice = api.as_(alice)
    statuses = [as_alice.post("/me/close", {"password": "a guess"}).status_code for _ in range(4)]
    assert statuses == [403, 403, 403, 429]


def test_the_request_ends_nothing_that_others_take_part_in_and_the_worker_everything(
    alice: User, bob: User
) -> None:
    """Each game, team and tournament takes milliseconds in which nobody else can write."""
    games = [play_moves(make_game(alice, bob, days_per_move=1), "11-15") for _ in range(2)]
    teams = [team_factories.make_team(alice, name) for name in ("Blue Dogs", "Green Cats")]
    ladder = ladder_factories.make_ladder(variant="american")
    for member in (bob, alice):
        ladders.join(user=member, ladder_id=ladder.public_id, now=NOW)
    cup = tournament_factories.make_tournament(bob)
    tournaments.enter(user=alice, tournament_id=cup.public_id, now=NOW)

    def left() -> list[int]:
        rows = (
            Game.objects.filter(status="playing"),
            Team.objects.filter(disbanded_at=None),
            Member.objects.filter(user=alice),
            Entrant.objects.filter(user=alice),
        )
        return [queryset.count() for queryset in rows]

    assert left() == [2, 2, 1, 1]
    closing.close_confirmed(user=alice, now=NOW)
    assert left() == [2, 2, 1, 1]
    with clock.stopped(NOW):
        run_tasks(GENERAL)
    assert left() == [0, 0, 0, 0]
    assert {(game.winner, game.termination) for game in map(fresh, games)} == {("second", "resignation")}
    assert all(Team.objects.get(pk=team.pk).disbanded_at for team in teams)
