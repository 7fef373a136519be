"""Typing square names and moves, on boards with numbers and with algebraic names."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from crownhead import VARIANTS
from crownhead.rules.geometry import numbers_by_name
from tests.browser.conftest import NewVisitor
from tests.browser.test_board import focused_square
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def at_board(new_visitor: NewVisitor, variant: str, square: str) -> tuple[Visitor, dict[str, int]]:
    """A guest with the focus on a square, and the square numbers by name."""
    guest, row = new_visitor(), VARIANTS[variant]
    numbers = dict(numbers_by_name(row.board, row.notation))
    guest.go(f"/analysis/?variant={variant}")
    guest.square(numbers[square]).focus()
    return guest, numbers


@pytest.mark.parametrize(("variant", "name"), [("russian", "f6"), ("turkish", "a3"), ("alquerque", "d5")])
def test_a_square_is_named_after_typing_a_full_stop(new_visitor: NewVisitor, variant: str, name: str) -> None:
    guest, numbers = at_board(new_visitor, variant, "a1")
    bottom = guest.page.locator("checkers-board button").last.get_attribute("data-square")

    guest.page.keyboard.type(f".{name}")

    assert focused_square(guest.page) == str(numbers[name])
    # none of the letters was taken for a key of the page
    assert guest.page.locator("checkers-board button").last.get_attribute("data-square") == bottom


def test_a_second_digit_moves_on_to_the_two_digit_square(new_visitor: NewVisitor) -> None:
    guest, _numbers = at_board(new_visitor, "american", "1")

    guest.page.keyboard.type("23")

    assert focused_square(guest.page) == "23"


def test_a_square_with_a_number_can_be_named_by_file_and_rank_too(new_visitor: NewVisitor) -> None:
    guest, numbers = at_board(new_visitor, "american", "1")

    guest.page.keyboard.type(".c3")

    assert focused_square(guest.page) == str(numbers["c3"])


def test_a_slash_focuses_the_text_field(new_visitor: NewVisitor) -> None:
    guest, _numbers = at_board(new_visitor, "russian", "a1")

    guest.page.keyboard.press("/")
    guest.page.keyboard.type("c3-d4")
    guest.page.keyboard.press("Enter")

    expect(guest.page.locator(".plies")).to_contain_text("c3-d4")


def test_the_text_field_is_there_out_of_turn_and_says_whose_turn_it_is(new_visitor: NewVisitor) -> None:
    _red, white = start_game(new_visitor, "typing-red", "typing-white")

    expect(white.field).to_have_value("Red to move.")
    expect(white.field).not_to_be_editable()


def test_shift_and_arrows_on_the_board_step_through_the_game(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "shift-red", "shift-white")
    submit(red, 11, 15)
    white.expect_turn()
    white.square(23).focus()

    white.page.keyboard.press("Shift+ArrowLeft")
    expect(white.square(11)).to_have_accessible_name("11, red man")
    white.page.keyboard.press("Shift+End")
    expect(white.square(15)).to_have_accessible_name("15, red man, last move")

    assert focused_square(white.page) == "23"
