"""Solving problems on the board: the defence answers, wrong moves can be tried again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_with_mouse
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

ANSWERED = "24-20 doesn't win. Red answers 18-22."
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
    answers = "Red answers 10x28." if scripts else "Red must answer 10x28. Try again."
    expect(said).to_have_text(f"19-15 doesn't win. {answers}")

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


def test_the_answer_to_a_wrong_move_is_shown_and_announced_by_keyboard(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go(SHOT)
    said, again = guest.page.locator("[data-said]"), guest.page.get_by_role("button", name="Try again")
    announced = guest.page.locator("[data-announcer]")
    keys = guest.page.keyboard
    for leave in ("button", "Escape", "Shift+ArrowLeft"):
        for square in (24, 20):
            guest.square(square).focus()
            keys.press("Enter")
        expect(said).to_have_text(ANSWERED)
        expect(announced).to_have_text(f"Red moves 18 to 22. {ANSWERED}")
        expect(guest.square(22)).to_have_accessible_name(re.compile("^22, red man"))
        expect(again).to_be_enabled()
        if leave == "button":
            again.focus()
            keys.press("Enter")
            expect(guest.page.locator("checkers-board [data-square]:focus")).to_have_count(1)
        else:
            guest.square(20).focus()
            for _ in range(1 if leave == "Escape" else 2):
                keys.press(leave)
        expect(said).to_have_text(f"{ANSWERED} Try again.")
        expect(announced).to_have_text(f"{ANSWERED} Try again.")
        expect(guest.square(24)).to_have_accessible_name(re.compile("^24, white man, can move"))
        expect(again).to_be_disabled()
    guest.page.get_by_label("Your move").fill("19-16")
    keys.press("Enter")
    expect(said).to_have_text("Right! Go on.")


def test_a_piece_is_dragged_at_once_after_the_answer(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go(f"{SHOT}?wrong=24-20")
    expect(guest.page.locator("[data-said]")).to_have_text(ANSWERED)
    expect(guest.page.locator("[data-hint]")).to_have_text("Choose a piece to try again.")
    drag_with_mouse(guest, 19, 16)
    expect(guest.page.locator("[data-said]")).to_have_text("Right! Go on.")


def test_a_touch_of_no_piece_only_takes_the_answer_back(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go(f"{SHOT}?wrong=24-20")
    expect(guest.page.locator("[data-said]")).to_have_text(ANSWERED)
    guest.square(22).click()
    expect(guest.page.locator("[data-said]")).to_have_text(f"{ANSWERED} Try again.")
    expect(guest.square(18)).to_have_accessible_name(re.compile("^18, red man"))
    expect(guest.page.locator("[data-hint]")).to_have_text("")


def test_without_webassembly_a_wrong_move_can_be_tried_again_at_once(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.page.route("**/*.wasm", lambda route: route.abort())
    guest.go(f"{SHOT}?wrong=24-20")
    expect(guest.page.locator("[data-said]")).to_have_text("24-20 doesn't win. Try again.")
    expect(guest.page.get_by_role("button", name="Try again")).to_be_disabled()
    guest.square(19).click()
    guest.square(16).click()
    expect(guest.page.locator("[data-said]")).to_have_text("Right! Go on.")
    guest.console_errors.clear()


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
_WRONG = """() => {
  const { problems } = JSON.parse(document.querySelector("script#practice").textContent);
  const number = Number(document.querySelector("[data-number]").textContent.match(/\\d+/)[0]);
  const [right] = problems[number - 1].line;
  const ends = (move) => move.replace(/[-x].*[-x]/, "-").replace("x", "-");
  const { moves } = document.querySelector("checkers-board");
  return moves.map((move) => move.notation).find((move) => ends(move) !== ends(right));
}"""
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


def answer_a_wrong_move(guest: Visitor) -> None:
    """Type a legal move that does not solve the problem, and wait for the best answer to it."""
    guest.page.get_by_label("Your move").fill(guest.page.evaluate(_WRONG))
    guest.page.get_by_role("button", name="Submit").click()
    expect(guest.page.locator("[data-said]")).to_have_text(re.compile(r" doesn't .+ answers \S+\.$"))


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
    answer_a_wrong_move(guest)
    guest.page.get_by_role("button", name="Try again").click()
    expect(guest.page.locator("[data-said]")).to_have_text(re.compile(r" answers \S+ Try again\.$"))
    expect(guest.page.locator("[data-number]")).to_have_text(re.compile(r"^Problem 2 of \d+$"))
    expect(guest.page.locator("[data-list] a")).to_have_count(0)
    guest.page.context.set_offline(False)
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in guest.console_errors)
    guest.console_errors.clear()


@pytest.mark.parametrize("key", ["alquerque", "dameo", "poddavki"])
def test_problems_of_other_boards_and_aims_are_practised(new_visitor: NewVisitor, key: str) -> None:
    guest = new_visitor()
    guest.go(f"/problems/practice/?variant={key}")
    expect(guest.page.get_by_role("button", name="Show the solution")).to_be_enabled()
    answer_a_wrong_move(guest)
    line = guest.page.evaluate(_LINE)
    for ply in range(0, len(line), 2):
        expect(guest.page.locator("[data-list] a")).to_have_count(ply)
        guest.page.get_by_label("Your move").fill(line[ply])
        guest.page.get_by_role("button", name="Submit").click()
    expect(guest.page.locator("[data-said]")).to_have_text("Solved!")
    expect(guest.page.get_by_label("Your move")).to_be_hidden()
    guest.page.get_by_role("button", name="Next problem").click()
    expect(guest.page.get_by_label("Your move")).to_be_visible()
