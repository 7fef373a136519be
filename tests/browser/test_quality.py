"""Every page: nothing that axe finds or the browser complains of, nothing that shifts, little to load."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from crownhead import Game
from tests.browser.accessibility import (
    DESKTOP,
    PHONE,
    Look,
    assert_nothing_found,
    inspect_pages,
    problems_in_every_look,
    problems_in_two_looks,
    violations,
    violations_in_both_colour_schemes,
)
from tests.browser.conftest import ActiveMember, NewVisitor
from tests.browser.page_paths import OWN, PUBLIC
from tests.browser.pointer import devtools
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor
from tests.club import Club, Player
from tests.lengths import short_and_full

pytestmark = pytest.mark.browser

LOOKS = pytest.mark.parametrize("look", short_and_full(problems_in_two_looks, problems_in_every_look))

FIRST_VISIT, REQUESTS = 60 * 1024, 15  # bytes, compressed
ELEMENT_NODE = 1  # of a DOM node's types
ELEMENTS = 3_000  # with those that `use` repeats

# Adds up how far what is on the page has shifted without being touched, from before its first paint on.
SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


@LOOKS
def test_axe_finds_nothing_on_public_pages(new_visitor: NewVisitor, look: Look) -> None:
    guest = new_visitor()

    assert_nothing_found(inspect_pages(guest, PUBLIC, look))

    guest.console_errors[:] = [line for line in guest.console_errors if "404" not in line]  # /no-such-page/


@LOOKS
def test_axe_finds_nothing_on_a_members_pages(
    new_visitor: NewVisitor, active_member: ActiveMember, look: Look
) -> None:
    member = new_visitor()
    member.sign_in(active_member.member, active_member.password)

    assert_nothing_found(inspect_pages(member, [*OWN, *active_member.pages], look))


def test_axe_finds_nothing_while_a_piece_is_selected(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/?fen=W:W26,30:BK22,14,6")

    guest.square(26).click()

    assert problems_in_two_looks(guest.page) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_in_the_open_menu(
    new_visitor: NewVisitor, active_member: ActiveMember, size: dict[str, int]
) -> None:
    member = new_visitor(viewport=size)
    member.sign_in(active_member.member, active_member.password)
    member.go("/")
    lists = member.page.locator("[data-menu] summary")

    for at in range(lists.count()):
        lists.nth(at).click()
        assert violations_in_both_colour_schemes(member.page) == []


@pytest.mark.parametrize("panel", ["Board settings", "Keyboard shortcuts ?"])
def test_axe_finds_nothing_on_the_panels(new_visitor: NewVisitor, panel: str) -> None:
    guest = new_visitor()
    guest.go("/analysis/")

    guest.page.get_by_role("button", name=panel).click()

    assert problems_in_two_looks(guest.page) == []


@pytest.mark.parametrize(
    ("theme", "numbers"),
    [
        pytest.param(theme, numbers, marks=pytest.mark.nightly if (number + place) % 2 else ())
        for number, theme in enumerate(("tournament", "wood", "slate", "contrast"))
        for place, numbers in enumerate(("inside", "outside"))
    ],
)
def test_axe_finds_nothing_in_any_theme(new_visitor: NewVisitor, theme: str, numbers: str) -> None:
    guest = new_visitor()
    guest.go("/analysis/?variant=turkish")
    guest.page.evaluate(
        "(chosen) => localStorage.setItem('crownhead:board', JSON.stringify(chosen))",
        {"theme": theme, "numbers": numbers},
    )

    guest.go("/analysis/?variant=turkish")

    assert violations(guest.page) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_page_loads(new_visitor: NewVisitor, size: dict[str, int]) -> None:
    guest = new_visitor(viewport=size)
    guest.page.add_init_script(SHIFTS)
    guest.go("/analysis/")
    kept = {"theme": "wood", "numbers": "outside", "names": "algebraic"}
    guest.page.evaluate("(kept) => localStorage.setItem('crownhead:board', JSON.stringify(kept))", kept)

    assert_nothing_found({path: shift_of(guest, path) for path in PUBLIC if "no-such" not in path})


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_page_of_a_member_loads(
    new_visitor: NewVisitor, active_member: ActiveMember, size: dict[str, int]
) -> None:
    member = new_visitor(viewport=size)
    member.sign_in(active_member.member, active_member.password)
    member.page.add_init_script(SHIFTS)

    assert_nothing_found({path: shift_of(member, path) for path in [*OWN, *active_member.pages]})


def test_nothing_shifts_on_a_slow_device(new_visitor: NewVisitor, active_member: ActiveMember) -> None:
    guest = new_visitor(viewport=PHONE)
    guest.page.add_init_script(SHIFTS)
    devtools(guest.page).send("Emulation.setCPUThrottlingRate", {"rate": 6})

    assert_nothing_found(
        {path: shift_of(guest, path) for path in ("/", active_member.pages[0], "/rules/russian/", "/watch/")}
    )


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_the_answer_to_a_wrong_move_is_looked_for(
    new_visitor: NewVisitor, size: dict[str, int]
) -> None:
    guest = new_visitor(viewport=size)
    guest.page.add_init_script(SHIFTS)
    guest.go("/problems/1e31a9892f/?wrong=19-15")

    expect(guest.page.locator("[data-said]")).to_contain_text("answers")
    assert guest.page.evaluate("shifted") == 0


def test_nothing_shifts_on_the_page_of_a_game_when_the_opponent_moves(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "shifts-red", "shifts-white")
    white.page.add_init_script(SHIFTS)
    white.page.reload()
    white.settle()

    submit(red, 11, 15)
    white.expect_turn()

    assert white.page.evaluate("shifted") == 0


def test_the_first_visit_of_a_game_is_light(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "light-red", "light-white")
    submit(red, 11, 15)
    white.expect_turn()
    guest = new_visitor()

    sizes = transferred(guest, red.path)

    assert 10_000 < sum(sizes) < FIRST_VISIT
    assert 5 <= len(sizes) <= REQUESTS


@pytest.mark.parametrize(
    ("variant", "plies", "seed"), [("international", 150, 412), ("american", 230, 450)], ids=str
)
def test_the_first_visit_of_a_long_game_is_light(
    club: Club, new_visitor: NewVisitor, variant: str, plies: int, seed: int
) -> None:
    path = play_at_random(club, variant, plies, seed)
    guest = new_visitor()

    sizes = transferred(guest, path)

    assert guest.page.locator("[data-list] a[href^='?ply=']").count() == plies
    assert 10_000 < sum(sizes) < FIRST_VISIT
    assert 5 <= len(sizes) <= REQUESTS


@pytest.mark.parametrize("path", ["/rules/", "/rules/international/", "/new/"])
def test_pages_of_many_boards_have_few_elements(new_visitor: NewVisitor, path: str) -> None:
    member = new_visitor(f"counts-{len(path)}")
    member.go(path)

    assert 300 < elements(member.page) < ELEMENTS


# ----------------------------------------------------------------------------------------- how it is measured
def shift_of(visitor: Visitor, path: str) -> float:
    """How far a page has shifted once it is there."""
    visitor.go(path)
    return shifted(visitor.page)


def shifted(page: Page) -> float:
    """To four places: what is less is the rounding of a pixel, a thousandth of what browsers call good."""
    found: float = page.evaluate("shifted")
    return round(found, 4)


def play_at_random(club: Club, variant: str, plies: int, seed: int) -> str:
    """Two members play legal moves, the same on every run; the path of their game, which goes on."""
    players = [Player(club.port, f"{name}-{plies}") for name in ("ada", "ben")]
    for player in players:
        player.register()
    offer = {"variant": variant, "colour": "first", "days_per_move": 3, "rated": False}
    public_id = players[0].expect(201, "POST", "/games", offer)["id"]
    players[1].expect(200, "POST", f"/waiting-room/{public_id}/join")
    dice, game = random.Random(seed), Game(variant)
    for ply in range(plies):
        move = dice.choice(game.position.legal_moves())
        sent = {"move": game.position.notations()[move], "version": ply}
        players[ply % 2].expect(200, "POST", f"/games/{public_id}/moves", sent)
        game.push(move)
    assert game.outcome() is None
    return f"/games/{public_id}/"


def elements(page: Page) -> int:
    """How many elements the browser holds for a page, those within others' shadows too."""
    pending = [devtools(page).send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]]
    count = 0
    while pending:
        node = pending.pop()
        count += node["nodeType"] == ELEMENT_NODE
        pending += [*node.get("children", ()), *node.get("shadowRoots", ())]
    return count


def transferred(visitor: Visitor, path: str) -> list[int]:
    """The bytes of each answer that comes over the wire, headers and all, with nothing kept from before."""
    wire = devtools(visitor.page)
    wire.send("Network.enable")
    sizes: list[int] = []

    def finished(event: dict[str, Any]) -> None:
        sizes.append(round(event["encodedDataLength"]))

    wire.on("Network.loadingFinished", finished)
    visitor.go(path)
    visitor.page.wait_for_load_state("networkidle")
    return sizes
