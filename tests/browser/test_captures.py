"""A capture of several pieces is entered in every way: it is on the board, complete, and waits for Submit."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_by_touch, drag_with_mouse
from tests.browser.sample_game import MOVES
from tests.browser.test_whole_game import tab_to
from tests.browser.visitors import PASSWORD, Visitor

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
ORIGIN, *WAY = 26, 17, 10, 1
TEXT = "26x1"

Enter = Callable[[Visitor], None]


def before_the_capture(white: Visitor, red: Visitor) -> str:
    """Play the sample game up to its last move, which takes three; the page of the game."""
    game = red.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    white.call(f"/waiting-room/{game}/join")
    for ply, move in enumerate(MOVES[:-1]):
        (red, white)[ply % 2].call(f"/games/{game}/moves", {"move": move, "version": ply})
    white.go(f"/games/{game}/")
    return f"/games/{game}/"


def click_every_square(white: Visitor) -> None:
    for square in (ORIGIN, *WAY):
        white.press(white.square(square))


def double_click_the_last(white: Visitor) -> None:
    white.square(ORIGIN).click()
    white.square(WAY[-1]).dblclick()


def drag_hop_by_hop(white: Visitor) -> None:
    drag_with_mouse(white, ORIGIN, WAY[0])
    white.page.wait_for_timeout(450)  # clicks that follow a drag at once are its end
    for square in WAY[1:]:
        white.square(square).click()


def drag_to_the_end(white: Visitor) -> None:
    drag_with_mouse(white, ORIGIN, WAY[-1])


def press_enter_on_every_square(white: Visitor) -> None:
    tab_to(white, "checkers-board button")
    for square in (ORIGIN, *WAY):
        white.page.keyboard.type(f"{square}")
        expect(white.square(square)).to_be_focused()
        white.page.keyboard.press("Enter")
        white.page.wait_for_timeout(1600 if square == WAY[-2] else 0)  # or 10 and 1 are taken for 101


def type_it(white: Visitor) -> None:
    white.field.fill("26x17x10x1")


@pytest.mark.parametrize(
    "enter",
    [
        click_every_square,
        double_click_the_last,
        drag_hop_by_hop,
        drag_to_the_end,
        press_enter_on_every_square,
        type_it,
    ],
)
def test_a_long_capture_waits_for_submit_however_it_was_entered(
    sample_capture: Visitor, enter: Enter
) -> None:
    white = sample_capture

    enter(white)

    expect(white.square(WAY[-1])).to_have_attribute("data-state", "placed")
    if enter is not type_it:
        expect(white.field).to_have_value(TEXT)


def test_a_long_capture_is_entered_by_touch(new_visitor: NewVisitor) -> None:
    white, red = new_visitor("hops-touch", **PHONE), new_visitor("is-hopped-touch")
    before_the_capture(white, red)

    for square in (ORIGIN, *WAY, WAY[-1]):
        white.square(square).tap()
    expect(white.field).to_have_value(TEXT)
    white.page.keyboard.press("Escape")
    expect(white.field).to_have_value("")
    drag_by_touch(white, ORIGIN, WAY[0])

    expect(white.field).to_have_value(TEXT)


def test_a_long_capture_is_entered_without_javascript(new_visitor: NewVisitor) -> None:
    white, red = new_visitor("hops-plain", java_script_enabled=False), new_visitor("is-hopped-plain")
    before_the_capture(white, red)

    click_every_square(white)
    white.press(white.square(WAY[-1]))
    expect(white.field).to_have_value(TEXT)
    white.press(white.submit)

    white.expect_move_made(len(MOVES))


@pytest.mark.parametrize(
    ("fen", "text", "path"),
    [
        ("W:WK11:B6,7,14,16,23,24,1", "11x11", (11, 2, 9, 18, 27, 20, 11)),
        ("W:WK21:B10,11,17,18,19,27", "21x14", (21, 14, 7, 16, 23, 14)),
    ],
    ids=["to its origin", "to a square of its way"],
)
def test_a_capture_that_comes_back_waits_for_submit(
    new_visitor: NewVisitor, fen: str, text: str, path: tuple[int, ...]
) -> None:
    white, red = new_visitor(f"comes-back-{path[0]}"), new_visitor(f"is-passed-{path[0]}")
    terms = {
        "variant": "american",
        "colour": "second",
        "days_per_move": 3,
        "start": fen,
        "opponent": red.name,
    }
    game = white.call("/games", terms)["id"]
    red.call(f"/invitations/{game}/accept")
    white.go(f"/games/{game}/")

    for square in (*path, path[-1]):
        white.square(square).click()
    expect(white.square(path[-1])).to_have_attribute("data-state", "placed")
    expect(white.field).to_have_value(text)
    white.press(white.submit)

    white.expect_move_made(1)


@pytest.mark.parametrize("scripts", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("path", [(2, 9, 18, 11, 2), (2, 11, 18, 9, 2)], ids=["left", "right"])
def test_a_circle_is_gone_round_in_both_directions(
    new_visitor: NewVisitor, path: tuple[int, ...], scripts: bool
) -> None:
    name = f"circle-{path[1]}-{scripts}"
    red, white = new_visitor(name, java_script_enabled=scripts), new_visitor(f"is-{name}")
    terms = {
        "variant": "american",
        "colour": "first",
        "days_per_move": 3,
        "start": "B:W6,7,14,15,32:BK2,4",
        "opponent": white.name,
    }
    game = red.call("/games", terms)["id"]
    white.call(f"/invitations/{game}/accept")
    red.go(f"/games/{game}/")

    for square in path:
        (red.square(square).click if scripts else lambda at=square: red.press(red.square(at)))()
    expect(red.square(2)).to_have_attribute("data-state", "placed")
    expect(red.field).to_have_value("2x2")
    red.press(red.submit)

    red.expect_move_made(1)
    expect(red.page.locator("checkers-board .piece:not([data-ghost])")).to_have_count(3)


@pytest.fixture(scope="module")
def played_up_to_the_capture() -> dict[str, str]:
    """The page of a game, once one has been played; its player and their cookies."""
    return {}


@pytest.fixture
def sample_capture(new_visitor: NewVisitor, played_up_to_the_capture: dict[str, str]) -> Visitor:
    """White's window of a game in which a man takes three; nothing is submitted."""
    page = played_up_to_the_capture
    if not page:
        # These tests may be shared out to several processes, of which each plays up to there.
        process = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        page["white"] = f"hops-{process}"
        white = new_visitor(page["white"])
        page["path"] = before_the_capture(white, new_visitor(f"hopped-{process}"))
        return white
    white = new_visitor()
    white.sign_in(page["white"], PASSWORD)
    white.go(page["path"])
    return white
