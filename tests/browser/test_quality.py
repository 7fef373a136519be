"""Every page: nothing that axe finds or the browser complains of, nothing that shifts, little to load."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.addresses import OWN, PUBLIC
from tests.browser.conftest import Lived, Seat
from tests.browser.hands import devtools
from tests.browser.looks import DESKTOP, PHONE, by_day_and_night, faultless, flaws, objections, seen
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

FIRST_VISIT = 100 * 1024  # bytes, compressed

# Adds up how far what is on the page has shifted without being touched, from before its first paint on.
SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


def test_axe_finds_nothing_on_public_pages(seat: Seat) -> None:
    guest = seat()

    faultless(seen(guest, PUBLIC, flaws))

    guest.complaints[:] = [line for line in guest.complaints if "404" not in line]  # /no-such-page/


def test_axe_finds_nothing_on_a_members_pages(seat: Seat, lived: Lived) -> None:
    member = seat()
    member.sign_in(lived.member, lived.password)

    faultless(seen(member, [*OWN, *lived.pages], flaws))


def test_axe_finds_nothing_while_a_piece_is_selected(seat: Seat) -> None:
    guest = seat()
    guest.go("/try/?fen=W:W26,30:BK22,14,6")

    guest.square(26).click()

    assert flaws(guest.page) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_in_the_open_menu(seat: Seat, lived: Lived, size: dict[str, int]) -> None:
    member = seat(viewport=size)
    member.sign_in(lived.member, lived.password)
    lists = member.page.locator("[data-menu] summary")

    for at in range(lists.count()):
        lists.nth(at).click()
        assert by_day_and_night(member.page) == []


@pytest.mark.parametrize("panel", ["Board settings", "Keys ?"])
def test_axe_finds_nothing_on_the_panels(seat: Seat, panel: str) -> None:
    guest = seat()
    guest.go("/try/")

    guest.page.get_by_role("button", name=panel).click()

    assert flaws(guest.page) == []


@pytest.mark.parametrize("theme", ["tournament", "wood", "slate", "contrast"])
@pytest.mark.parametrize("numbers", ["inside", "outside"])
def test_axe_finds_nothing_in_any_theme(seat: Seat, theme: str, numbers: str) -> None:
    guest = seat()
    guest.go("/try/?variant=turkish")
    guest.page.evaluate(
        "(chosen) => localStorage.setItem('crownhead:board', JSON.stringify(chosen))",
        {"theme": theme, "numbers": numbers},
    )

    guest.go("/try/?variant=turkish")

    assert objections(guest.page) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_page_comes_up(seat: Seat, size: dict[str, int]) -> None:
    guest = seat(viewport=size)
    guest.page.add_init_script(SHIFTS)
    guest.go("/try/")
    kept = {"theme": "wood", "numbers": "outside", "names": "algebraic"}
    guest.page.evaluate("(kept) => localStorage.setItem('crownhead:board', JSON.stringify(kept))", kept)

    faultless({path: shift_of(guest, path) for path in PUBLIC if "no-such" not in path})


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_shifts_while_a_members_page_comes_up(seat: Seat, lived: Lived, size: dict[str, int]) -> None:
    member = seat(viewport=size)
    member.sign_in(lived.member, lived.password)
    member.page.add_init_script(SHIFTS)

    faultless({path: shift_of(member, path) for path in [*OWN, *lived.pages]})


def test_nothing_shifts_on_a_slow_device(seat: Seat, lived: Lived) -> None:
    guest = seat(viewport=PHONE)
    guest.page.add_init_script(SHIFTS)
    devtools(guest.page).send("Emulation.setCPUThrottlingRate", {"rate": 6})

    faultless({path: shift_of(guest, path) for path in ("/", lived.pages[0], "/rules/russian/", "/watch/")})


def test_nothing_shifts_on_the_page_of_a_game_when_the_opponent_moves(seat: Seat) -> None:
    red, white = start_game(seat, "shifts-red", "shifts-white")
    white.page.add_init_script(SHIFTS)
    white.page.reload()
    white.settle()

    submit(red, 11, 15)
    white.expect_turn()

    assert white.page.evaluate("shifted") == 0


def test_the_first_visit_of_a_game_is_light(seat: Seat) -> None:
    red, white = start_game(seat, "light-red", "light-white")
    submit(red, 11, 15)
    white.expect_turn()
    guest = seat()

    size = transferred(guest, red.path)

    assert 10_000 < size < FIRST_VISIT


# ----------------------------------------------------------------------------------------- how it is measured
def shift_of(visitor: Visitor, path: str) -> float:
    """How far a page has shifted once it is there."""
    visitor.go(path)
    return shifted(visitor.page)


def shifted(page: Page) -> float:
    """To four places: what is less is the rounding of a pixel, a thousandth of what browsers call good."""
    found: float = page.evaluate("shifted")
    return round(found, 4)


def transferred(visitor: Visitor, path: str) -> int:
    """The bytes that come over the wire, headers and all, with nothing kept from before."""
    wire = devtools(visitor.page)
    wire.send("Network.enable")
    sizes: list[float] = []

    def finished(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.on("Network.loadingFinished", finished)
    visitor.go(path)
    visitor.page.wait_for_load_state("networkidle")
    return round(sum(sizes))
