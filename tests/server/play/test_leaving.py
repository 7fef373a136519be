"""The games of a member who leaves, and what their data export says about them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import exports
from crownhead.server.play import events
from crownhead.server.play.chat.services import send_message, write_note
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Invitation, Note, Plan, Vacation
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.staff.services import appeal
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_offer, play_moves, recorded_events

pytestmark = pytest.mark.django_db
TERMS = GameOptions(variant="american", colour="first", days_per_move=3)


def _invite(creator: User, opponent: str) -> Game:
    return invitation_services.invite(
        creator=creator, opponent=opponent, options=TERMS, message="A game?", site="http://x", now=NOW
    )


def test_games_in_progress_are_given_up_and_offers_taken_back(alice: User, bob: User, charlie: User) -> None:
    running, waits = make_game(alice, bob), make_offer(alice)
    sent, received, mailed = _invite(alice, "charlie"), _invite(bob, "alice"), _invite(alice, "d@x.example")
    others = make_game(bob, charlie)
    with recorded_events(events.GameEnded, events.GameWithdrawn, events.GameDeclined) as emitted:
        closing.close(user=alice, now=NOW + DAY)
    assert (fresh(running).winner, fresh(running).termination) == ("second", "resignation")
    assert {fresh(game).status for game in (waits, sent, mailed)} == {"withdrawn"}
    assert fresh(received).status == "declined"
    assert fresh(others).status == "playing"
    assert len(emitted) == 5
    assert set(Invitation.objects.filter(game__creator=alice).values_list("message", "email", "token")) == {
        ("", "", "")
    }


@pytest.mark.parametrize(("terms", "games"), [({"games": 4}, 1), ({"wins": 3}, 1), ({"games": 2}, 2)])
def test_a_match_ends_with_the_games_in_progress(alice: User, bob: User, terms: Any, games: int) -> None:
    make_game(alice, bob, **terms)
    with recorded_events(events.MatchEnded) as emitted:
        closing.close(user=alice, now=NOW)
    assert set(Game.objects.values_list("status", flat=True)) == {"finished"}
    assert Game.objects.count() == games
    assert [event.winner_id for event in emitted] == [bob.pk]


def test_what_was_theirs_alone_is_gone_and_the_record_stays(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    write_note(user=alice, game_id=game.public_id, text="Likes the corner.")
    write_note(user=bob, game_id=game.public_id, text="Quick.")
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW)
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    closing.close(user=alice, now=NOW)
    assert list(Note.objects.values_list("user", flat=True)) == [bob.pk]
    assert not Vacation.objects.exists()
    assert not Plan.objects.filter(seat="first").exists()
    assert fresh(game).moves == "11-15"


def _part(name: str, user: User) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(b"".join(exports.pieces(f"{name}.json", user)))
    return found


def test_the_archive_has_what_one_wrote_planned_and_offered_and_nothing_of_the_opponent(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    write_note(user=alice, game_id=game.public_id, text="Likes the corner.")
    write_note(user=bob, game_id=game.public_id, text="Quick.")
    send_message(user=alice, game_id=game.public_id, text="Hello.", now=NOW)
    send_message(user=bob, game_id=game.public_id, text="Hello yourself.", now=NOW)
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    appeal(user=alice, game_id=game.public_id, claim="draw", reason="Bare.", now=NOW)
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW)
    invited = _invite(bob, "alice")
    assert [row["text"] for row in _part("game_notes", alice)] == ["Likes the corner."]
    assert [row["text"] for row in _part("game_chat", alice)] == ["Hello."]
    assert [row["lines"] for row in _part("game_plans", alice)] == [[["22-18", "15x22"]]]
    assert [row["reason"] for row in _part("game_appeals", alice)] == ["Bare."]
    assert [row["hours"] for row in _part("vacations", alice)] == [24]
    (offered,) = _part("game_offers", alice)
    assert (offered["game"], offered["by"], offered["message"]) == (invited.public_id, "bob", "")
    assert _part("game_plans", bob) == _part("vacations", bob) == _part("game_appeals", bob) == []
    assert [row["message"] for row in _part("game_offers", bob)] == ["A game?"]
