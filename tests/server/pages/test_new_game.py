"""The form of a new game."""

from __future__ import annotations

from datetime import timedelta
from html import escape

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from tests.server.pages.conftest import Open

FORM = {"variant": "american", "colour": "first", "days_per_move": "3", "draw_rules": "official"}


def test_choosing_a_variant_shows_its_board_and_rules(window: Open, alice: User) -> None:
    page = window(alice).get("/new/?variant=international")

    assert "Twenty men a side on a 10×10 board" in page.text
    assert page.square(50)["aria-label"] == "50, white man"


def test_the_form_with_an_opponent_says_whom_it_invites(window: Open, alice: User, bob: User) -> None:
    page = window(alice).get("/new/?opponent=bob")

    assert "<title>Invite bob" in page.html.replace("\n", "").replace("<title>  ", "<title>")
    assert "Invite bob New game Play the computer" in page.text  # the page shows one of the headings
    assert "Send invitation" in page.text
    assert "Invite bob" not in window().get("/new/?opponent=bob").text


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
        ({"variant": "chess"}, "There is no variant called “chess”."),
        ({"colour": "green"}, "'green'"),
        ({"days_per_move": "15"}, "Enter a whole number from 1 to 14."),
        ({"days_per_move": "soon"}, "Enter a whole number from 1 to 14."),
        ({"days_per_move": "9" * 5000}, "Enter a whole number from 1 to 14."),
        ({"draw_rules": "none"}, "'none'"),
        ({"first_move": "11-22"}, "That move is not legal here."),
        ({"first_move": "x" * 5000}, "That move is not legal here."),
    ],
)
def test_what_makes_no_sense_is_reported_and_starts_nothing(
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


@pytest.mark.parametrize(
    ("fields", "columns"),
    [
        (
            {"pace": "live", "live": "3+2", "vacation": "on", "weekends_off": "on"},
            {"pace": "live", "clock_initial": timedelta(minutes=3), "clock_bonus": timedelta(seconds=2)},
        ),
        (
            {"pace": "live", "live": "own", "minutes": "25", "seconds": "0"},
            {"clock_initial": timedelta(minutes=25), "clock_bonus": timedelta(0), "vacation": False},
        ),
        (
            {"pace": "bank", "time": "48", "bonus": "6", "limit": "72", "weekends_off": "on"},
            {
                "pace": "bank",
                "clock_initial": timedelta(hours=48),
                "clock_bonus": timedelta(hours=6),
                "clock_limit": timedelta(hours=72),
                "weekends_off": True,
            },
        ),
        ({"vacation": "on"}, {"days_per_move": 3, "vacation": True, "weekends_off": False}),
        ({"rated": "on", "hidden": "on"}, {"rated": False, "hidden": True}),
        ({"min_rating": "1400", "max_rating": " 1800 "}, {"min_rating": 1400, "max_rating": 1800}),
        ({"match": "two"}, {"match__kind": "two", "match__length": 2}),
        ({"match": "games", "games": "6"}, {"match__kind": "games", "match__length": 6}),
        ({"match": "wins", "wins": "4"}, {"match__kind": "wins", "match__length": 4}),
    ],
)
def test_all_terms_can_be_chosen(
    window: Open, alice: User, fields: dict[str, str], columns: dict[str, object]
) -> None:
    answer = window(alice).post("/new/", FORM | fields)

    assert answer.status == 302
    assert Game.objects.filter(**columns).count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"pace": "live", "live": "own", "minutes": "181"}, "Enter a whole number from 0 to 180."),
        (
            {"pace": "live", "live": "own", "minutes": "0", "seconds": "0"},
            "Enter a whole number from 1 to 180.",
        ),
        ({"pace": "bank", "time": "x"}, "Enter a whole number from 1 to 1440."),
        ({"pace": "bank", "time": "50", "limit": "49"}, "Enter a whole number from 50 to 1440."),
        ({"pace": "bank", "bonus": "-1"}, "Enter a whole number from 0 to 1440."),
        ({"min_rating": "strong"}, "Enter a whole number from 0 to 4000."),
        ({"min_rating": "1900", "max_rating": "1700"}, "The highest rating can't be below the lowest."),
        ({"match": "games", "games": "21"}, "Enter a whole number from 3 to 20."),
        ({"match": "wins", "wins": "1"}, "Enter a whole number from 2 to 10."),
        (
            {"match": "two", "first_move": "11-15"},
            "You can't make the first move in advance in this game.",
        ),
        (
            {"variant": "pro", "opening": "12"},
            "Name an opponent to choose the opening, or leave it random.",
        ),
        ({"variant": "pro", "opening": "998", "opponent": "bob"}, "Choose one of the ballots."),
    ],
)
def test_what_is_wrong_is_shown_beside_its_field_and_the_rest_is_kept(
    window: Open, alice: User, bob: User, fields: dict[str, str], sentence: str
) -> None:
    form = FORM | {"terms": "1", "message": "kept", "hidden": "on"} | fields

    answer = window(alice).post("/new/", form)

    assert answer.status == 422
    assert "The game was not created. Please check the fields below." in answer.text
    assert f'<span class="field-error">{escape(sentence)}</span>' in answer.html
    assert "kept</textarea>" in answer.html
    assert 'name="hidden" checked' in answer.html
    for name in {"minutes", "seconds", "time", "bonus", "limit", "games", "wins"} & set(fields):
        assert f'value="{fields[name]}"' in answer.html
    assert not Game.objects.exists()


def test_the_usual_terms_are_set_beforehand_and_what_was_switched_off_stays_off(
    window: Open, alice: User
) -> None:
    member = window(alice)

    assert 'name="vacation" checked' in member.get("/new/?variant=italian").html
    assert 'name="vacation" checked' not in member.get("/new/?terms=1&variant=italian").html


def test_changing_the_game_keeps_the_other_terms(window: Open, alice: User) -> None:
    query = "terms=1&variant=frisian&pace=bank&time=30&match=wins&wins=5&opponent=bob&message=Hi&min_rating=9"

    page = window(alice).get(f"/new/?{query}")

    assert "Frisian draughts" in page.text
    for mark in (
        'value="bank" checked',
        'value="30"',
        'value="wins" checked',
        'value="bob"',
        "Hi</textarea>",
    ):
        assert mark in page.html
    assert '<details class="box disclosure" open>' in page.html


def test_only_a_game_that_begins_with_a_ballot_offers_ballots(window: Open, alice: User) -> None:
    member = window(alice)

    assert 'name="opening"' not in member.get("/new/?variant=american").html
    assert member.get("/new/?variant=pro").html.count("<option") > 156


def test_a_game_of_this_is_one_that_waits_on_the_same_terms(window: Open, alice: User, bob: User) -> None:
    quick = FORM | {"do": "match", "colour": "random", "pace": "live", "live": "5+3"}

    waits = window(alice).post("/new/", quick, follow=True)
    begins = window(bob).post("/new/", quick, follow=True)

    assert "No matching game was waiting, so yours is now in the waiting room." in waits.text
    assert "Good luck" not in begins.text  # of a live game the clock says it
    assert Game.objects.get().status == "playing"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"opponent": "bob"}, "Leave this empty to find a game with anyone."),
        ({"match": "two"}, "“Find a game” is for single games."),
        ({"first_move": "11-15"}, "“Find a game” doesn't allow a first move."),
    ],
)
def test_a_game_of_this_is_a_plain_one_with_anybody(
    window: Open, alice: User, bob: User, fields: dict[str, str], sentence: str
) -> None:
    answer = window(alice).post("/new/", FORM | {"do": "match"} | fields)

    assert answer.status == 422
    assert f'<span class="field-error">{escape(sentence)}</span>' in answer.html
    assert not Game.objects.exists()


def test_too_many_games_are_reported_in_a_sentence(window: Open, alice: User, settings: Settings) -> None:
    settings.GAMES_PER_PLAYER = 1
    member = window(alice)
    member.post("/new/", FORM)

    answer = member.post("/new/", FORM)

    assert answer.status == 409
    assert "You can have 1 game at a time." in answer.text
