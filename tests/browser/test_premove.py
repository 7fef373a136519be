"""Premoves in live games."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_with_mouse
from tests.browser.test_board import HINT
from tests.browser.test_game_life import start_live
from tests.browser.test_live import hold_request, say, start_game, submit, wait_for_request
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def start_live_pair(new_visitor: NewVisitor, name: str) -> tuple[Visitor, Visitor]:
    """A live game in which it is Red's turn."""
    return start_live(new_visitor, f"{name}-red", f"{name}-white", seconds=600)


@pytest.mark.parametrize("by", ["clicks", "dragging"])
def test_a_premove_is_played_at_once(new_visitor: NewVisitor, by: str) -> None:
    red, white = start_live_pair(new_visitor, f"pre-{by[:5]}")
    if by == "clicks":
        white.square(23).click()
        white.square(19).click()
    else:
        drag_with_mouse(white, 23, 19)
    expect(white.square(19)).to_have_accessible_name("19, empty, planned")
    expect(white.page.locator(HINT)).to_contain_text("23 to 19 will be played as soon as it's your turn.")

    submit(red, 11, 15)

    red.expect_move_made(2)
    expect(red.square(19)).to_have_accessible_name(re.compile("^19, white man, last move"))
    expect(white.status).to_have_text("Red to move.")


@pytest.mark.parametrize("way", [(31, 22, 15, 24), (31, 24, 15, 22)], ids=["left", "right"])
def test_a_circle_is_premoved_in_both_directions(new_visitor: NewVisitor, way: tuple[int, ...]) -> None:
    name = f"pre-circle-{way[1]}"
    red, white = new_visitor(name), new_visitor(f"{name}-white")
    terms = {
        "variant": "american",
        "colour": "first",
        "clock": {"initial": 600, "increment": 0},
        "start": "B:WK31,29:B1,18,19,26,27",
        "opponent": white.name,
    }
    game = red.call("/games", terms)["id"]
    white.call(f"/invitations/{game}/accept")
    for player in (red, white):
        player.go(f"/games/{game}/")
    for square in way:
        white.square(square).click()

    submit(red, 1, 5)

    red.expect_move_made(2)
    for player in (red, white):
        expect(player.page.locator("[data-list] a")).to_have_text(["1-5", "31x31"])
        expect(player.page.locator("checkers-board .piece:not([data-ghost])")).to_have_count(3)


def test_a_premove_shows_where_the_piece_could_go_if_it_were_its_turn(new_visitor: NewVisitor) -> None:
    red, white = start_live_pair(new_visitor, "pre-reach")
    white.square(23).click()
    chosen = "23 selected. Now choose where it goes on your next turn."
    expect(white.page.locator("[data-hint]")).to_have_text(
        f"{chosen} If it were your turn, it could go to 18, 19."
    )
    expect(white.square(18)).to_have_accessible_name("18, empty, move target")
    white.square(30).click()  # it has nowhere to go yet
    expect(white.square(18)).to_have_accessible_name("18, empty")
    expect(white.page.locator("[data-hint]")).to_have_text(
        "30 selected. Now choose where it goes on your next turn."
    )
    white.square(23).click()
    white.square(19).click()
    expect(white.square(18)).to_have_accessible_name("18, empty")

    submit(red, 11, 15)

    red.expect_move_made(2)


def test_a_move_that_comes_while_the_laws_are_fetched_leaves_no_mark(new_visitor: NewVisitor) -> None:
    red, white = start_live_pair(new_visitor, "pre-late")
    held = hold_request(white, "**/*.wasm")
    white.square(23).click()
    request = wait_for_request(white, held)
    submit(red, 11, 15)
    white.expect_turn()
    expect(white.square(23)).to_have_attribute("data-state", "selected")  # as the click of the move
    request.continue_()
    white.page.wait_for_timeout(300)
    expect(white.square(23)).to_have_attribute("data-state", "selected")
    expect(white.page.locator("[data-hint]")).not_to_contain_text("If it were your turn")


def test_the_laws_say_nothing_of_a_square_if_the_next_is_chosen_before_they_are_here(
    new_visitor: NewVisitor,
) -> None:
    _red, white = start_live_pair(new_visitor, "pre-laws")
    held = hold_request(white, "**/board_laws*.js")
    white.square(23).click()
    request = wait_for_request(white, held)
    white.square(19).click()
    hint = white.page.locator(HINT)
    expect(hint).to_contain_text("23 to 19 will be played as soon as it's your turn.")
    with white.page.expect_response("**/*.wasm"):
        request.continue_()
    white.page.wait_for_timeout(300)
    expect(hint).to_contain_text("23 to 19 will be played as soon as it's your turn.")


def test_a_premove_survives_a_message_that_comes_while_the_own_move_is_on_its_way(
    new_visitor: NewVisitor,
) -> None:
    red, white = start_live_pair(new_visitor, "pre-sent")
    held = hold_request(red, "**/moves")
    submit(red, 11, 15)
    request = wait_for_request(red, held)
    drag_with_mouse(red, 8, 11)
    with red.page.expect_response(lambda answer: answer.url.endswith(red.path)):
        say(white, "Hello.")
    expect(red.page.locator(".plies a")).to_have_text(["11-15"])
    request.continue_()
    expect(red.page.locator(".tabs .unread-mark")).to_be_visible()  # once the move is there

    submit(white, 22, 17)

    expect(red.page.locator(".plies a")).to_have_text(["11-15", "22-17", "8-11"])
    expect(white.page.locator("form[data-abandoned]")).to_have_count(1)  # they may leave yet


def test_a_premove_survives_a_reload(new_visitor: NewVisitor) -> None:
    red, white = start_live_pair(new_visitor, "pre-again")
    drag_with_mouse(white, 22, 18)
    white.page.reload()
    white.settle()
    expect(white.square(18)).to_have_attribute("data-mark", "conditional")

    submit(red, 11, 15)

    red.expect_move_made(2)  # a capture must be answered: 22-18 is legal, for 15 then takes it
    expect(red.status).to_have_text("Your turn.")


def test_an_illegal_premove_is_dropped(new_visitor: NewVisitor) -> None:
    red, white = start_live_pair(new_visitor, "pre-lost")
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)  # Red must take it
    expect(white.status).to_have_text("Red to move.")
    white.settle()
    drag_with_mouse(white, 24, 20)  # White will have to take back

    submit(red, 15, 22)
    white.expect_turn()

    expect(white.page.locator("[data-hint]")).to_have_text("Your premove is no longer possible.")
    expect(white.field).to_have_value("")


def test_a_premove_is_cancelled_by_a_click_or_a_key(new_visitor: NewVisitor) -> None:
    _red, white = start_live_pair(new_visitor, "pre-back")
    drag_with_mouse(white, 23, 19)
    white.page.keyboard.press("Escape")
    expect(white.page.locator("[data-mark]")).to_have_count(0)

    drag_with_mouse(white, 23, 19)
    white.square(10).click()

    expect(white.page.locator("[data-mark]")).to_have_count(0)


def test_correspondence_games_have_no_premoves(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "slow-red", "slow-white")

    white.square(23).click()
    white.square(19).click()
    drag_with_mouse(white, 23, 19)

    expect(white.page.locator("[data-mark]")).to_have_count(0)
    submit(red, 11, 15)
    white.expect_turn()
    expect(white.field).to_have_value("")
