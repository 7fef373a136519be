"""Solving problems on the board: the defence answers, wrong moves can be tried again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

SHOT = "/problems/1e31a9892f/"  # Beginner's Problem #3: 19-16 11x20x27 32x23x14x7


@pytest.mark.parametrize("scripts", [True, False])
def test_a_guest_solves_a_problem_on_the_board(new_visitor: NewVisitor, *, scripts: bool) -> None:
    guest = new_visitor(java_script_enabled=scripts)
    guest.go(SHOT)
    said = guest.page.locator("[data-said]")

    def submit() -> None:
        """With scripts a move is submitted by itself."""
        if not scripts:
            guest.page.get_by_role("button", name="Submit").click()

    guest.square(19).click()
    guest.square(15).click()
    submit()
    expect(said).to_have_text("19-15 is not the solution. Try again.")

    guest.square(19).click()
    guest.square(16).click()
    submit()
    expect(said).to_have_text("Right! Go on.")

    guest.square(32).click()
    guest.square(7).click()
    submit()
    expect(said).to_have_text("Solved!")
    expect(guest.page.get_by_text("Beginner's Problem #3")).to_be_visible()
    guest.page.get_by_role("link", name="Next problem").click()
    expect(guest.page).to_have_url(re.compile(r"/problems/[0-9a-f]{10}/$"))


def test_a_move_can_be_typed_and_the_solution_asked_for(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go(SHOT)
    guest.page.get_by_label("Your move").fill("19-16")
    guest.page.get_by_role("button", name="Submit").click()
    expect(guest.page.locator("[data-said]")).to_have_text("Right! Go on.")
    guest.page.get_by_role("button", name="Show the solution").click()
    expect(guest.page.locator("[data-said]")).to_have_text("This is the solution.")


def test_a_tap_on_submit_sends_the_move_typed_on_a_phone(new_visitor: NewVisitor) -> None:
    # The bar used to move to the bottom as soon as the field lost the focus, from under the finger.
    guest = new_visitor(viewport={"width": 360, "height": 560}, has_touch=True)
    guest.go(SHOT)
    box = guest.page.locator(".standing")
    guest.page.get_by_label("Your move").tap()
    guest.page.keyboard.type("19-16")
    height = box.evaluate("box => box.offsetHeight")
    guest.page.get_by_label("Your move").blur()
    assert box.evaluate("box => box.offsetHeight") == height
    guest.page.get_by_label("Your move").tap()
    guest.page.get_by_role("button", name="Submit").tap()
    expect(guest.page.locator("[data-said]")).to_have_text("Right! Go on.")


_LINE = """() => JSON.parse(document.querySelector("script#practice").textContent).problems[0].line"""
_KEPT = """async () => {
  await new Promise((done) => {
    const look = async () => {
      if (await caches.match("/problems/practice/", { cacheName: "problems" })) done(); // the last one
      else setTimeout(look, 50);
    };
    void look();
  });
}"""


def solve_the_first(guest: Visitor) -> None:
    """Play the solution of the first problem on the board."""
    line = guest.page.evaluate(_LINE)
    for ply, text in enumerate(line):
        expect(guest.page.locator("[data-list] a")).to_have_count(ply)
        if ply % 2:
            expect(guest.page.locator("[data-list] a")).to_have_count(ply + 1)
            continue
        for name in re.split("[-x]", text):
            guest.square(int(name)).click()
    expect(guest.page.locator("[data-said]")).to_have_text("Solved!")


def test_problems_are_practised_without_a_connection(new_visitor: NewVisitor) -> None:
    guest = new_visitor(service_workers="allow")
    guest.go("/")
    guest.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    guest.go("/problems/practice/?variant=american&theme=opposition")
    guest.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    expect(guest.page.locator("[data-said]")).to_have_text("")
    guest.page.get_by_role("button", name="Show the solution").click()
    expect(guest.page.locator("[data-said]")).to_have_text("This is the solution.")
    expect(guest.page.locator("[data-solved]")).to_have_text("Solved on the first try: 0")
    guest.page.evaluate(_KEPT)

    guest.page.context.set_offline(True)
    guest.go("/problems/practice/")
    solve_the_first(guest)
    expect(guest.page.locator("[data-solved]")).to_have_text("Solved on the first try: 1")
    guest.page.get_by_role("button", name="Next problem").click()
    expect(guest.page.locator("[data-number]")).to_have_text(re.compile(r"^Problem 2 of \d+$"))
    expect(guest.page.locator("[data-list] a")).to_have_count(0)
    guest.page.context.set_offline(False)
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in guest.console_errors)
    guest.console_errors.clear()


@pytest.mark.parametrize("key", ["alquerque", "dameo", "poddavki"])
def test_problems_of_other_boards_and_aims_are_practised(new_visitor: NewVisitor, key: str) -> None:
    guest = new_visitor()
    guest.go(f"/problems/practice/?variant={key}")
    line = guest.page.evaluate(_LINE)
    for ply in range(0, len(line), 2):
        expect(guest.page.locator("[data-list] a")).to_have_count(ply)
        guest.page.get_by_label("Your move").fill(line[ply])
        guest.page.get_by_role("button", name="Submit").click()
    expect(guest.page.locator("[data-said]")).to_have_text("Solved!")
