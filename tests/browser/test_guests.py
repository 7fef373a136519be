"""Visitors who play without an account: a friend by a link, an offer of the waiting room, and signing up."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import problems_in_two_looks
from tests.browser.conftest import NewVisitor
from tests.browser.test_live import submit
from tests.browser.visitors import PASSWORD

pytestmark = pytest.mark.browser


def test_two_visitors_without_accounts_play_a_live_game_by_a_link(new_visitor: NewVisitor) -> None:
    red, white = new_visitor(), new_visitor()
    red.go("/new/")
    red.page.get_by_label("Red (first)", exact=True).check()
    red.page.get_by_label("Live", exact=True).check()
    red.page.get_by_role("button", name="Play a friend by link").click()
    expect(red.status).to_have_text("Waiting for an opponent.")
    expect(red.page.get_by_role("button", name="Copy the link")).to_be_visible()
    assert problems_in_two_looks(red.page) == []

    white.page.goto(red.page.get_by_label("Link for a friend").input_value())
    white.page.get_by_role("button", name="Play as a guest").click()
    white.settle()

    red.expect_turn()
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)
    red.expect_turn()
    submit(red, 15, 22)
    white.expect_turn()
    expect(white.page.locator(".strip strong")).to_have_text([re.compile(r"Guest \d+")] * 2)
    white.page.get_by_role("button", name="Resign").first.click()
    white.page.locator("#confirm-resign").get_by_role("button", name="Resign").click()
    for visitor in (red, white):
        expect(visitor.status).to_contain_text("resign")
        expect(visitor.page.get_by_role("button", name="Rematch")).to_be_visible()


def test_a_visitor_joins_an_offer_moves_and_keeps_the_game_by_signing_up(new_visitor: NewVisitor) -> None:
    member, visitor = new_visitor("offers-to-all"), new_visitor()
    game = member.offer(side="White (second)")

    visitor.go("/waiting-room/")
    visitor.page.get_by_role("button", name="Join offers-to-all's game").click()
    visitor.expect_turn()
    submit(visitor, 11, 15)
    visitor.expect_move_made(1)

    visitor.go("/")
    visitor.page.get_by_role("link", name="Sign up to keep your games").click()
    visitor.page.get_by_label("Username").fill("was-a-guest")
    visitor.page.get_by_label("E-mail").fill("was-a-guest@club.example")
    visitor.page.get_by_label("Password").fill(PASSWORD)
    visitor.page.locator("main").get_by_role("button", name="Sign up").click()
    expect(visitor.page.get_by_role("link", name="My games")).to_be_visible()

    member.go(game)
    member.expect_turn()
    expect(member.page.get_by_role("link", name="was-a-guest")).to_be_visible()
    submit(member, 22, 18)
    visitor.go(game)
    visitor.expect_turn()
