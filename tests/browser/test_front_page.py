"""The front page of guests follows the club: offers and games come by themselves, moves as they are made."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Response, Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

LIVE = {"clock": {"initial": 300, "increment": 0}}


def opened(new_visitor: NewVisitor) -> tuple[Visitor, list[int]]:
    """A guest at the front page whose time is wound on by hand, and the answers to what it asks for again."""
    guest = new_visitor()
    guest.page.clock.install()
    answers: list[int] = []

    def note(answer: Response) -> None:
        if answer.url.endswith("/now/"):
            answers.append(answer.status)

    guest.page.on("response", note)
    guest.go("/")
    return guest, answers


def wait_for_answer(guest: Visitor, answers: list[int]) -> int:
    """Let two minutes pass, in which the page asks; its answer."""
    before = len(answers)
    guest.page.clock.fast_forward("02:30")
    while len(answers) == before:
        guest.page.wait_for_timeout(20)
    return answers[-1]


def test_an_offer_comes_by_itself_and_nothing_comes_while_nothing_changes(new_visitor: NewVisitor) -> None:
    guest, answers = opened(new_visitor)
    assert wait_for_answer(guest, answers) == 200
    guest.page.wait_for_timeout(200)
    while wait_for_answer(guest, answers) == 200:  # what other tests have left behind may change meanwhile
        pass
    guest.page.evaluate("document.querySelector('.front').firstElementChild.dataset.same = ''")
    expect(guest.page.locator(".front [data-same]")).to_have_count(1)

    member = new_visitor("front-maker")
    member.go("/")
    member.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})

    assert wait_for_answer(guest, answers) == 200
    join = guest.page.get_by_role("button", name="Join front-maker's game")
    expect(join).to_be_visible()
    join.focus()
    asked = len(answers)
    guest.page.clock.fast_forward("05:00")
    guest.page.wait_for_timeout(500)
    assert len(answers) == asked, "the focus would be lost"
    join.press("Enter")
    expect(guest.page.get_by_text("The game has started.")).to_be_visible()


def test_the_board_follows_its_live_game_and_then_the_next(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "front-red", "front-white", **LIVE)
    turns = [(red, (11, 15)), (white, (22, 18)), (red, (15, 22)), (white, (25, 18))]
    for player, squares in turns:
        player.expect_turn()
        submit(player, *squares)
    red.expect_turn()
    guest, answers = opened(new_visitor)
    board = guest.page.locator(".featured")
    wait_for_answer(guest, answers)
    expect(board).to_have_attribute("data-version", "4")
    expect(board.locator("[data-to-move] b")).to_have_text("front-red")
    expect(board.get_by_text("to move")).to_have_count(2)
    expect(board.locator(".turn-mark:visible")).to_have_count(1)
    asked = len(answers)

    submit(red, 12, 16)

    expect(board).to_have_attribute("data-version", "5")
    expect(board.locator("[data-to-move] b")).to_have_text("front-white")
    assert len(answers) == asked, "a move asks for nothing"
    white.expect_turn()
    white.page.get_by_role("button", name="Resign").first.click()
    white.page.locator("#confirm-resign").get_by_role("button", name="Resign").click()
    game = re.sub(r"\D*/games/|/", "", white.path)
    expect(guest.page.locator(f".featured[data-small-board='{game}']")).to_have_count(0)
    assert len(answers) > asked


def test_a_stream_that_is_refused_is_no_lost_connection_here(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "full-red", "full-white", **LIVE)
    for player, squares in ((red, (11, 15)), (white, (22, 18)), (red, (15, 22)), (white, (25, 18))):
        player.expect_turn()
        submit(player, *squares)
    guest = new_visitor()
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.abort()

    guest.page.route("**/events?**", refuse)
    guest.page.clock.install()
    guest.go("/")
    guest.page.clock.fast_forward("00:30")
    while not refused:
        guest.page.wait_for_timeout(20)
    guest.page.clock.fast_forward("00:30")

    expect(guest.page.locator(".featured")).to_be_visible()
    expect(guest.page.locator("[data-connection-lost]")).to_have_text("")
    guest.console_errors.clear()
