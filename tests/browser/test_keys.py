"""Every square and every move can be named by keys, on boards with numbers and on those with names."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from crownhead import VARIANTS
from crownhead.rules.geometry import numbers_by_name
from tests.browser.conftest import Seat
from tests.browser.test_board import focused_square
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def at_board(seat: Seat, variant: str, square: str) -> tuple[Visitor, dict[str, int]]:
    """A guest with the focus on a square of a board, and the board's numbers by name."""
    guest, row = seat(), VARIANTS[variant]
    numbers = dict(numbers_by_name(row.board, row.notation))
    guest.go(f"/try/?variant={variant}")
    guest.square(numbers[square]).focus()
    return guest, numbers


@pytest.mark.parametrize(("variant", "name"), [("russian", "f6"), ("turkish", "a3"), ("alquerque", "d5")])
def test_a_name_is_typed_after_a_full_stop(seat: Seat, variant: str, name: str) -> None:
    guest, numbers = at_board(seat, variant, "a1")
    bottom = guest.page.locator("checkers-board button").last.get_attribute("data-square")

    guest.page.keyboard.type(f".{name}")

    assert focused_square(guest.page) == str(numbers[name])
    # none of the letters was taken for a key of the page
    assert guest.page.locator("checkers-board button").last.get_attribute("data-square") == bottom


def test_a_number_of_two_digits_passes_over_that_of_one(seat: Seat) -> None:
    guest, _numbers = at_board(seat, "american", "1")

    guest.page.keyboard.type("23")

    assert focused_square(guest.page) == "23"


def test_a_square_with_a_number_can_be_named_by_file_and_rank_too(seat: Seat) -> None:
    guest, numbers = at_board(seat, "american", "1")

    guest.page.keyboard.type(".c3")

    assert focused_square(guest.page) == str(numbers["c3"])


def test_a_stroke_leads_to_the_text_field(seat: Seat) -> None:
    guest, _numbers = at_board(seat, "russian", "a1")

    guest.page.keyboard.press("/")
    guest.page.keyboard.type("c3-d4")
    guest.page.keyboard.press("Enter")

    expect(guest.page.locator(".plies")).to_contain_text("c3-d4")


def test_the_text_field_is_there_out_of_turn_and_says_whose_turn_it_is(seat: Seat) -> None:
    _red, white = start_game(seat, "waits-red", "waits-white")

    expect(white.field).to_have_value("Red to move.")
    expect(white.field).not_to_be_editable()


def test_on_the_board_the_game_is_stepped_through_with_shift(seat: Seat) -> None:
    red, white = start_game(seat, "shift-red", "shift-white")
    submit(red, 11, 15)
    white.expect_turn()
    white.square(23).focus()

    white.page.keyboard.press("Shift+ArrowLeft")
    expect(white.square(11)).to_have_accessible_name("11, red man")
    white.page.keyboard.press("Shift+End")
    expect(white.square(15)).to_have_accessible_name("15, red man, last move")

    assert focused_square(white.page) == "23"
