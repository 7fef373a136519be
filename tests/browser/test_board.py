"""The board element: clicking, undoing, explanations, keys, and what survives a reload."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from crownhead import VARIANTS
from crownhead.rules.geometry import numbers_by_name
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_with_mouse
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

HINT = "[data-hint]"


def try_board(new_visitor: NewVisitor, fen: str = "", variant: str = "american") -> Visitor:
    """A guest on the analysis board."""
    guest = new_visitor()
    guest.go(f"/analysis/?variant={variant}&fen={quote(fen)}")
    return guest


def hint(visitor: Visitor) -> str:
    return visitor.page.locator(HINT).inner_text()


def test_a_multiple_jump_can_be_made_step_by_step(new_visitor: NewVisitor) -> None:
    # 26 may go 17, 10, then 3 or 1 by 19? two ways on from 10: over 6 to 1, over 7 to 3
    guest = try_board(new_visitor, "W:W26:B22,14,6,7,28")
    guest.square(26).click()
    guest.square(17).click()

    # the second hop has no choice and is made by itself; then two ways are open
    expect(guest.square(10)).to_have_attribute("data-state", "selected")
    expect(guest.square(1)).to_have_accessible_name("1, empty, jump target, takes 6")
    expect(guest.square(3)).to_have_accessible_name("3, empty, jump target, takes 7")
    expect(guest.square(22)).to_have_accessible_name("22, empty, taken")
    guest.square(3).click()

    expect(guest.page.locator(".plies")).to_contain_text("26x3")


def test_a_multiple_jump_can_be_made_by_its_last_square(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:W26:B22,14,6,28")

    guest.square(26).click()
    guest.square(1).click()

    expect(guest.page.locator(".plies")).to_contain_text("26x1")
    expect(guest.square(1)).to_have_accessible_name("1, white king, last move")


def test_a_piece_that_may_not_move_says_which_must_jump(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:W22,30:B17,4")

    guest.square(30).click()

    expect(guest.page.locator(HINT)).to_have_text("You must jump with 22.")
    expect(guest.page.locator("checkers-board")).to_have_attribute("data-refused", "")
    expect(guest.page.locator("checkers-board [data-live]")).to_have_text("You must jump with 22.")


def test_a_law_that_forbids_a_capture_is_named_without_asking_the_server(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:W32,46,50:B27,28,19,44", "international")
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url.removeprefix(guest.address)))
    law, shown = "The capture that takes the most pieces is compulsory.", guest.page.locator(HINT)
    guest.square(46).click()
    expect(shown).to_have_text("You must jump with 32.")
    guest.square(50).click()
    expect(shown).to_have_text(f"{law} You must jump with 32.")
    guest.square(32).click()
    guest.square(21).click()
    expect(shown).to_have_text(f"{law} The piece on 32 must jump to 14.")
    expect(guest.page.locator("checkers-board [data-live]")).to_have_text(
        f"{law} The piece on 32 must jump to 14."
    )
    drag_with_mouse(guest, 32, 21)
    expect(shown).to_have_text(f"{law} The piece on 32 must jump to 14.")
    guest.square(32).click()
    guest.square(26).click()
    expect(shown).to_have_text("Move cancelled.")
    assert all(path.startswith(("/static/", "/api/v1/variants/")) for path in asked)


def test_without_webassembly_the_board_still_says_which_must_jump(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.page.route("**/*.wasm", lambda route: route.abort())
    guest.go("/analysis/?variant=international&fen=W:W32,46,50:B27,28,19,44")
    guest.square(50).click()
    guest.page.wait_for_timeout(300)
    expect(guest.page.locator(HINT)).to_have_text("You must jump with 32.")
    guest.console_errors.clear()


def test_a_selected_piece_can_be_deselected_in_every_way(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "let-go", "go-let")
    ways: dict[str, Callable[[], None]] = {
        "escape": lambda: red.page.keyboard.press("Escape"),
        "elsewhere": red.square(20).click,
        "cancel": red.page.get_by_role("button", name="Cancel").click,
        "same piece": red.square(11).click,
    }
    for way, let_go in ways.items():
        red.square(11).click()
        expect(red.square(15), way).to_have_attribute("data-state", "target")

        let_go()

        expect(red.square(15), way).not_to_have_attribute("data-state", "target")
        expect(red.field, way).to_have_value("")


def test_nothing_is_sent_before_submit_and_the_move_survives_a_reload(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "keeps-red", "keeps-white")
    red.square(11).click()
    red.square(15).click()
    expect(red.field).to_have_value("11-15")

    red.page.reload()
    red.settle()

    expect(red.field).to_have_value("11-15")
    expect(red.square(15)).to_have_accessible_name("15, red man, selected")
    white.page.reload()
    expect(white.status).to_have_text("Red to move.")


def test_a_move_can_be_typed_and_is_shown_on_the_board(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "enters-red", "enters-white")

    red.field.fill("11-15")
    expect(red.square(15)).to_have_attribute("data-state", "placed")
    red.field.press("Enter")

    red.expect_move_made(1)
    white.expect_turn()


def test_the_board_turns_and_stays_turned(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "turns-red", "turns-white")
    first = red.page.locator("checkers-board button").first
    expect(first).to_have_attribute("data-square", "32")

    red.page.keyboard.press("f")
    expect(first).to_have_attribute("data-square", "1")
    red.page.reload()
    red.settle()

    expect(first).to_have_attribute("data-square", "1")


def test_the_board_is_one_tab_stop_with_arrows_inside(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor)
    guest.square(15).focus()

    steps = {
        "ArrowUp": "19",
        "ArrowDown": "15",
        "ArrowRight": "14",
        "ArrowLeft": "15",
        "Home": "16",
        "End": "13",
    }
    for key, square in steps.items():
        guest.page.keyboard.press(key)
        assert focused_square(guest.page) == square, key

    assert guest.page.locator("checkers-board button[tabindex='0']").count() == 1
    guest.page.keyboard.press("Tab")
    assert focused_square(guest.page) is None


def test_keys_announce_moves_last_move_and_pieces(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:W22:BK17,4")
    live = guest.page.locator("checkers-board [data-live]")

    guest.page.keyboard.press("m")
    expect(live).to_have_text("Possible moves: 22x13.")
    guest.page.keyboard.press("l")
    expect(live).to_have_text("Start of the game.")
    guest.page.keyboard.press("p")
    expect(live).to_have_text("Red: men 4; kings 17. White: men 22.")
    guest.page.keyboard.press("?")
    expect(guest.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_keys_and_the_move_list_step_through_the_game(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "steps-red", "steps-white")
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 23, 19)
    red.expect_turn()

    red.page.locator("h1").click(force=True)
    red.page.keyboard.press("ArrowLeft")
    expect(red.square(15)).to_have_accessible_name("15, red man, last move")
    expect(red.page).to_have_url(re.compile(r"\?ply=1$"))
    expect(red.page.get_by_text("You are viewing an earlier position.")).to_be_visible()
    red.page.keyboard.press("Home")
    expect(red.square(11)).to_have_accessible_name("11, red man")
    red.page.keyboard.press("End")
    expect(red.square(15)).to_have_accessible_name("15, red man, can move")
    red.page.get_by_role("link", name="23-19").click()
    expect(red.page).not_to_have_url(re.compile("ply="))


def test_a_click_right_after_the_page_has_loaded_counts(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor)

    taken = guest.page.evaluate(
        """() => {
          const board = document.querySelector("checkers-board");
          const fresh = board.cloneNode(true);
          board.replaceWith(fresh);
          const button = fresh.querySelector("button[data-square='11']");
          button.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1}));
          return button.getAttribute("data-state");
        }"""
    )

    assert taken == "selected"


def test_a_guest_tries_moves_and_takes_them_back(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor)

    guest.square(11).click()
    guest.square(15).click()
    expect(guest.status).to_have_text("White to move.")
    expect(guest.page).to_have_url(re.compile("moves=11-15"))
    guest.page.get_by_role("link", name="Take back").click()

    expect(guest.status).to_have_text("Red to move.")


def test_a_capture_may_end_early_where_the_rules_allow_it(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:Wa1:Ba2,a4,h8,h7", "hawaiian")
    row = VARIANTS["hawaiian"]
    at = numbers_by_name(row.board, row.notation)
    guest.square(at["a1"]).click()
    expect(guest.square(at["a3"])).to_have_accessible_name("a3, empty, jump target, takes a2")
    expect(guest.square(at["a5"])).to_have_accessible_name("a5, empty, jump target, takes a2, a4")

    guest.square(at["a3"]).click()

    expect(guest.page.locator(HINT)).to_contain_text("Send it, or continue with the same piece: a5.")
    expect(guest.page.get_by_label("Move", exact=True)).to_have_value("a1xa3")
    guest.page.get_by_role("button", name="Play", exact=True).click()
    expect(guest.page.locator(".plies")).to_contain_text("a1xa3")


def test_one_click_takes_a_piece_off_the_board(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, variant="hawaiian")
    row = VARIANTS["hawaiian"]
    off = guest.square(numbers_by_name(row.board, row.notation)["d5"])
    expect(off).to_have_accessible_name("d5, black man, can be removed")
    guest.square(numbers_by_name(row.board, row.notation)["d3"]).click()
    expect(guest.page.locator(HINT)).to_have_text("Remove one of your own pieces: a8, d5, e4, h1.")

    off.click()

    expect(off).to_have_accessible_name("d5, empty, taken, last move")
    expect(guest.status).to_have_text("White to move.")


@pytest.mark.parametrize(("variant", "there"), [("turkish", "d4, empty"), ("dameo", "d4, empty, taken")])
def test_a_captured_piece_disappears_during_or_after_the_move_by_the_rules(
    new_visitor: NewVisitor, variant: str, there: str
) -> None:
    guest = try_board(new_visitor, "W:Wd3:Bd4,c5,e5,h8", variant)
    row = VARIANTS[variant]
    at = numbers_by_name(row.board, row.notation)

    guest.square(at["d3"]).click()
    guest.square(at["d5"]).click()

    expect(guest.square(at["d5"])).to_have_attribute("data-state", "selected")
    expect(guest.square(at["d4"])).to_have_accessible_name(there)


def test_arrow_keys_reach_every_neighbour_on_boards_that_use_all_squares(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, variant="turkish")
    row = VARIANTS["turkish"]
    at = numbers_by_name(row.board, row.notation)
    guest.square(at["d4"]).focus()

    steps = {
        "ArrowUp": "d5",
        "ArrowRight": "e5",
        "ArrowDown": "e4",
        "ArrowLeft": "d4",
        "Home": "a4",
        "End": "h4",
    }
    for key, name in steps.items():
        guest.page.keyboard.press(key)
        assert focused_square(guest.page) == str(at[name]), key


def focused_square(page: Page) -> str | None:
    square: str | None = page.evaluate("document.activeElement.getAttribute('data-square')")
    return square
