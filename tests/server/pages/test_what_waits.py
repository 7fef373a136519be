"""Offers, messages and notes of running games are seen in the list of games and on the page."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.play.chat.services import send_message, write_note
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.play.models import Game
from crownhead.server.play.take_backs.services import ask_take_back
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db


def shown(window: Open, user: User, game: Game) -> tuple[str, str]:
    """The list of games, and the status on the page of the game."""
    return window(user).get("/").text, window(user).get(f"/games/{game.public_id}/").text


def test_a_draw_offer_is_in_the_list_of_both(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)

    assert "draw offered" in window(bob).get("/").text
    assert "you offered a draw" in window(alice).get("/").text


def test_a_request_for_a_take_back_is_in_the_list_of_both(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, rated=False), "11-15")
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)

    assert "take-back requested" in window(bob).get("/").text
    assert "you requested a take-back" in window(alice).get("/").text


def test_a_message_waits_until_one_answers_or_moves(window: Open, alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    send_message(user=alice, game_id=game.public_id, text="Good luck!", now=NOW)

    listed, page = shown(window, bob, game)
    assert "new message" in listed
    assert "New message" in page
    listed, page = shown(window, alice, game)
    assert "new message" not in listed
    assert "New message" not in page

    play_moves(game, "22-18")
    assert "new message" not in shown(window, bob, game)[0]
    send_message(user=alice, game_id=game.public_id, text="Well played.", now=NOW)
    send_message(user=bob, game_id=game.public_id, text="Thank you.", now=NOW)
    assert "new message" not in shown(window, bob, game)[0]
    assert "new message" in shown(window, alice, game)[0]


def test_the_messages_of_a_blocked_player_do_not_wait(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    send_message(user=alice, game_id=game.public_id, text="Hello?", now=NOW)
    block(user=bob, other=alice, now=NOW)

    listed, page = shown(window, bob, game)

    assert "new message" not in listed
    assert "New message" not in page


def test_a_note_is_marked_for_its_writer_alone(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    write_note(user=alice, game_id=game.public_id, text="Do not forget 11-15.")

    listed, page = shown(window, alice, game)
    assert "has a note" in listed
    assert "Your note" in page
    assert "Your note" not in shown(window, bob, game)[1]
