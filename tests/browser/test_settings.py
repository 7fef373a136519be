"""The board settings: stored on the device, applied before the first paint, and shown by shape and text."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_board import hint
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser


def choose(visitor: Visitor, *labels: str) -> None:
    """Choose an option in the panel."""
    visitor.page.get_by_role("button", name="Board settings").click()
    panel = visitor.page.get_by_role("dialog", name="Board settings")
    for label in labels:
        panel.get_by_label(label, exact=True).check()
    panel.get_by_role("button", name="Done").click()
    expect(panel).not_to_be_visible()


def shade(visitor: Visitor) -> str:
    found: str = visitor.page.locator(".square[data-shade='dark']").first.evaluate(
        "(square) => getComputedStyle(square).backgroundColor"
    )
    return found


def test_a_theme_holds_on_every_page_and_after_a_reload(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    assert shade(guest) == "rgb(79, 122, 91)"

    choose(guest, "Wood")
    assert shade(guest) == "rgb(169, 116, 79)"
    guest.go("/analysis/?setup=1")

    assert shade(guest) == "rgb(169, 116, 79)"
    guest.page.get_by_role("button", name="Board settings").click()
    expect(guest.page.get_by_label("Wood")).to_be_checked()


def test_square_names_are_shown_in_the_squares_around_the_board_or_not_at_all(
    new_visitor: NewVisitor,
) -> None:
    guest = new_visitor()
    guest.go("/analysis/?variant=international")
    inside, around = guest.page.locator(".number").first, guest.page.locator(".edges text:visible")
    expect(inside).to_be_visible()
    expect(around).to_have_count(0)

    choose(guest, "Around the board")
    expect(inside).not_to_be_visible()
    expect(around).to_have_count(20)  # the two ends of ten rows
    choose(guest, "Around the board", "a1, b2, c3 …")
    expect(around).to_have_count(20)  # ten ranks and ten files
    choose(guest, "Hidden")

    expect(inside).not_to_be_visible()
    expect(around).to_have_count(0)


def test_squares_can_be_named_by_file_and_rank_everywhere(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")

    choose(guest, "a1, b2, c3 …")

    expect(guest.square(11)).to_have_accessible_name("c3, red man, can move")
    guest.square(11).click()
    assert hint(guest) == "c3 selected. It can go to d4, b4."
    guest.page.get_by_label("Move", exact=True).fill("c3-d4")
    expect(guest.square(15)).to_have_attribute("data-state", "placed")


def test_moves_use_the_chosen_square_names(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "calls-red", "calls-white")
    choose(white, "a1, b2, c3 …")
    submit(red, 11, 15)
    white.expect_turn()

    first = white.page.locator(".plies a").first
    expect(first).to_have_text("c3-d4")
    expect(white.page.locator("[data-announcer]")).to_contain_text("Red moves c3 to d4. Your turn.")
    white.square(22).click()
    white.square(18).click()
    expect(white.field).to_have_value("f6-e5")
    white.page.get_by_role("button", name="Submit").click()
    white.expect_move_made(2)
    expect(white.page.locator(".plies a").nth(1)).to_have_text("f6-e5")
    expect(red.page.locator(".plies a").nth(1)).to_have_text("22-18")

    choose(white, "The game's own")
    expect(first).to_have_text("11-15")


def test_the_labels_around_the_board_flip_with_it(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/?variant=russian")
    choose(guest, "Around the board")

    def beside() -> list[str]:
        """The ranks from the top and the files from the left."""
        found: list[str] = guest.page.evaluate(
            """() => {
              const place = (text) => text.getBoundingClientRect();
              const all = [...document.querySelectorAll(".edges text")];
              const seen = all.filter((text) => text.checkVisibility());
              const of = (kind) => seen.filter((text) => text.dataset.edge === kind);
              const ranks = of("rank").sort((a, b) => place(a).y - place(b).y);
              const files = of("file").sort((a, b) => place(a).x - place(b).x);
              return [ranks, files].map((texts) => texts.map((text) => text.textContent).join(""));
            }"""
        )
        return found

    assert beside() == ["87654321", "abcdefgh"]
    guest.page.keyboard.press("f")

    assert beside() == ["12345678", "hgfedcba"]
    guest.go("/analysis/?variant=russian&flip=1")
    assert beside() == ["12345678", "hgfedcba"]


def test_invalid_values_in_local_storage_are_ignored(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    guest.page.evaluate("""localStorage.setItem("crownhead:board", '{"theme": "<b>", "numbers": 7')""")
    guest.page.reload()
    guest.settle()
    expect(guest.page.locator(".number").first).to_be_visible()

    guest.page.evaluate("""localStorage.setItem("crownhead:board", '{"theme": "gold", "motion": "no no"}')""")
    guest.page.reload()
    guest.settle()

    guest.page.get_by_role("button", name="Board settings").click()
    expect(guest.page.get_by_label("Tournament")).to_be_checked()


def test_preferences_are_shown_on_a_board_before_they_are_saved(new_visitor: NewVisitor) -> None:
    member = new_visitor("previewer")
    member.go("/preferences/")
    assert shade(member) == "rgb(79, 122, 91)"
    number = member.page.locator(".board-preview .number").first
    expect(number).to_be_visible()
    save = member.page.get_by_role("button", name="Save")
    expect(member.page.get_by_label("Usual for the game")).to_be_checked()
    member.page.get_by_label("Ringed", exact=True).check()
    expect(save).not_to_be_in_viewport()

    member.page.get_by_label("Wood", exact=True).check()
    expect(save).to_be_in_viewport()
    assert shade(member) == "rgb(169, 116, 79)"
    member.page.get_by_label("Around the board", exact=True).check()
    expect(number).not_to_be_visible()
    expect(member.page.locator("html")).to_have_attribute("data-pieces", "ringed")

    member.go("/preferences/")  # nothing was saved but the pieces of this device
    assert shade(member) == "rgb(79, 122, 91)"
    expect(member.page.get_by_label("Ringed", exact=True)).to_be_checked()


def test_boards_without_shades_have_simpler_stones_unless_a_set_is_chosen(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/?variant=turkish")
    inner = guest.page.locator(".piece").first
    width = "piece => getComputedStyle(piece).getPropertyValue('--inner-line')"
    assert inner.evaluate(width) == "0"

    guest.page.get_by_role("button", name="Board settings").click()
    guest.page.get_by_label("Grooved", exact=True).check()
    assert inner.evaluate(width) == ""


def test_the_panel_closes_when_the_focus_goes_elsewhere_and_its_pictures_come_later(
    new_visitor: NewVisitor,
) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    opener = guest.page.get_by_role("button", name="Board settings")
    panel = guest.page.get_by_role("dialog", name="Board settings")
    opener.focus()
    guest.page.keyboard.press("Enter")
    expect(panel.get_by_label("Tournament", exact=True)).to_be_focused()
    pictures = panel.locator("img")
    expect(pictures.first).to_be_visible()
    guest.page.wait_for_function("picture => picture.naturalWidth > 0", arg=pictures.first.element_handle())

    guest.page.keyboard.press("Escape")
    expect(panel).not_to_be_visible()
    expect(opener).to_be_focused()
    guest.page.keyboard.press("Enter")
    panel.get_by_role("button", name="Done").focus()
    guest.page.keyboard.press("Tab")

    expect(panel).not_to_be_visible()  # or what has the focus could be behind it
