"""The page of a game for both players and a guest: live clocks, chat, notes, conditional moves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import (
    Look,
    assert_nothing_found,
    violations,
    violations_in_both_colour_schemes,
)
from tests.browser.conftest import NewVisitor
from tests.browser.test_live import ask_for_news, start_game, submit
from tests.browser.test_pages import faults
from tests.browser.visitors import Visitor
from tests.lengths import short_and_full

pytestmark = pytest.mark.browser

_MAY_BE_CLAIMED = """(form, milliseconds) => {
  form.setAttribute("data-claim-in", String(milliseconds));
  document.dispatchEvent(new CustomEvent("claim-changed"));
}"""
WRONG_CLOCK = "Date.now = () => 0; performance.timeOrigin"


def start_live(
    new_visitor: NewVisitor, first: str, second: str, *, seconds: int, increment: int = 0
) -> tuple[Visitor, Visitor]:
    """Two members in a live game, to which they are taken."""
    red, white = new_visitor(first), new_visitor(second)
    for player in (red, white):
        player.go("/waiting-room/")
    clock = {"initial": seconds, "increment": increment}
    game = red.call("/games", {"variant": "american", "colour": "first", "clock": clock})["id"]
    white.call(f"/waiting-room/{game}/join")
    for player in (red, white):
        player.page.wait_for_url(f"**/games/{game}/")
        player.settle()
    return red, white


def open_tab(player: Visitor, name: str) -> None:
    """Open a panel of the game page."""
    player.page.locator(f".tabs [data-tab='{name}']").click()


def clocks(player: Visitor) -> tuple[float, float]:
    """The seconds on the upper and the lower clock."""
    upper, lower = (read(text) for text in player.page.locator(".strip .clock-time").all_inner_texts())
    return upper, lower


def passed(player: Visitor) -> float:
    """The seconds since the page was opened, by the clock of the page itself."""
    return float(player.page.evaluate("performance.now() / 1000"))


def read(text: str) -> float:
    minutes, seconds = text.split(":")
    return 60 * int(minutes) + float(seconds)


def test_a_live_game_ends_on_time_on_both_pages(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "fischer-red", "fischer-white", seconds=9, increment=2)
    white.page.add_init_script(WRONG_CLOCK)
    white.page.reload()
    white.settle()

    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)
    red.expect_turn()
    began, (theirs, mine) = passed(red), clocks(red)
    red.page.wait_for_timeout(2500)
    took, later = passed(red) - began, clocks(red)

    assert later[0] == theirs
    assert mine - later[1] == pytest.approx(took, abs=1.5)  # from ten seconds up a clock shows whole ones
    assert abs(clocks(white)[0] - clocks(red)[1]) <= 1.5
    expect(red.status).to_have_text("You lost on time.")
    expect(white.status).to_have_text("You won on time.")
    for player in (red, white):
        expect(player.page.locator(".strip .clock-time")).to_have_count(2)


def test_a_whole_live_game_is_played_with_increments(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "bonus-red", "bonus-white", seconds=60, increment=5)
    moves = [(11, 15), (22, 18), (15, 22), (25, 18), (8, 11), (29, 25)]

    for ply, squares in enumerate(moves, start=1):
        player = red if ply % 2 else white
        player.expect_turn()
        submit(player, *squares)
        player.expect_move_made(ply)

    assert all(55 <= left <= 75 for left in clocks(red))
    red.page.get_by_role("button", name="Offer a draw").click()
    red.page.locator("#confirm-draw").get_by_role("button", name="Offer a draw").click()
    white.page.get_by_role("button", name="Accept").click()
    expect(white.page.get_by_text("Accept the draw?")).to_be_visible()
    white.page.get_by_role("button", name="Accept the draw").click()
    for player in (red, white):
        expect(player.status).to_have_text("Draw by agreement.")


def test_chat_reaches_only_the_opponent(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "chat-red", "chat-white")
    guest = new_visitor()
    guest.go(red.path)
    expect(white.page.locator(".tabs .unread-mark")).to_be_hidden()

    open_tab(red, "chat")
    red.page.get_by_label("Message", exact=True).fill("Good luck, and mind the corner!")
    red.page.keyboard.press("Enter")

    expect(white.page.locator(".tabs .unread-mark")).to_be_visible()
    expect(white.page.locator("[data-announcer]")).to_contain_text("mind the corner")
    open_tab(white, "chat")
    expect(white.page.get_by_text("Good luck, and mind the corner!").last).to_be_visible()
    expect(white.page.locator(".tabs .unread-mark")).to_be_hidden()
    expect(red.page.get_by_label("Message", exact=True)).to_have_value("")
    guest.page.reload()
    assert "corner" not in guest.page.content()
    assert guest.page.locator("[data-tab='chat']").count() == 0


def test_a_draft_survives_the_move_of_the_opponent(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "draft-red", "draft-white")
    open_tab(white, "chat")
    words = white.page.get_by_label("Message", exact=True)
    words.fill("That was a good ")

    submit(red, 11, 15)
    white.expect_turn()

    expect(words).to_be_visible()
    expect(words).to_have_value("That was a good ")
    expect(words).to_be_focused()
    white.page.keyboard.type("one")
    expect(words).to_have_value("That was a good one")


def test_a_note_is_saved_while_typing(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "note-red", "note-white")
    open_tab(red, "notes")

    red.page.get_by_label("My notes").fill("The single corner is weak.")
    expect(red.page.locator(".note output")).to_have_text("Saved.")
    red.page.reload()

    expect(red.page.get_by_label("My notes")).to_have_value("The single corner is weak.")
    white.page.reload()
    assert "single corner" not in white.page.content()


def test_a_note_is_saved_even_if_a_move_arrives_while_typing(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "busy-red", "busy-white")
    submit(red, 11, 15)
    white.expect_turn()
    open_tab(red, "notes")
    red.page.get_by_label("My notes").fill("The single corner is weak.")
    ask_for_news(red)

    expect(red.page.locator(".note output")).to_have_text("Saved.")
    expect(red.page.get_by_label("My notes")).to_have_value("The single corner is weak.")
    red.page.reload()
    expect(red.page.get_by_label("My notes")).to_have_value("The single corner is weak.")


def test_a_note_is_saved_though_one_leaves_at_once(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "leaves-red", "leaves-white")
    here, note = red.path, red.page.get_by_label("My notes")
    open_tab(red, "notes")
    note.fill("The single corner is weak.")
    red.open_link("My games")
    red.go(here)
    expect(note).to_have_value("The single corner is weak.")


def test_a_note_is_saved_though_the_server_was_busy(new_visitor: NewVisitor) -> None:
    red, _white = start_game(new_visitor, "waits-red", "waits-white")
    open_tab(red, "notes")
    red.page.route(f"**{red.path}", lambda route: route.fulfill(status=503, body="Busy."), times=1)
    red.page.get_by_label("My notes").fill("The single corner is weak.")

    expect(red.page.locator(".note output")).to_have_text("Saved.")
    assert all("503" in error for error in red.console_errors)
    red.console_errors.clear()
    red.page.reload()
    expect(red.page.get_by_label("My notes")).to_have_value("The single corner is weak.")


def test_a_note_that_is_saved_does_not_put_off_that_the_game_may_be_claimed(new_visitor: NewVisitor) -> None:
    _red, white = start_live(new_visitor, "saves-red", "saves-white", seconds=600)
    claim = white.page.locator("form[data-abandoned]")
    open_tab(white, "notes")
    white.page.get_by_label("My notes").fill("They have left.")
    claim.evaluate(_MAY_BE_CLAIMED, 1500)
    claim.evaluate("(form) => form.setAttribute('data-claim-in', '600000')")  # for whatever begins again
    white.page.get_by_role("button", name="Save", exact=True).click()
    expect(white.page.locator(".note output")).to_have_text("Saved.")
    expect(claim).to_be_visible(timeout=10_000)


def test_conditional_moves_are_planned_and_played_one_after_the_other(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "plan-red", "plan-white")
    game = white.path
    open_tab(white, "plan")
    white.open_link("Plan conditional moves")
    for squares in [(11, 15), (22, 18), (15, 22), (25, 18)]:
        white.settle()
        for square in squares:
            white.square(square).click()
        expect(white.page.locator(".standing .line")).to_contain_text(
            re.compile(rf"{squares[0]}[-x]{squares[1]}")
        )
    white.page.get_by_role("button", name="Save this line").click()
    expect(white.page.get_by_text("Nobody else can see them.")).to_be_visible()

    submit(red, 11, 15)
    red.expect_move_made(2)
    expect(white.page.get_by_text("There is a new move: 22-18. Red to move.")).to_be_visible()
    expect(white.square(11)).to_have_accessible_name("11, red man, can move")  # the planner stays as it was
    red.expect_turn()
    submit(red, 15, 22)
    red.expect_move_made(4)
    white.go(game)

    expect(white.page.locator(".plies a[href='?ply=4']")).to_have_text("25x18")
    assert "a conditional move" not in red.page.content()


def test_plans_chat_and_notes_work_without_javascript(new_visitor: NewVisitor) -> None:
    red = new_visitor("bare-red", java_script_enabled=False)
    white = new_visitor("bare-white", java_script_enabled=False)
    game = red.offer()
    white.take_from_waiting_room(red.name)

    white.go(f"{game}plan/")
    for square in (11, 15, 22, 18):
        white.square(square).click()
    white.page.get_by_role("button", name="Save this line").click()
    white.go(f"{game}?tab=chat")
    white.page.get_by_label("Message", exact=True).fill("Your move.")
    white.page.get_by_role("button", name="Send").click()
    red.go(game)
    submit(red, 11, 15)

    expect(red.page.locator(".plies a[href='?ply=2']")).to_have_text("22-18")
    open_tab(red, "chat")
    expect(red.page.get_by_text("Your move.", exact=True)).to_be_visible()
    open_tab(red, "notes")
    red.page.get_by_label("My notes").fill("A plan.")
    red.page.get_by_role("button", name="Save", exact=True).click()
    expect(red.page.get_by_label("My notes")).to_have_value("A plan.")


@pytest.mark.parametrize("look", short_and_full(violations, violations_in_both_colour_schemes))
def test_every_part_of_the_page_fits_a_small_phone(new_visitor: NewVisitor, look: Look) -> None:
    part = "part" if look is violations else "parts"
    red, white = start_game(new_visitor, f"{part}-red", f"{part}-white")
    submit(red, 11, 15)
    red.expect_move_made(1)
    game = red.path
    red.call(f"{game}take-back")
    for player in (red, white):
        player.page.set_viewport_size({"width": 320, "height": 568})

    found: dict[str, list[str]] = {}
    for path in [*(f"{game}?tab={tab}" for tab in ("moves", "chat", "notes", "plan")), f"{game}plan/"]:
        for player in (red, white):
            player.go(path)
            found[f"{player.name} {path}"] = faults(player.page) + look(player.page)

    white.page.get_by_text("Edit the plan as text").click()
    found["the plan as text"] = look(white.page)
    white.go(f"{game}plan/?line=22-18")
    found["a line"] = look(white.page)
    white.go(game)
    white.page.get_by_text("Ask the staff for a decision").click()
    found["an appeal"] = look(white.page)
    white.page.get_by_text("Add a message").click()
    found["a message"] = look(white.page)
    assert_nothing_found(found)
