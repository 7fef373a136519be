"""The planner of conditional moves in a browser: lines are built without a request."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_live import start_game
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

LINE = ".standing .line"
TASK = ".standing .status"


def planner(new_visitor: NewVisitor, name: str) -> Visitor:
    """White's planner; Red is to move."""
    _red, white = start_game(new_visitor, f"{name}-red", f"{name}-white")
    white.go(f"{white.path}plan/")
    return white


def add(visitor: Visitor, *squares: int) -> None:
    for square in squares:
        visitor.square(square).click()


def test_a_line_is_built_without_a_request(new_visitor: NewVisitor) -> None:
    white = planner(new_visitor, "local-plan")
    expect(white.page.locator(".planner[data-local]")).to_have_count(1)
    save = white.page.get_by_role("button", name="Save this line")
    asked: list[str] = []
    white.page.on("request", lambda request: asked.append(request.url))
    add(white, 11, 15)
    expect(white.page.locator(TASK)).to_have_text("Choose your answer to 11-15.")
    expect(save).to_be_disabled()
    add(white, 1)
    expect(white.page.locator("[data-hint]")).to_have_text("That is your opponent's piece.")
    add(white, 22, 18)
    white.page.get_by_label("Next move of the line").fill("15x22")
    white.page.keyboard.press("Enter")
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 22-18 if 15x22")
    white.page.get_by_role("link", name="Back one move").click()
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 22-18")
    expect(white.page.locator(TASK)).to_have_text("Save the line, or choose the next move for Red.")
    white.page.keyboard.press("ArrowLeft")
    add(white, 23, 19)
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 23-19")
    assert [address for address in asked if "/static/" not in address] == []  # scripts come at leisure
    assert white.path.endswith("/plan/?ply=0&line=11-15+23-19")


def test_a_line_is_kept_over_a_reload_saved_and_opened_again(new_visitor: NewVisitor) -> None:
    white = planner(new_visitor, "saved-plan")
    expect(white.page.locator(".planner[data-local]")).to_have_count(1)
    add(white, 11, 15)
    add(white, 23, 19)
    white.page.reload()
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 23-19")
    white.page.get_by_role("button", name="Save this line").click()
    expect(white.page.get_by_text("Nobody else can see them.")).to_be_visible()
    expect(white.page.locator(".planner[data-local]")).to_have_count(1)
    white.page.locator("a[data-line]").click()
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 23-19")
    white.page.get_by_role("link", name="Start over").click()
    expect(white.page.locator(LINE)).to_have_text("Your line appears here.")


def test_without_webassembly_the_server_answers(new_visitor: NewVisitor) -> None:
    white = planner(new_visitor, "plain-plan")
    white.page.add_init_script("delete globalThis.WebAssembly")
    white.go(white.path)
    add(white, 11, 15)
    expect(white.page.locator(LINE)).to_have_text("if 11-15")  # the next page, not this one
    white.settle()
    add(white, 22, 18)
    expect(white.page.locator(LINE)).to_have_text("if 11-15 then 22-18")
    expect(white.page.locator(".planner[data-local]")).to_have_count(0)
