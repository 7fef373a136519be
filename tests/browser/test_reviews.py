"""Reviews in a browser: made there by a visitor, followed by board and graph, and mistakes as questions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import problems_in_two_looks
from tests.browser.conftest import NewVisitor, SampleClub
from tests.browser.visitors import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]

THINKS = 120_000  # milliseconds: eleven positions on a busy machine
MARKS = re.compile(r"\S+\?+!?$")


def marked(visitor: Visitor) -> list[str]:
    """The moves of the list that have a mark."""
    return [text for text in visitor.page.locator(".reviewed a").all_inner_texts() if MARKS.match(text)]


def said_of(visitor: Visitor) -> Locator:
    """The move that the page speaks of."""
    return visitor.page.locator("[data-text]")


@pytest.fixture
def address(sample_club: SampleClub) -> str:
    """The review of a game that nobody has had reviewed."""
    return f"/games/{sample_club.facts['not_reviewed']}/review/"


@pytest.fixture(scope="module")
def kept() -> dict[str, str]:
    """What the first tab has made of the game and keeps: the next ones keep it, too."""
    return {}


@pytest.fixture
def reader(sample_visitor: NewVisitor, address: str, kept: dict[str, str]) -> Visitor:
    """A visitor whose browser has reviewed a game."""
    visitor = sample_visitor(guest=True)
    visitor.go(address)
    if kept:
        visitor.page.evaluate("(kept) => Object.assign(sessionStorage, kept)", kept)
        visitor.page.reload()
    else:
        visitor.page.get_by_role("button", name="Review in this browser").click()
    expect(visitor.page.locator("[data-from-browser] .chart .curve")).to_have_count(1, timeout=THINKS)
    visitor.settle()
    kept |= visitor.page.evaluate("() => ({ ...sessionStorage })")
    return visitor


def test_a_visitors_browser_judges_a_game_as_the_club_does(
    reader: Visitor, sample_visitor: NewVisitor, sample_club: SampleClub, address: str
) -> None:
    expect(reader.page.get_by_text("Your browser made this review.")).to_be_visible()
    found = marked(reader)
    member = sample_visitor()
    member.go(f"/games/{sample_club.facts['reviewed']}/review/")
    assert found == marked(member)
    assert found, "expected a game with a mistake"
    assert problems_in_two_looks(reader.page) == []
    reader.go(f"{address}?ply=2")
    expect(reader.page.locator("[data-from-browser]")).to_have_count(1)
    expect(said_of(reader)).to_have_text("23-19")


def test_board_graph_and_buttons_go_through_a_review(reader: Visitor, sample_club: SampleClub) -> None:
    fault = int(sample_club.facts["fault"])
    expect(said_of(reader)).to_have_text("19-16??")
    graph = reader.page.locator("[data-graph]")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 0.97, "y": box["height"] / 2})
    expect(said_of(reader)).to_have_text("25-22")
    assert "ply=10" in reader.page.url
    reader.page.get_by_role("link", name="Previous mistake").click()
    expect(said_of(reader)).to_contain_text("?")
    reader.page.locator(f".reviewed a[data-ply='{fault - 1}']").click()
    expect(said_of(reader)).to_have_text("8-11")
    expect(reader.page.locator(".arrows .shaft")).to_have_count(1)
    reader.page.keyboard.press("ArrowRight")
    expect(said_of(reader)).to_have_text("19-16??")
    expect(reader.page.locator("[data-better]")).to_be_visible()


def test_a_move_that_the_engine_would_not_make_is_judged_in_the_browser(
    reader: Visitor, sample_club: SampleClub
) -> None:
    reader.page.get_by_role("link", name="Find a better move").click()
    expect(reader.page.locator("[data-try]")).to_have_count(1)
    reader.settle()
    said = reader.page.locator("[data-said]")
    expect(said).to_have_text("White to move. Find a better move than 19-16.")
    reader.square(19).click()
    reader.square(16).click()
    expect(said).to_have_text("19-16 was played in the game. Find a better move.")
    reader.settle()
    reader.square(17).click()
    reader.square(13).click()
    expect(said).to_have_text(re.compile("17-13 is (no better|good, too)|Right!"), timeout=THINKS)
