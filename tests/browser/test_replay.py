"""Looking at a game: by itself, by the wheel, in a size of one's own, with arrows and marks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.pointer import devtools, middle
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

MOVES = ["11-15", "22-17", "15-18"]


def started(new_visitor: NewVisitor, name: str) -> tuple[Visitor, str]:
    """Who is on turn after some moves, and the game."""
    red, white = new_visitor(f"red-{name}"), new_visitor(f"white-{name}")
    game = red.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    white.call(f"/waiting-room/{game}/join")
    for ply, move in enumerate(MOVES):
        (red, white)[ply % 2].call(f"/games/{game}/moves", {"move": move, "version": ply})
    return white, game


def watched(new_visitor: NewVisitor, name: str, **options: object) -> Visitor:
    """A guest's window of a game in progress."""
    _white, game = started(new_visitor, name)
    guest = new_visitor(**options)
    guest.go(f"/games/{game}/")
    return guest


def test_a_game_is_gone_through_by_the_wheel_and_by_itself(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor, "wheel")
    current = guest.page.locator(".plies a[aria-current]")
    guest.page.mouse.move(*middle(guest, 18))

    guest.page.mouse.wheel(0, -100)
    expect(current).to_have_text("22-17")
    guest.page.mouse.wheel(0, 100)
    expect(current).to_have_text("15-18")
    assert guest.page.evaluate("scrollY") == 0

    play = guest.page.get_by_role("button", name="Play through the game")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(current).to_have_count(0)
    for move in MOVES:
        expect(current).to_have_text(move)
    expect(play).to_have_attribute("aria-pressed", "false")


def test_a_game_goes_on_by_itself_though_a_move_is_played_meanwhile(new_visitor: NewVisitor) -> None:
    white, game = started(new_visitor, "goes-on")
    guest = new_visitor()
    guest.go(f"/games/{game}/?ply=2")
    play = guest.page.get_by_role("button", name="Play through the game")
    play.click()
    white.call(f"/games/{game}/moves", {"move": "23x14", "version": len(MOVES)})
    moves = guest.page.locator(".plies a")
    expect(moves).to_have_count(len(MOVES) + 1)
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(moves.last).to_have_attribute("aria-current", "true")


def test_arrows_and_marks_are_drawn_with_the_right_button_and_by_key(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor, "draws")
    drawn, mouse = guest.page.locator(".drawn .line"), guest.page.mouse

    mouse.move(*middle(guest, 9))
    mouse.down(button="right")
    mouse.move(*middle(guest, 14), steps=3)
    mouse.up(button="right")
    guest.square(23).click(button="right", modifiers=["Shift"])
    expect(drawn).to_have_count(2)
    expect(guest.page.locator(".drawn .line[data-second]")).to_have_count(1)
    guest.square(23).focus()
    guest.page.keyboard.press("Shift+C")
    expect(drawn).to_have_count(1)
    expect(guest.page.locator("checkers-board [data-live]")).to_have_text("Mark on 23 removed.")
    guest.square(20).click()

    expect(drawn).to_have_count(0)


def test_a_long_press_marks_a_square_and_chooses_nothing(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    guest.go("/analysis/")
    screen, at = devtools(guest.page), middle(guest, 11)

    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": at[0], "y": at[1]}]})
    guest.page.wait_for_timeout(700)
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    expect(guest.page.locator(".drawn .line")).to_have_count(1)
    expect(guest.square(11)).to_have_attribute("data-state", "movable")
    guest.square(11).tap()
    expect(guest.page.locator(".drawn .line")).to_have_count(0)
    expect(guest.square(11)).to_have_attribute("data-state", "selected")


def test_the_set_of_pieces_is_seen_at_once_and_kept_on_the_device(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    before = guest.square(1).screenshot()

    guest.page.get_by_role("button", name="Board settings").click()
    guest.page.get_by_label("Ridged", exact=True).check()
    guest.page.get_by_role("button", name="Done").click()
    chosen = guest.square(1).screenshot()
    guest.page.reload()
    guest.settle()

    assert before != chosen
    assert guest.square(1).screenshot() == chosen


def test_the_size_of_the_board_is_kept_on_the_device(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor, "sizes")
    width = "document.querySelector('checkers-board').getBoundingClientRect().width"
    large = guest.page.evaluate(width)

    guest.page.get_by_role("button", name="Board settings").click()
    guest.page.get_by_label("Small", exact=True).check()
    small = guest.page.evaluate(width)
    guest.page.reload()
    guest.settle()

    assert large * 0.6 < small < large * 0.7
    assert guest.page.evaluate(width) == small
