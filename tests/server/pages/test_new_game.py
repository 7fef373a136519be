"""The form of a new game."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from tests.server.pages.conftest import Open

FORM = {"variant": "american", "colour": "first", "days_per_move": "3", "draw_rules": "official"}


def test_choosing_a_variant_shows_its_board_and_rules(window: Open, alice: User) -> None:
    page = window(alice).get("/new/?variant=international")

    assert "Twenty men a side on a board of ten by ten" in page.text
    assert page.square(50)["aria-label"] == "50, white man"


def test_a_sent_form_puts_a_game_into_the_waiting_room(window: Open, alice: User) -> None:
    form = FORM | {
        "variant": "russian",
        "colour": "random",
        "days_per_move": "14",
        "draw_rules": "itsyourturn",
    }

    answer = window(alice).post("/new/", form)

    game = Game.objects.get()
    assert answer.location == f"/games/{game.public_id}/"
    assert (game.variant, game.days_per_move, game.draw_rules, game.status) == (
        "russian",
        14,
        "itsyourturn",
        "waiting",
    )


def test_the_first_side_may_make_the_first_move_by_touching_squares(window: Open, alice: User) -> None:
    member = window(alice)

    first = member.get("/new/?variant=american&colour=first&at=11")
    assert first.square(11)["data-state"] == "selected"
    assert first.square(15)["value"] == "11-15"
    second = member.get("/new/?variant=american&colour=first&at=11-15")
    assert 'name="first_move" value="11-15"' in second.html
    member.post("/new/", FORM | {"first_move": "11-15"})

    assert Game.objects.get().moves == "11-15"


@pytest.mark.parametrize("query", ["variant=american&colour=second", "variant=pro&colour=first"])
def test_nobody_else_is_offered_a_first_move(window: Open, alice: User, query: str) -> None:
    page = window(alice).get(f"/new/?{query}")

    assert 'name="first_move"' not in page.html
    assert page.square(11)["type"] == "button"


def test_the_board_of_the_second_side_has_that_side_at_the_bottom(window: Open, alice: User) -> None:
    page = window(alice).get("/new/?variant=american&colour=second")

    assert page.html.index('data-square="1"') < page.html.index('data-square="32"')


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"variant": "chess"}, "'chess'"),
        ({"colour": "green"}, "'green'"),
        ({"days_per_move": "15"}, "Expected a whole number from 1 to 14."),
        ({"days_per_move": "soon"}, "Expected a whole number from 1 to 14."),
        ({"days_per_move": "9" * 5000}, "Expected a whole number from 1 to 14."),
        ({"draw_rules": "none"}, "'none'"),
        ({"first_move": "11-22"}, "That move is not legal here."),
        ({"first_move": "x" * 5000}, "That move is not legal here."),
    ],
)
def test_what_makes_no_sense_is_told_and_starts_nothing(
    window: Open, alice: User, change: dict[str, str], sentence: str
) -> None:
    answer = window(alice).post("/new/", FORM | change)

    assert answer.status == 422
    assert sentence in answer.text
    assert not Game.objects.exists()


def test_a_query_that_makes_no_sense_shows_the_usual_form(window: Open, alice: User) -> None:
    page = window(alice).get("/new/?variant=chess&colour=7&days_per_move=x&at=9-9-9&first_move=%F0%9F%98%80")

    assert page.status == 200
    assert "American checkers" in page.text


def test_a_guest_signs_in_before_a_game_is_made(window: Open) -> None:
    answer = window().post("/new/", FORM)

    assert answer.location == "/accounts/login/?next=/new/"
    assert not Game.objects.exists()
