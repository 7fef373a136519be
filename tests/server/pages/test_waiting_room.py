"""The waiting room: list, filter, take, withdraw."""

from __future__ import annotations

from crownhead.server.accounts.models import User
from tests.server.pages.conftest import Open
from tests.server.play.table import begin, fresh, offer


def test_everybody_sees_the_open_games(window: Open, alice: User) -> None:
    offer(alice, variant="italian", colour="second", days_per_move=7, draw_rules="yourturnmyturn")

    page = window().get("/waiting-room/")

    assert "alice Italian draughts 7 days per move you play White draws as on YourTurnMyTurn" in page.text


def test_the_list_can_be_kept_to_one_variant(window: Open, alice: User) -> None:
    offer(alice, variant="italian")
    offer(alice, variant="russian")

    page = window().get("/waiting-room/?variant=russian")

    assert page.html.count("Take the game of alice") == 1
    assert "Take the game of alice, Russian draughts" in page.html
    assert window().get("/waiting-room/?variant=chess").html.count("Take the game of") == 2


def test_an_empty_room_says_what_to_do_next(window: Open) -> None:
    assert "Offer a game: it waits here" in window().get("/waiting-room/").text
    assert "Nobody offers such a game at the moment." in window().get("/waiting-room/?variant=mule").text


def test_taking_a_game_starts_it(window: Open, alice: User, bob: User) -> None:
    game = offer(alice)

    answer = window(bob).post(f"/waiting-room/{game.public_id}/take/", follow=True)

    assert "The game has begun." in answer.text
    assert fresh(game).status == "playing"


def test_a_game_that_is_gone_is_told_in_a_page(window: Open, alice: User, bob: User, charlie: User) -> None:
    game = begin(alice, bob)

    answer = window(charlie).post(f"/waiting-room/{game.public_id}/take/")

    assert answer.status == 409
    assert "That game has left the waiting room." in answer.text


def test_ones_own_game_cannot_be_taken(window: Open, alice: User) -> None:
    game = offer(alice)

    answer = window(alice).post(f"/waiting-room/{game.public_id}/take/")

    assert answer.status == 403
    assert "Somebody else has to take it." in answer.text


def test_the_creator_withdraws_and_nobody_else(window: Open, alice: User, bob: User) -> None:
    game = offer(alice)

    assert window(bob).post(f"/waiting-room/{game.public_id}/withdraw/").status == 403
    assert fresh(game).status == "waiting"
    answer = window(alice).post(f"/waiting-room/{game.public_id}/withdraw/", follow=True)

    assert "The game is withdrawn." in answer.text
    assert fresh(game).status == "withdrawn"


def test_a_guest_who_takes_a_game_signs_in_and_comes_back_to_it(window: Open, alice: User) -> None:
    game = offer(alice)
    guest = window()

    answer = guest.post(f"/waiting-room/{game.public_id}/take/")

    assert answer.location == f"/accounts/login/?next=/waiting-room/{game.public_id}/take/"
    assert guest.get(f"/waiting-room/{game.public_id}/take/").location == f"/games/{game.public_id}/"
    assert fresh(game).status == "waiting"


def test_an_unknown_game_is_not_found(window: Open, alice: User) -> None:
    answer = window(alice).post("/waiting-room/nowhere/take/")

    assert answer.status == 404
    assert "There is nothing here" in answer.text
