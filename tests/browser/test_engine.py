"""The engine in a browser: a game, the analysis board and a review, with and without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.browser.accessibility import problems_in_two_looks
from tests.browser.conftest import NewVisitor, SampleClub
from tests.browser.page_table import BOARDS
from tests.browser.pointer import drag_with_mouse
from tests.browser.test_live import hold_request, wait_for_request
from tests.browser.test_notices import width_needed
from tests.browser.test_page_table import addresses
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

THINKS = 120_000  # milliseconds: the engine of the club comes after everything else on a busy machine
PAUSE = 500
LINES = ".findings .variations li"
_STANDING = ".standing > :not([data-announce])"  # what is said aloud, a script says in its own words


def play_computer(visitor: Visitor, *, level: int = 1) -> str:
    """Start a game against the computer as the first player; the path of its page."""
    visitor.go("/new/computer/")
    visitor.page.locator(f"input[name='level'][value='{level}']").check()
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_url("**/games/*/")
    visitor.settle()
    return visitor.path


def come_back_for(visitor: Visitor, wanted: Locator) -> None:
    """Wait for a result of the engine; without scripts by reloading the page."""
    for _ in range(THINKS // PAUSE):
        if visitor.has_javascript or wanted.count():
            break
        visitor.page.wait_for_timeout(PAUSE)
        visitor.page.goto(visitor.page.url)
    expect(wanted).to_have_count(1, timeout=THINKS)


def resigned_game(visitor: Visitor) -> str:
    """A game of two moves that the visitor resigned; the path of its page."""
    path = play_computer(visitor)
    visitor.field.fill("11-15")
    visitor.page.get_by_role("button", name="Submit").click()
    come_back_for(visitor, visitor.status.filter(has_text="Your turn."))
    visitor.page.get_by_role("link", name="Resign").click()
    visitor.page.locator("main").get_by_role("button", name="Resign").click()
    expect(visitor.status).to_contain_text("You lost by resignation.")
    return path


def test_a_game_against_the_computer_is_played_by_mouse(new_visitor: NewVisitor) -> None:
    visitor = new_visitor("mouse-and-engine")
    play_computer(visitor)
    expect(visitor.page.get_by_text("computer, level 1")).to_be_visible()
    drag_with_mouse(visitor, 11, 15)
    visitor.page.get_by_role("button", name="Submit").click()
    visitor.expect_move_made(1)
    expect(visitor.page.locator(".plies a[href='?ply=2']")).to_be_visible(timeout=THINKS)
    visitor.expect_turn()
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.page.locator(".plies a[href='?ply=1']")).to_have_count(0, timeout=THINKS)
    visitor.expect_turn()


def test_lines_and_arrows_appear_while_the_engine_thinks(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/?variant=international")
    guest.page.get_by_label("Seconds").select_option("20")
    guest.page.get_by_role("button", name="Deeper").click()
    expect(guest.page.locator(LINES)).to_have_count(3, timeout=THINKS)
    expect(guest.page.locator(".arrows .shaft")).to_have_count(3)
    state = guest.page.locator(".findings .state")
    first = state.inner_text()
    expect(state).not_to_have_text(first, timeout=THINKS)
    guest.page.get_by_role("button", name="Stop").click()
    expect(guest.page.locator(".findings[data-running]")).to_have_count(0, timeout=THINKS)
    expect(guest.page.locator(LINES)).to_have_count(3)
    line = guest.page.locator(f"{LINES} a").first
    move = line.inner_text().split()[0]
    line.click()
    expect(guest.page.locator(".plies")).to_contain_text(move)


def test_reloading_keeps_what_the_clubs_engine_found_until_a_move_is_made(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/?moves=11-15")
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Deeper").click()
    expect(guest.page.locator(LINES)).to_have_count(3, timeout=THINKS)
    expect(guest.page.locator(".findings[data-running]")).to_have_count(0, timeout=THINKS)
    guest.page.reload()
    expect(guest.page.locator("[data-analysis][data-local]")).to_have_count(1)
    expect(guest.page.locator(LINES)).to_have_count(3)
    guest.square(23).click()
    guest.square(19).click()
    assert guest.path == "/analysis/?variant=american&moves=11-15+23-19"


def test_the_end_of_an_analysis_is_shown_though_it_comes_while_the_page_asks(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    late: list[tuple[Route, APIResponse]] = []
    asks = re.compile(r"lines=1$")
    guest.page.route(asks, lambda route: late.append((route, route.fetch())), times=1)
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Deeper").click()
    guest.page.wait_for_url("**study=*")
    study = guest.page.url.rpartition("study=")[2]
    for _ in range(THINKS // PAUSE):
        guest.page.wait_for_timeout(PAUSE)
        if guest.page.request.get(f"{guest.address}/api/v1/analyses/{study}").json()["status"] == "done":
            break
    guest.page.wait_for_timeout(PAUSE)  # until the last event is there
    (route, answer), *_ = late
    assert "data-running" in answer.text()
    route.fulfill(response=answer)
    expect(guest.page.locator(".findings[data-running]")).to_have_count(0)
    expect(guest.page.locator(LINES)).to_have_count(3)


def test_what_the_clubs_engine_finds_of_another_position_is_not_shown(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    held = hold_request(guest, re.compile(r"lines=1$"))
    guest.page.get_by_label("Seconds").select_option("20")
    guest.page.get_by_role("button", name="Deeper").click()
    request = wait_for_request(guest, held)
    answer = request.fetch()
    expect(guest.page.locator("[data-analysis][data-local]")).to_have_count(1)
    guest.square(11).click()
    guest.square(15).click()

    with guest.page.expect_event("requestfinished", lambda finished: finished == request.request):
        request.fulfill(response=answer)

    assert guest.page.locator(".findings, .arrows .shaft").count() == 0


def test_flipping_the_board_flips_its_arrows(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Deeper").click()
    expect(guest.page.locator(".arrows .shaft")).to_have_count(3, timeout=THINKS)
    guest.settle()
    guest.page.keyboard.press("f")
    expect(guest.page.locator("[data-turned] > .arrows")).to_have_count(1)


def test_a_finished_game_is_reviewed(new_visitor: NewVisitor) -> None:
    visitor = new_visitor("reviewed-here")
    path = resigned_game(visitor)
    visitor.page.get_by_role("link", name="Review this game").click()
    visitor.page.get_by_role("button", name="Review game").click()
    expect(visitor.page.locator(".chart .curve")).to_have_count(1, timeout=THINKS)
    expect(visitor.page.locator(".review progress")).to_have_count(0, timeout=THINKS)
    visitor.page.get_by_role("link", name="11-15").click()
    expect(visitor.status).to_contain_text("11-15")
    visitor.go(f"{path}review/?ply=1")
    assert problems_in_two_looks(visitor.page) == []


@pytest.mark.slow
def test_a_board_is_one_tab_stop_and_arrow_keys_reach_its_squares(
    sample_visitor: NewVisitor, sample_club: SampleClub
) -> None:
    member = sample_visitor()
    for path in addresses(sample_club, BOARDS):
        member.go(path)
        assert member.page.locator("checkers-board .square-button[tabindex='0']").count() <= 1, path


@pytest.mark.slow
def test_boards_and_reviews_have_the_same_content_without_javascript(
    sample_visitor: NewVisitor, sample_club: SampleClub
) -> None:
    member, plain = sample_visitor(), sample_visitor(java_script_enabled=False)
    for path in addresses(sample_club, BOARDS):
        for visitor in (member, plain):
            visitor.go(path)
        for part in ("main h1", "main table", ".findings", _STANDING, ".facts-of-review"):
            texts = [
                [text.split() for text in visitor.page.locator(part).all_inner_texts()]
                for visitor in (member, plain)
            ]  # without its spaces: those of what the engine in the browser hides are not collapsed
            assert texts[0] == texts[1], (path, part)


def test_axe_finds_nothing_in_what_the_engine_has_found(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Deeper").click()
    expect(guest.page.locator(LINES)).to_have_count(3, timeout=THINKS)
    expect(guest.page.locator(".findings[data-running]")).to_have_count(0, timeout=THINKS)
    assert problems_in_two_looks(guest.page) == []


def test_engine_pages_fit_the_narrowest_phone(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport={"width": 320, "height": 640})
    for path in ("/new/computer/", "/analysis/"):
        guest.go(path)
        assert width_needed(guest) == 320


def test_playing_analysing_and_reviewing_work_without_javascript(new_visitor: NewVisitor) -> None:
    visitor = new_visitor("plain-and-engine", java_script_enabled=False)
    path = resigned_game(visitor)
    visitor.go(f"{path}review/")
    visitor.page.get_by_role("button", name="Review game").click()
    come_back_for(visitor, visitor.page.locator(".chart .curve"))
    visitor.go("/analysis/?moves=11-15")
    visitor.page.get_by_label("Seconds").select_option("3")
    visitor.page.get_by_role("button", name="Analyse").click()
    come_back_for(visitor, visitor.page.locator(LINES).nth(2))
    expect(visitor.page.locator(".arrows .shaft")).to_have_count(3)
