"""A visitor plays the computer in their own browser: at once, without an account, without a connection."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from crownhead import VARIANTS
from tests.browser.conftest import NewVisitor
from tests.browser.test_analysis_board import methods_of_questions
from tests.browser.visitors import Visitor
from tests.club import Club, Player

pytestmark = pytest.mark.browser

_MOVE = "(board) => board.moves.length ? board.moves[0].path : []"
_LAST = "(board) => board.lastPly"
_KEPT = """async () => {
  await new Promise((done) => {
    const look = async () => {
      if (await caches.match("/computer/", { cacheName: "computer" })) done(); // the last that is kept
      else setTimeout(look, 50);
    };
    void look();
  });
}"""
_KEEP = "([key, game]) => localStorage.setItem(key, JSON.stringify(game))"
_SHARED = ["11-15", "23-19", "8-11", "22-17", "4-8", "17-13", "15-18", "26-23", "11-15", "23x14"]
_READY = "async () => { await navigator.serviceWorker.ready; }"
_OVER = re.compile(r"won|lost|Draw")
MAX_PLIES = 400
IN_CI = ("breakthrough",)


def board_of(visitor: Visitor) -> Locator:
    return visitor.page.locator("checkers-board")


def status(visitor: Visitor) -> Locator:
    return visitor.page.locator("[data-status]")


def plies(visitor: Visitor) -> int:
    return int(board_of(visitor).evaluate(_LAST))


def make_move(visitor: Visitor) -> bool:
    """Make the first legal move by clicks and wait for the answer; whether the game goes on."""
    path, before = board_of(visitor).evaluate(_MOVE), plies(visitor)
    for square in path:
        visitor.page.locator(f"button[data-square='{square}']").click()
        if plies(visitor) > before:
            break
    else:  # the piece may jump on, or stay here
        visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_function(
        """(before) => {
          const board = document.querySelector("checkers-board");
          const told = document.querySelector("[data-status]").textContent;
          return board.moves.length && board.lastPly >= before + 2 || /won|lost|Draw/.test(told);
        }""",
        arg=before,
        polling=20,
    )
    return not _OVER.search(status(visitor).inner_text())


def test_a_visitor_has_an_answer_after_two_clicks(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/computer/")
    visitor.page.locator("button[data-square='11']").click()
    visitor.page.locator("button[data-square='15']").click()
    expect(visitor.page.locator("[data-list] a")).to_have_count(2)
    expect(visitor.page.locator("[data-list] a").first).to_have_text("11-15")
    expect(status(visitor)).to_have_text("Your move.")


def test_the_game_is_there_after_a_reload_and_moves_are_taken_back(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/computer/?variant=russian&colour=second&level=2")
    visitor.page.wait_for_function("() => document.querySelector('checkers-board').moves.length > 0")
    assert make_move(visitor)
    assert plies(visitor) == 3
    visitor.go("/computer/")
    expect(visitor.page.locator("[data-list] a")).to_have_count(3)
    expect(visitor.page.get_by_label("Level")).to_have_value("2")
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.page.locator("[data-list] a")).to_have_count(1)
    visitor.page.get_by_role("button", name="Start a new game").click()
    expect(visitor.page.locator("[data-list] a")).to_have_count(1)  # the computer's first move


def test_typed_moves_are_played_and_impossible_ones_refused(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/computer/")
    typed = visitor.page.get_by_label("Your move")
    typed.fill("11-20")
    typed.press("Enter")
    expect(visitor.page.locator("[data-hint]")).to_have_text("11-20 is not a legal move here.")
    typed.fill("11-16")
    typed.press("Enter")
    expect(visitor.page.locator("[data-list] a")).to_have_count(2)


def test_the_game_goes_into_the_account_that_is_made_for_it(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/computer/")
    assert make_move(visitor)
    visitor.page.get_by_role("link", name="Sign up to keep this game in an account").click()
    visitor.page.get_by_label("Username").fill("kept-it")
    visitor.page.get_by_label("E-mail").fill("kept-it@club.example")
    visitor.page.get_by_label("Password").fill("a corner by the window")
    visitor.page.locator("main").get_by_role("button", name="Sign up").click()
    visitor.page.wait_for_url("**/computer/**")
    visitor.settle()
    visitor.page.get_by_role("button", name="Keep this game in my account").click()
    visitor.page.wait_for_url("**/games/*/")
    visitor.settle()
    assert plies(visitor) == 2


def test_the_computer_makes_no_moves_for_a_running_game(new_visitor: NewVisitor, club: Club) -> None:
    visitor, rival = new_visitor(), Player(club.port, "relay-bernd")
    visitor.sign_up("relay-anna")
    rival.register()
    terms = {"variant": "american", "colour": "second", "days_per_move": 3, "opponent": "relay-anna"}
    game = rival.expect(201, "POST", "/games", terms)["id"]
    visitor.call(f"/invitations/{game}/accept")
    for version, move in enumerate(_SHARED):
        body = {"move": move, "version": version}
        if version % 2:
            rival.expect(200, "POST", f"/games/{game}/moves", body)
        else:
            visitor.call(f"/games/{game}/moves", body)
    kept = {"moves": _SHARED, "level": 1}
    visitor.go("/rules/")
    visitor.page.evaluate(_KEEP, ["crownhead:computer:american:second:", kept])
    asked = methods_of_questions(visitor)
    visitor.go("/computer/?variant=american&colour=second")
    expect(status(visitor)).to_contain_text("The engine is off while your game is in progress")
    assert (plies(visitor), asked) == (len(_SHARED), ["GET"])  # the link may be somebody else's
    visitor.page.get_by_role("button", name="Take back").click()
    expect(status(visitor)).to_have_text("Your move.")
    for square in (23, 14):
        visitor.page.locator(f"button[data-square='{square}']").click()
    expect(status(visitor)).to_contain_text("The engine is off while your game is in progress")
    assert (plies(visitor), asked) == (len(_SHARED), ["GET", "POST"])


@pytest.mark.parametrize(
    ("key", "level"),
    [
        *((key, 2) for key in IN_CI),
        *(pytest.param(key, 6, marks=pytest.mark.nightly) for key in VARIANTS),
    ],
)
def test_a_game_is_played_to_its_end_without_a_connection(
    new_visitor: NewVisitor, key: str, level: int
) -> None:
    visitor = new_visitor(service_workers="allow")
    visitor.go(f"/computer/?variant={key}&level={level}")  # which searches for its first answer already
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    goes_on = make_move(visitor)
    visitor.page.evaluate(_KEPT)  # nothing is under way any more
    visitor.page.context.set_offline(True)
    while goes_on and plies(visitor) < MAX_PLIES:
        claim = visitor.page.get_by_role("button", name="Claim a draw")
        if claim.is_visible():
            claim.click()
        goes_on = not _OVER.search(status(visitor).inner_text()) and make_move(visitor)
    expect(status(visitor)).to_have_text(_OVER)


def test_the_page_opens_without_a_connection_once_a_game_was_played(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(service_workers="allow")
    visitor.go("/")
    visitor.page.evaluate(_READY)
    visitor.go("/computer/")
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    assert make_move(visitor)
    visitor.page.evaluate(_KEPT)
    visitor.page.context.set_offline(True)
    visitor.go("/computer/")
    expect(visitor.page.locator("[data-list] a")).to_have_count(2)
    assert make_move(visitor)
    visitor.page.context.set_offline(False)
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in visitor.console_errors)
    visitor.console_errors.clear()


def test_a_new_game_begins_though_the_rules_of_the_last_were_still_being_fetched(
    new_visitor: NewVisitor,
) -> None:
    visitor = new_visitor()
    visitor.go("/computer/?variant=american&colour=first&level=1")
    held: list[Route] = []
    visitor.page.route("**/api/v1/variants/**", lambda route: held.append(route), times=1)
    for square in (11, 15):
        visitor.square(square).click()
    while not held:
        visitor.page.wait_for_timeout(10)
    visitor.page.locator("[data-begin-again]").first.click()
    # The page says "Your move." of the game before as well.
    visitor.page.evaluate("() => document.addEventListener('game-moved', () => (globalThis.begun = true))")
    held[0].continue_()
    visitor.page.wait_for_function("() => globalThis.begun")
    expect(visitor.page.locator("[data-list] a")).to_have_count(0)
    expect(status(visitor)).to_have_text("Your move.")

    assert make_move(visitor)
    expect(visitor.page.locator("[data-list] a")).to_have_count(2)


def test_without_javascript_the_analysis_board_answers(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(java_script_enabled=False)
    visitor.go("/computer/?level=2")
    visitor.page.locator("button[data-square='11']").click()
    assert visitor.path.startswith("/analysis/")
    assert "against=2" in visitor.path
