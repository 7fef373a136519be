"""The engine in a browser: a game by mouse, the analysis board, a review; and all without JavaScript too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Seat, Settled
from tests.browser.hands import drag_with_mouse
from tests.browser.page_table import BOARDS
from tests.browser.test_notices import look_at, width_needed
from tests.browser.test_page_table import addresses, faultless, missed, seen
from tests.browser.test_pages import SMALL, faults
from tests.browser.test_quality import DESKTOP, LOOKS, PHONE, SHIFTS, objections, shift_of
from tests.browser.visitors import PATIENCE, Visitor

pytestmark = pytest.mark.browser

THINKS = 30_000  # milliseconds: the first answer waits for the worker to start
LINES = ".findings .variations li"


def play_computer(visitor: Visitor, *, level: int = 1) -> str:
    """Begin a game with the first side; the path of its page."""
    visitor.go("/new/computer/")
    visitor.page.locator(f"input[name='level'][value='{level}']").check()
    visitor.page.get_by_role("button", name="Begin").click()
    visitor.page.wait_for_url("**/games/*/", timeout=PATIENCE)
    visitor.settle()
    return visitor.page.url.removeprefix(visitor.address)


def resigned_game(visitor: Visitor) -> str:
    """A game of two moves that the visitor gave up; the path of its page."""
    path = play_computer(visitor)
    visitor.field.fill("11-15")
    visitor.page.get_by_role("button", name="Submit").click()
    if not visitor.scripted:
        visitor.page.wait_for_timeout(6000)
        visitor.go(path)
    expect(visitor.status).to_have_text("Your turn.", timeout=THINKS)
    visitor.page.get_by_role("link", name="Resign").click()
    visitor.page.locator("main").get_by_role("button", name="Resign").click()
    expect(visitor.status).to_contain_text("White wins", timeout=PATIENCE)
    return path


def test_a_game_against_the_computer_is_played_by_mouse(seat: Seat) -> None:
    visitor = seat("mouse-and-engine")
    play_computer(visitor)
    expect(visitor.page.get_by_text("the computer, level 1")).to_be_visible()
    drag_with_mouse(visitor, 11, 15)
    visitor.page.get_by_role("button", name="Submit").click()
    visitor.expect_move_made(1)
    expect(visitor.page.locator(".plies a[data-ply='2']")).to_be_visible(timeout=THINKS)
    visitor.expect_turn()
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.page.locator(".plies a[data-ply='1']")).to_have_count(0, timeout=THINKS)
    visitor.expect_turn()


def test_lines_and_arrows_come_while_the_engine_thinks(seat: Seat) -> None:
    guest = seat()
    guest.go("/analysis/?variant=international")
    guest.page.get_by_label("Seconds").select_option("20")
    guest.page.get_by_role("button", name="Let the engine look").click()
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
    expect(guest.page.locator(".plies")).to_contain_text(move, timeout=PATIENCE)


def test_a_board_that_is_turned_turns_its_arrows(seat: Seat) -> None:
    guest = seat()
    guest.go("/analysis/")
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Let the engine look").click()
    expect(guest.page.locator(".arrows .shaft")).to_have_count(3, timeout=THINKS)
    guest.settle()
    guest.page.keyboard.press("f")
    expect(guest.page.locator("[data-turned] > .arrows")).to_have_count(1)


def test_a_finished_game_is_reviewed(seat: Seat) -> None:
    visitor = seat("reviewed-here")
    path = resigned_game(visitor)
    visitor.page.get_by_role("link", name="Review the game with the engine").click()
    visitor.page.get_by_role("button", name="Review the game").click()
    expect(visitor.page.locator(".chart .curve")).to_have_count(1, timeout=THINKS)
    expect(visitor.page.locator(".review progress")).to_have_count(0, timeout=THINKS)
    visitor.page.get_by_role("link", name="11-15").click()
    expect(visitor.status).to_contain_text("11-15", timeout=PATIENCE)
    assert look_at(visitor, f"{path}review/?ply=1") == []


@pytest.mark.slow
@LOOKS
def test_axe_finds_nothing_on_boards_and_reviews(
    resident: Seat, settled: Settled, size: dict[str, int], scheme: str
) -> None:
    member = resident(viewport=size, color_scheme=scheme)
    faultless(seen(member, addresses(settled, BOARDS), objections))


@pytest.mark.slow
@pytest.mark.parametrize("guest", [False, True], ids=["member", "guest"])
def test_boards_and_reviews_hold_up_on_a_small_phone(resident: Seat, settled: Settled, guest: bool) -> None:
    visitor = resident(guest=guest, viewport=SMALL)
    faultless(seen(visitor, addresses(settled, BOARDS, guest=guest), faults))


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_boards_and_reviews_do_not_shift_while_they_come_up(
    resident: Seat, settled: Settled, size: dict[str, int]
) -> None:
    member = resident(viewport=size)
    member.page.add_init_script(SHIFTS)
    faultless({path: shift_of(member, path) for path in addresses(settled, BOARDS)})


@pytest.mark.slow
def test_keys_come_to_everything_on_boards_and_reviews(resident: Seat, settled: Settled) -> None:
    member = resident(viewport=DESKTOP, reduced_motion="reduce")
    found = {}
    for path in addresses(settled, BOARDS):
        member.go(path)
        squares = member.page.locator("checkers-board .spot[tabindex='0']")
        found[path] = [text for text in missed(member.page) if 'class="spot"' not in text]
        assert squares.count() <= 1, "one square takes Tab, arrows go to the others"
    faultless(found)


@pytest.mark.slow
def test_boards_and_reviews_say_the_same_without_javascript(resident: Seat, settled: Settled) -> None:
    member, plain = resident(), resident(java_script_enabled=False)
    for path in addresses(settled, BOARDS):
        for visitor in (member, plain):
            visitor.go(path)
        for part in ("main h1", "main table", ".findings", ".standing", ".facts-of-review"):
            texts = [visitor.page.locator(part).all_inner_texts() for visitor in (member, plain)]
            assert texts[0] == texts[1], (path, part)


@LOOKS
def test_axe_finds_nothing_where_the_engine_is(seat: Seat, size: dict[str, int], scheme: str) -> None:
    guest = seat(viewport=size, color_scheme=scheme)
    found = {path: look_at(guest, path) for path in ("/new/computer/", "/analysis/")}
    guest.page.get_by_label("Seconds").select_option("3")
    guest.page.get_by_role("button", name="Let the engine look").click()
    expect(guest.page.locator(LINES)).to_have_count(3, timeout=THINKS)
    expect(guest.page.locator(".findings[data-running]")).to_have_count(0, timeout=THINKS)
    address = guest.page.url.removeprefix(guest.address)
    found[address] = look_at(guest, address)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_on_the_narrowest_phone_nothing_of_the_engine_is_too_wide(seat: Seat) -> None:
    guest = seat(viewport={"width": 320, "height": 640})
    for path in ("/new/computer/", "/analysis/"):
        guest.go(path)
        assert width_needed(guest) == 320


def test_without_javascript_one_plays_analyses_and_reviews(seat: Seat) -> None:
    visitor = seat("plain-and-engine", java_script_enabled=False)
    path = resigned_game(visitor)
    visitor.go(f"{path}review/")
    visitor.page.get_by_role("button", name="Review the game").click()
    visitor.page.wait_for_timeout(6000)
    visitor.go(f"{path}review/")
    expect(visitor.page.locator(".chart .curve")).to_have_count(1)
    visitor.go("/analysis/?moves=11-15")
    visitor.page.get_by_label("Seconds").select_option("3")
    visitor.page.get_by_role("button", name="Let the engine look").click()
    visitor.page.wait_for_timeout(6000)
    visitor.page.reload()
    expect(visitor.page.locator(LINES)).to_have_count(3)
    expect(visitor.page.locator(".arrows .shaft")).to_have_count(3)
