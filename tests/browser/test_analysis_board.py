"""The analysis board in a browser: moves without a request, variations, an engine beside them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import problems_in_two_looks
from tests.browser.conftest import NewVisitor
from tests.browser.test_notices import width_needed
from tests.browser.visitors import Visitor
from tests.club import Club, Player

pytestmark = pytest.mark.browser

LINES = ".engine .variations li"
_TAKE = """(link) => {
  const move = link.querySelector("span").innerText;
  link.focus();
  link.click();
  return move;
}"""
RECORD = """[Event "Club evening"]

1. 11-15 23-19 (1... 22-18 2. 15x22 25x18) 2. 8-11 {Old Faithful} *"""


def opened(visitor: Visitor, query: str = "") -> Visitor:
    """The board, once the rules have arrived."""
    visitor.go(f"/analysis/{query}")
    expect(visitor.page.locator("[data-analysis][data-local]")).to_have_count(1)
    return visitor


def move(visitor: Visitor, *squares: int) -> None:
    for square in squares:
        visitor.square(square).click()


def moves(visitor: Visitor) -> list[str]:
    """The moves listed, variations among them."""
    return visitor.page.locator(".tree a").all_inner_texts()


def engine(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("switch", name="Engine")


def methods_of_questions(visitor: Visitor) -> list[str]:
    """How the browser asks whether its engine may look, from now on."""
    methods: list[str] = []
    path = "/analysis/guard/"
    visitor.page.on("request", lambda sent: methods.append(sent.method) if path in sent.url else None)
    return methods


def test_moves_are_made_without_a_request_and_stay_in_the_address(new_visitor: NewVisitor) -> None:
    guest = opened(new_visitor())
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    move(guest, 11, 15)
    guest.page.get_by_label("Move", exact=True).fill("23-19")
    guest.page.keyboard.press("Enter")
    move(guest, 1)
    expect(guest.page.locator("[data-hint]")).to_have_text("The piece on 1 can't move.")
    assert moves(guest) == ["11-15", "23-19"]
    expect(guest.page.locator("[data-opening]")).to_have_text("Old Faithful")
    assert [url for url in asked if "/img/crown." not in url] == []  # the icon of the window may come late
    assert guest.path == "/analysis/?variant=american&moves=11-15+23-19"
    plain = new_visitor(java_script_enabled=False)
    plain.go(guest.path)
    expect(plain.page.locator(".plies")).to_contain_text("23-19")
    move(plain, 8)
    move(plain, 11)
    assert plain.path == "/analysis/?variant=american&moves=11-15+23-19+8-11"


def test_going_back_and_playing_another_move_keeps_both(new_visitor: NewVisitor) -> None:
    guest = opened(new_visitor(), "?moves=11-15+23-19")
    guest.page.get_by_role("link", name="Back", exact=True).click()
    move(guest, 22, 18)
    assert moves(guest) == ["11-15", "23-19", "22-18"]
    expect(guest.page.locator(".branches a")).to_have_text(["22-18"])
    guest.page.reload()
    expect(guest.page.locator(".branches a[aria-current]")).to_have_text("22-18")
    guest.page.get_by_role("button", name="Promote variation").click()
    expect(guest.page.locator(".branches a")).to_have_text(["23-19"])
    guest.page.locator(".branches a").click()
    expect(guest.square(19)).to_have_attribute("aria-label", "19, white man, last move")
    guest.page.get_by_role("button", name="Delete from here").click()
    assert moves(guest) == ["11-15", "22-18"]


def test_a_record_is_pasted_and_copied_with_its_variations(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.page.add_init_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    opened(guest)
    guest.page.get_by_text("FEN and PDN").click()
    guest.page.get_by_label("Paste a FEN or a game in PDN").fill(RECORD)
    guest.page.locator(".record").get_by_role("button", name="Load").click()
    assert moves(guest) == ["11-15", "23-19", "22-18", "15x22", "25x18", "8-11"]
    guest.page.get_by_role("button", name="Copy PDN").click()
    expect(guest.page.locator("[data-hint]")).to_have_text("Copied.")
    copied = guest.page.evaluate("window.copied")
    assert copied.splitlines()[0:2] == ['[Event "Analysis"]', '[GameType "21"]']
    assert copied.endswith("\n" + RECORD.splitlines()[-1] + "\n")


def test_the_engine_follows_the_position_until_it_is_switched_off(new_visitor: NewVisitor) -> None:
    guest = opened(new_visitor(viewport={"width": 360, "height": 560}))
    engine(guest).check()
    expect(guest.page.locator(LINES)).to_have_count(3)
    expect(guest.page.locator(".arrows .shaft")).to_have_count(3)
    expect(guest.page.locator("[data-engine-state]")).to_contain_text("Depth")
    assert width_needed(guest) == 360
    chosen = guest.page.locator(f"{LINES} a").first.evaluate(_TAKE)  # while the engine thinks on
    expect(guest.page.locator(".tree a")).to_have_text([chosen])
    expect(guest.page.locator(f"{LINES} a").first).not_to_contain_text(chosen)
    expect(guest.page.locator("[data-evaluation]")).to_have_attribute(
        "aria-label", re.compile("^Evaluation: ")
    )
    assert problems_in_two_looks(guest.page) == []
    guest.page.keyboard.press("e")
    expect(guest.page.locator(LINES)).to_have_count(0)
    expect(guest.page.locator("[data-evaluation]")).to_be_hidden()


def test_tables_give_their_verdict_and_the_draw_is_no_number(new_visitor: NewVisitor) -> None:
    guest = opened(new_visitor(), "?fen=W:WK32:BK1")
    engine(guest).check()
    expect(guest.page.locator("[data-engine-state]")).to_have_text("The endgame tables know this position.")
    expect(guest.page.locator(f"{LINES} .worth").first).to_have_text("draw")


def test_the_engine_of_the_browser_is_off_for_ones_own_game(new_visitor: NewVisitor, club: Club) -> None:
    member, other = new_visitor("plays-here"), Player(club.port, "plays-along")
    other.register()
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = other.expect(201, "POST", "/games", terms)["id"]
    member.go("/")
    member.call(f"/waiting-room/{game}/join")
    opened(member, "?moves=11-15")
    asked = methods_of_questions(member)
    engine(member).check()
    state = member.page.locator("[data-engine-state]")
    expect(state).to_contain_text("off while your game is in progress, and the club's server checks this too")
    expect(member.page.locator(LINES)).to_have_count(0)
    assert asked == ["POST"]  # which the staff can see
    opened(member, "?moves=11-15")
    expect(state).to_contain_text("off while your game is in progress")
    assert asked == ["POST", "GET"]  # the link may be somebody else's
    member.go("/analysis/?variant=anti")
    expect(member.page.locator(LINES)).to_have_count(3)
