"""Staff decide a game, with a reason that is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.models import Game
from crownhead.server.play.staff.services import adjudicate
from tests.server.play.factories import NOW, api_of, columns, fresh, make_game, make_offer

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


def _decide(staff: User, game: Game, result: str = "draw", reason: str = "Seen.", **more: Any) -> Game:
    return adjudicate(by=staff, game_id=game.public_id, result=result, reason=reason, now=NOW, **more)


@pytest.mark.parametrize(("result", "winner"), [("first", "first"), ("second", "second"), ("draw", None)])
def test_staff_decide_a_game_and_the_reason_is_kept(
    alice: User, bob: User, dora: User, result: str, winner: str | None
) -> None:
    game = _decide(dora, make_game(alice, bob), result, "  Two kings against one, played on. ")
    game = fresh(game)
    assert (game.status, game.winner, game.termination) == ("finished", winner, "adjudication")
    assert (game.adjudication_reason, game.adjudicated_by) == ("Two kings against one, played on.", dora)


def test_nobody_else_decides_a_game(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    for user in (alice, bob, charlie):
        with pytest.raises(Forbidden):
            _decide(user, game)
    assert fresh(game).status == "playing"


def test_a_decision_needs_a_result_and_a_reason(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    for result, reason in (("third", "So."), ("draw", ""), ("draw", "  \n "), ("draw", "x" * 2001)):
        with pytest.raises(Unprocessable):
            _decide(dora, game, result, reason)
    assert fresh(game).status == "playing"


def test_only_a_game_in_progress_is_decided(alice: User, bob: User, dora: User) -> None:
    with pytest.raises(problems.NotInProgress):
        _decide(dora, make_offer(alice))
    game = _decide(dora, make_game(alice, bob), "first", "Once.")
    before = columns(game)
    with pytest.raises(problems.GameOver):
        _decide(dora, game, "second", "Twice.")
    assert columns(game) == before


def test_the_reason_is_shown_to_everybody(alice: User, bob: User, dora: User) -> None:
    game = _decide(dora, make_game(alice, bob), "draw", "Neither can win.")
    assert b"Neither can win." in api_of().get(f"/games/{game.public_id}").content


def _back_office(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_back_office_decides_a_game(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    address = reverse("admin:play_game_change", args=[game.pk])
    client = _back_office(dora)
    page = client.get(address)
    assert b'name="reason"' in page.content
    assert b'name="moves"' not in page.content
    answer = client.post(address, {"result": "first", "reason": "Agreed by mail."})
    assert answer.status_code == 302
    game = fresh(game)
    assert (game.winner, game.termination, game.adjudication_reason) == (
        "first",
        "adjudication",
        "Agreed by mail.",
    )
    assert game.adjudicated_by == dora


def test_the_back_office_asks_for_a_reason(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    address = reverse("admin:play_game_change", args=[game.pk])
    assert _back_office(dora).post(address, {"result": "first", "reason": " "}).status_code == 200
    assert fresh(game).status == "playing"


def test_the_back_office_only_shows_a_game_that_is_over(alice: User, bob: User, dora: User) -> None:
    game = _decide(dora, make_game(alice, bob), "draw", "Done.")
    before = columns(game)
    client = _back_office(dora)
    address = reverse("admin:play_game_change", args=[game.pk])
    assert b'name="reason"' not in client.get(address).content
    client.post(address, {"result": "first", "reason": "Again."})
    assert columns(game) == before


def test_the_back_office_lists_and_finds_games_but_makes_and_deletes_none(
    alice: User, bob: User, dora: User
) -> None:
    game, client = make_game(alice, bob), _back_office(dora)
    assert game.public_id in client.get(reverse("admin:play_game_changelist"), {"q": "bob"}).content.decode()
    assert client.get(reverse("admin:play_game_add")).status_code == 403
    assert client.post(reverse("admin:play_game_delete", args=[game.pk]), {"post": "yes"}).status_code == 403
    assert fresh(game).status == "playing"


def test_players_do_not_enter_the_back_office(alice: User, bob: User) -> None:
    address = reverse("admin:play_game_change", args=[make_game(alice, bob).pk])
    assert _back_office(alice).post(address, {"result": "first", "reason": "Mine."}).status_code in {302, 403}
    assert Game.objects.get().status == "playing"
