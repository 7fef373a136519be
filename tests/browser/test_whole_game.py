"""A fresh club, two people, one whole real game: by clicking, by keyboard alone, and with JavaScript off."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

import crownhead
from crownhead import Position
from tests.browser.conftest import NewVisitor
from tests.browser.sample_game import MOVES, RESULT
from tests.browser.visitors import Visitor, follow
from tests.lengths import short_and_full

pytestmark = pytest.mark.browser

MakeMove = Callable[[Visitor, tuple[int, ...]], None]


@pytest.mark.parametrize("plies", short_and_full(14, len(MOVES)))
def test_two_people_play_a_whole_game_by_clicking(new_visitor: NewVisitor, plies: int) -> None:
    red, white = new_visitor(), new_visitor()
    red.sign_up_by_form(f"moorhead-{plies}")
    white.sign_up_by_form(f"wyllie-{plies}")

    start_game(red, white)
    play_all(red, white, make_move=click_move, wait=Visitor.expect_turn, moves=MOVES[:plies])
    resign(red)

    expect(white.status).to_have_text("You won by resignation.")
    assert_record(white, MOVES[:plies])


@pytest.mark.nightly  # on other boards in CI: test_families
def test_two_people_play_a_whole_game_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("moorhead-keys"), new_visitor("wyllie-keys")

    start_game(red, white)
    play_all(red, white, make_move=type_on_the_board, wait=Visitor.expect_turn)
    resign_by_keys(red)

    expect(white.status).to_have_text("You won by resignation.")
    assert_record(white)


@pytest.mark.nightly  # on other boards in CI: test_families
def test_two_people_play_a_whole_game_without_javascript(new_visitor: NewVisitor) -> None:
    red = new_visitor("moorhead-plain", java_script_enabled=False)
    white = new_visitor("wyllie-plain", java_script_enabled=False)

    start_game(red, white)
    play_all(red, white, make_move=press_squares, wait=reload_for_turn)
    resign(red)

    white.page.reload()
    expect(white.status).to_have_text("You won by resignation.")
    assert_record(white)


# ------------------------------------------------------------------------------------------- ways to play
def click_move(player: Visitor, path: tuple[int, ...]) -> None:
    """Touch the piece and then its next squares, until the move is complete, and submit it."""
    player.square(path[0]).click()
    for square in path[1:]:
        player.square(square).click()
        if player.field.input_value():
            break
    player.submit.click()


def type_on_the_board(player: Visitor, path: tuple[int, ...]) -> None:
    """Go to the board by Tab, name the piece and its last square by number, go on to Submit."""
    keyboard = player.page.keyboard
    tab_to(player, "checkers-board button")
    keyboard.type(str(path[0]))
    keyboard.press("Enter")
    keyboard.type(str(path[-1]))
    keyboard.press("Space")
    expect(player.field).not_to_have_value("")
    tab_to(player, ".submit-bar button")
    keyboard.press("Enter")


def press_squares(player: Visitor, path: tuple[int, ...]) -> None:
    """Every square is a button that reloads the page."""
    for square in path:
        player.press(player.square(square))
        if player.field.input_value():
            break
    player.press(player.submit)


def tab_to(player: Visitor, wanted: str) -> None:
    """Press Tab until the focus is on what is wanted."""
    for _ in range(200):
        if player.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"expected to reach {wanted} by Tab")


# --------------------------------------------------------------------------------------------- the course
def start_game(red: Visitor, white: Visitor) -> None:
    """Red offers a game, White takes it, both have it before them."""
    path = red.offer()
    white.take_from_waiting_room(red.name)
    if red.has_javascript:
        red.expect_turn()  # the page says so by itself
    else:
        red.go(path)


def play_all(
    red: Visitor,
    white: Visitor,
    *,
    make_move: MakeMove,
    wait: Callable[[Visitor], None],
    moves: Sequence[str] = MOVES,
) -> None:
    """Play the game of Manchester 1841, each move by the player whose page says it is their turn."""
    position = Position.start("american")
    for ply, text in enumerate(moves, start=1):
        player = red if ply % 2 else white
        wait(player)
        path, position = follow(position, text)
        make_move(player, path)
        player.expect_move_made(ply)


def reload_for_turn(player: Visitor) -> None:
    """Without the stream a reload suffices."""
    player.page.reload()
    expect(player.status).to_have_text("Your turn.")


def resign(player: Visitor) -> None:
    """Resign, and confirm it."""
    player.page.get_by_role("link", name="Resign").click()
    player.page.get_by_role("button", name="Yes, resign").click()
    expect(player.status).to_have_text("You lost by resignation.")


def resign_by_keys(player: Visitor) -> None:
    """Resign by Tab and Enter."""
    tab_to(player, "a[href$='/resign/']")
    player.page.keyboard.press("Enter")
    expect(player.page.get_by_role("heading", name="Resign this game?")).to_be_visible()
    tab_to(player, "button[value='resign']")
    player.page.keyboard.press("Enter")
    expect(player.status).to_have_text("You lost by resignation.")


def assert_record(player: Visitor, moves: Sequence[str] = MOVES) -> None:
    """The PDN that the page offers for download is the game that was played."""
    address = player.page.get_by_role("link", name="Download game (PDN)").get_attribute("href")
    answer = player.page.request.get(f"{player.address}{address}")
    assert answer.ok
    (record,) = crownhead.pdn.read(io.StringIO(answer.text()))
    assert record.result == RESULT
    played = crownhead.Game("american")
    assert [played.push(text) for text in moves] == list(record.moves)
