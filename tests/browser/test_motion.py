"""Animated moves, ghosts of captured pieces, and sounds."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

# Keeps what is asked of the browser: every animation with its frames and times, every sound.
RECORDER = """
globalThis.walks = [];
globalThis.sounds = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const made = animate.call(this, frames, options);
  if (frames[0].transform) walks.push({hops: frames.length - 1, lasts: options.duration, made});
  return made;
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  sounds += 1;
  return start.apply(this, at);
};
"""
CAPTURE = "W:W26:B22,14,6,28"


def watched(new_visitor: NewVisitor, fen: str = "", **options: object) -> Visitor:
    """A guest on the analysis board whose browser records animations and sounds."""
    guest = new_visitor(**options)
    guest.page.add_init_script(RECORDER)
    guest.go(f"/analysis/?fen={fen}")
    return guest


def walks(visitor: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visitor.page.evaluate("walks.map(({hops, lasts}) => ({hops, lasts}))")
    return found


def test_a_simple_move_is_animated(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor)

    guest.square(11).click()
    guest.square(15).click()

    expect(guest.status).to_have_text("White to move.")
    assert walks(guest) == [{"hops": 1, "lasts": 180}]


def test_a_capture_is_animated_along_its_path_in_time(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor, CAPTURE)

    guest.square(26).click()
    guest.square(1).click()

    expect(guest.page.locator(".plies")).to_contain_text("26x1")
    (walk,) = walks(guest)
    assert walk["hops"] == 3
    assert 450 <= walk["lasts"] <= 600
    expect(guest.page.locator("svg[data-ghost]")).to_have_count(3)


def test_ghosts_of_captured_pieces_vanish_with_the_next_move(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor, CAPTURE)
    guest.square(26).click()
    guest.square(1).click()
    expect(guest.status).to_have_text("Red to move.")
    guest.settle()

    guest.square(28).click()
    guest.square(32).click()

    expect(guest.status).to_have_text("White to move.")
    expect(guest.page.locator("svg[data-ghost]")).to_have_count(0)


def test_a_click_ends_the_animation(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "walks-red", "walks-white")
    red.page.add_init_script(RECORDER)
    red.page.reload()
    red.settle()
    red.square(11).click()
    red.square(15).click()

    red.page.keyboard.press("Escape")

    assert red.page.evaluate("walks.map(({made}) => made.playState)") == ["idle"]
    expect(red.page.locator("checkers-board")).not_to_have_attribute("data-moving", "")
    expect(red.page.locator("[style], [data-above]")).to_have_count(0)


def test_the_move_of_the_opponent_is_animated_and_mine_only_once(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "sees-red", "sees-white")
    for player in (red, white):
        player.page.add_init_script(RECORDER)
        player.page.reload()
        player.settle()

    submit(red, 11, 15)
    white.expect_turn()
    red.expect_move_made(1)
    red.settle()

    assert [len(walks(player)) for player in (red, white)] == [1, 1]


def test_stepping_back_is_animated_backwards(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "back-red", "back-white")
    submit(red, 11, 15)
    white.expect_turn()
    white.page.add_init_script(RECORDER)
    white.page.reload()
    white.settle()

    white.page.keyboard.press("ArrowLeft")
    white.page.keyboard.press("ArrowRight")

    assert [walk["hops"] for walk in walks(white)] == [1, 1]
    expect(white.square(15)).to_have_accessible_name("15, red man, last move")


@pytest.mark.parametrize("wish", ["of the system", "of this club"])
def test_nothing_is_animated_with_reduced_motion(new_visitor: NewVisitor, wish: str) -> None:
    guest = watched(
        new_visitor, CAPTURE, reduced_motion="reduce" if wish == "of the system" else "no-preference"
    )
    if wish == "of this club":
        guest.page.get_by_role("button", name="Board settings").click()
        guest.page.get_by_label("Instantly").check()
        guest.page.get_by_role("button", name="Done").click()

    guest.square(26).click()
    guest.square(1).click()

    expect(guest.page.locator(".plies")).to_contain_text("26x1")
    assert walks(guest) == []


def test_games_that_are_not_live_are_heard_where_all_games_are_chosen(new_visitor: NewVisitor) -> None:
    guest = watched(new_visitor)
    guest.square(11).click()
    guest.square(15).click()
    expect(guest.status).to_have_text("White to move.")
    assert guest.page.evaluate("sounds") == 0

    guest.page.get_by_role("button", name="Board settings").click()
    guest.page.get_by_role("dialog").get_by_label("All games", exact=True).check()
    guest.page.get_by_role("button", name="Done").click()
    guest.settle()
    guest.square(23).click()
    guest.square(19).click()

    expect(guest.status).to_have_text("Red to move.")
    assert guest.page.evaluate("sounds") > 0
