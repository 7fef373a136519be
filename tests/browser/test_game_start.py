"""A live game starts: both players are taken there; offers end with their maker, lists follow."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations_in_both_colour_schemes
from tests.browser.conftest import NewVisitor
from tests.browser.test_game_life import start_live
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

LEAVING = 25_000  # milliseconds, in which a player has left
CLOCK = {"initial": 300, "increment": 3}


def offer_live(visitor: Visitor) -> str:
    """Offer a live game without leaving the page."""
    terms = {"variant": "american", "colour": "first", "clock": CLOCK}
    return str(visitor.call("/games", terms)["id"])


def test_both_players_are_taken_to_a_live_game_from_wherever_they_are(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("taken-red"), new_visitor("taken-white")
    red.go("/rules/")
    white.go("/watch/")
    game = offer_live(red)
    white.call(f"/waiting-room/{game}/join")
    for player in (red, white):
        player.page.wait_for_url(f"**/games/{game}/")
        player.settle()
    expect(red.status).to_have_text("Your turn.")


def test_one_of_two_windows_that_can_be_seen_is_taken_to_a_game(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("both-red"), new_visitor("both-white")
    red.go("/rules/")
    other = red.page.context.new_page()
    with other.expect_response("**/events**"):
        other.goto(f"{red.address}/watch/")
    game = offer_live(red)
    white.call(f"/waiting-room/{game}/join")

    def taken() -> list[str]:
        return [page.url for page in (red.page, other) if page.url.endswith(f"/games/{game}/")]

    while not taken():
        red.page.wait_for_timeout(20)
    red.page.wait_for_timeout(1000)  # longer than a page waits that can be seen
    assert len(taken()) == 1


def test_nobody_is_taken_to_a_slow_game(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("slowly-red"), new_visitor("slowly-white")
    red.go("/")
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = red.call("/games", terms)["id"]
    white.call(f"/waiting-room/{game}/join")
    expect(red.page.get_by_role("link", name="My games your turn: 1")).to_be_visible()
    assert red.path == "/"


def test_somebody_who_is_writing_is_asked(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("writing-red"), new_visitor("writing-white")
    red.go("/new/")
    field = red.page.locator("[name='opponent']")
    field.fill("somebody")
    game = offer_live(red)
    white.call(f"/waiting-room/{game}/join")

    banner = red.page.locator("[data-game-start]")
    expect(banner).to_contain_text("Your live game has started.")
    expect(field).to_be_focused()
    assert violations_in_both_colour_schemes(red.page) == []
    banner.get_by_role("button", name="Not now").click()
    expect(banner).to_have_text("")
    expect(field).to_have_value("somebody")


def test_an_offer_appears_in_the_waiting_room_by_itself_and_ends_with_its_maker(
    new_visitor: NewVisitor,
) -> None:
    maker, reader = new_visitor("maker"), new_visitor("reader")
    maker.go("/")
    reader.go("/waiting-room/")
    offer_live(maker)
    expect(reader.page.get_by_role("button", name="Join maker's game")).to_be_visible()

    maker.page.goto("about:blank")

    expect(reader.page.get_by_role("button", name="Join maker's game")).to_be_hidden(timeout=LEAVING)


def test_a_player_who_leaves_is_seen_to_and_so_is_their_return(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "leaving-red", "leaving-white", seconds=600)
    here = red.page.url
    left = white.page.locator("[data-left-game]:visible")
    red.page.goto("about:blank")
    expect(left).to_have_text("left the game", timeout=LEAVING)
    red.page.goto(here)
    expect(left).to_have_count(0)


def test_resigning_asks_once_and_then_a_rematch_comes_first(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "again-live-red", "again-live-white", seconds=600)
    assert violations_in_both_colour_schemes(red.page) == []
    for player, squares in ((red, (11, 15)), (white, (22, 18)), (red, (15, 22)), (white, (25, 18))):
        player.expect_turn()
        for square in squares:
            player.square(square).click()
    red.expect_turn()
    red.page.get_by_role("button", name="Resign").click()
    confirm = red.page.locator("#confirm-resign")
    confirm.get_by_role("button", name="Cancel").click()
    expect(confirm).to_be_hidden()
    red.page.get_by_role("button", name="Resign").click()
    confirm.get_by_role("button", name="Resign").click()
    expect(red.page.locator(".standing .status")).to_be_focused()
    expect(red.status).to_have_text("You lost by resignation.")
    expect(white.status).to_have_text("You won by resignation.")
    expect(white.page.locator(".strip .clock-time")).to_have_count(2)
    assert violations_in_both_colour_schemes(white.page) == []

    red.page.get_by_role("button", name="Rematch").click()
    expect(red.status).to_have_text("Waiting for again-live-white.")
    white.page.get_by_role("button", name="Accept the rematch").click()
    for player in (red, white):
        expect(player.status).to_have_text(re.compile("Your turn.|to move."))
    assert red.path == white.path
