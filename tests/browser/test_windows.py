"""Small windows of the page of a game, large ones at 200 % zoom, and forced colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

PHONES = [(360, 640), (360, 560), (320, 568), (640, 360), (320, 256)]
AT_TWICE = [(640, 450), (640, 390), (568, 320), (740, 360)]  # of windows at 200 % zoom
# What a window shows without zoom, and by how much it is zoomed.
ZOOMED = [(1280, 800, 2), (1920, 1080, 2), (1024, 768, 2), (1366, 768, 2), (768, 1024, 2), (1280, 1024, 4)]
_IS_ON_TOP = """(element) => {
  const box = element.getBoundingClientRect();
  const inside = (x, y) => element.contains(document.elementFromPoint(x, y));
  const [left, right, top, bottom] = [box.left + 4, box.right - 4, box.top + 4, box.bottom - 4];
  return inside(left, top) && inside(right, top) && inside(left, bottom) && inside(right, bottom);
}"""
_IS_SHOWN = "(element) => element.offsetWidth > 8 && getComputedStyle(element).clipPath === 'none'"
_CUT = """() => [...document.querySelectorAll(".strip .name")]
  .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)
  .map((name) => name.textContent)"""
_PLACES = """() => [...document.querySelectorAll("checkers-board, .standing, .panels, .side")].map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [part.className, x, y + scrollY, width, height].join(" ");
})"""
_TO_THE_MIDDLE = "(element) => element.scrollIntoView({ block: 'center' })"
_NEARLY_SQUARE = [(512, 384), (600, 450)]
_BOARD = "document.querySelector('checkers-board').getBoundingClientRect().width"
_BACKGROUND = "(element) => getComputedStyle(element).backgroundColor"


def with_an_offer(new_visitor: NewVisitor, name: str, **options: object) -> Visitor:
    """White's window of a game with long names: White is on turn, and Red offers a draw."""
    red, white = new_visitor(f"the-smaller-{name}"), new_visitor(f"the-longest-{name}", **options)
    game = red.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    white.call(f"/waiting-room/{game}/join")
    red.call(f"/games/{game}/moves", {"move": "11-15", "version": 0})
    red.call(f"/games/{game}/draw-offer")
    white.go(f"/games/{game}/")
    return white


def is_on_top(button: Locator) -> bool:
    """Whether the button is in the window, with nothing over it."""
    return bool(button.evaluate(_IS_ON_TOP))


def test_submit_and_offers_are_never_behind_the_bar(new_visitor: NewVisitor) -> None:
    white = with_an_offer(new_visitor, "bar")
    accept = white.page.locator(".offer").get_by_role("link", name="Accept")

    for width, height in PHONES:
        white.page.set_viewport_size({"width": width, "height": height})
        white.page.evaluate("scrollTo(0, 0)")
        assert is_on_top(accept), (width, height)
        assert white.page.evaluate(_CUT) == [], (width, height)
        white.page.locator("[data-square='24']").evaluate("(square) => square.click()")
        white.page.locator("[data-square='20']").evaluate("(square) => square.click()")
        expect(white.field).to_have_value("24-20")
        assert is_on_top(white.submit), (width, height)
        assert is_on_top(white.page.get_by_role("button", name="Cancel")), (width, height)
        white.page.keyboard.press("Escape")
        expect(white.field).to_have_value("")


def test_why_a_touch_led_to_nothing_is_on_the_first_screen(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("hint-red"), new_visitor("hint-white")
    game = red.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    white.call(f"/waiting-room/{game}/join")
    for version, (player, move) in enumerate(((red, "11-15"), (white, "22-18"))):
        player.call(f"/games/{game}/moves", {"move": move, "version": version})
    red.go(f"/games/{game}/")
    guest = new_visitor()
    guest.go("/")
    hints = ((red, "You must jump with 15."), (guest, "The piece on 1 can't move."))

    for width, height in (*PHONES, *AT_TWICE):
        for visitor, why in hints:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.page.evaluate("scrollTo(0, 0)")
            visitor.square(1).evaluate("(square) => square.click()")
            hint = visitor.page.locator("[data-hint]")
            expect(hint).to_have_text(why)
            expect(hint).to_be_in_viewport(ratio=1)
            menu, box = visitor.page.locator(".menu").bounding_box(), hint.bounding_box()
            assert menu is not None
            assert box is not None
            assert box["y"] + box["height"] <= menu["y"] or box["x"] >= menu["x"] + menu["width"], (
                width,
                height,
            )


def test_at_twice_the_size_the_board_and_both_names_are_on_the_first_screen(new_visitor: NewVisitor) -> None:
    white = with_an_offer(new_visitor, "twice")
    white.go(white.path)  # without what the first page said

    for width, height in AT_TWICE:
        white.page.set_viewport_size({"width": width, "height": height})
        white.page.evaluate("scrollTo(0, 0)")
        for part in white.page.locator(".play .strip, .board-form").all():
            expect(part).to_be_in_viewport(ratio=1)
        for name in ("24", "20"):
            white.page.locator(f"[data-square='{name}']").evaluate("(square) => square.click()")
        expect(white.field).to_have_value("24-20")
        assert white.field.evaluate("(field) => field.clientWidth") >= 120, (width, height)
        bar, board = (white.page.locator(part).bounding_box() for part in ("form.submit-bar", ".board-form"))
        assert bar is not None
        assert board is not None
        assert bar["x"] >= board["x"] + board["width"] or bar["y"] >= board["y"] + board["height"]
        white.page.keyboard.press("Escape")
        expect(white.field).to_have_value("")


def test_board_and_players_are_not_behind_a_move_that_waits(new_visitor: NewVisitor) -> None:
    white = with_an_offer(new_visitor, "waits")
    white.go(white.path)
    menu, bar = white.page.locator(".menu"), white.page.locator("form.submit-bar:has([data-move])")

    for width, height in (*PHONES[:3], (390, 664), *_NEARLY_SQUARE):
        white.page.set_viewport_size({"width": width, "height": height})
        white.page.evaluate("scrollTo(0, 0)")
        for name in ("24", "20"):
            white.page.locator(f"[data-square='{name}']").evaluate("(square) => square.click()")
        expect(white.field).to_have_value("24-20")
        for part in white.page.locator(".play .strip, .board-form").all():
            expect(part).to_be_in_viewport(ratio=1)
            assert not overlap(part, bar), (width, height)
        expect(menu).to_be_hidden()
        white.page.get_by_role("button", name="Cancel").click()
        expect(menu).to_be_visible()


def test_the_second_tap_on_submit_opens_no_menu(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("twice-red"), new_visitor("twice-white", viewport={"width": 360, "height": 560})
    game = red.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    white.call(f"/waiting-room/{game}/join")
    red.call(f"/games/{game}/moves", {"move": "11-15", "version": 0})
    white.go(f"/games/{game}/")
    for name in ("24", "20"):
        white.page.locator(f"[data-square='{name}']").evaluate("(square) => square.click()")

    white.submit.dblclick()

    white.expect_move_made(2)
    assert white.page.locator("[data-menu] details[open]").count() == 0


def test_in_the_smallest_window_the_board_is_not_behind_a_move_that_waits(new_visitor: NewVisitor) -> None:
    white = with_an_offer(new_visitor, "tiny", viewport={"width": 320, "height": 256})
    white.go(white.path)

    for name in ("24", "20"):
        white.page.locator(f"[data-square='{name}']").evaluate("(square) => square.click()")

    assert is_on_top(white.submit)
    assert not overlap(
        white.page.locator(".board-form"), white.page.locator("form.submit-bar:has([data-move])")
    )


def overlap(one: Locator, other: Locator) -> bool:
    """Whether two parts of the page share more than a rounded pixel."""
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    return (
        first["x"] < second["x"] + second["width"] - 1
        and second["x"] < first["x"] + first["width"] - 1
        and first["y"] < second["y"] + second["height"] - 1
        and second["y"] < first["y"] + first["height"] - 1
    )


def test_the_menu_has_its_words_in_every_window(new_visitor: NewVisitor) -> None:
    member = new_visitor("reads-labels")
    member.go("/")

    for width, height in (*PHONES, *AT_TWICE, (1280, 900)):
        member.page.set_viewport_size({"width": width, "height": height})
        for word in ("My games", "Play", "Community", "Watch"):
            label = member.page.locator("[data-menu] .item > span", has_text=word).first
            assert label.evaluate("(text) => text.scrollWidth <= text.clientWidth || !text.clientWidth"), word
            assert label.evaluate(_IS_SHOWN), (word, width, height)


def test_what_one_may_do_in_a_live_game_is_on_the_first_screen_of_a_phone(new_visitor: NewVisitor) -> None:
    red, white = new_visitor("live-thumb"), new_visitor("live-finger")
    terms = {"variant": "american", "colour": "first", "clock": {"initial": 600, "increment": 0}}
    game = red.call("/games", terms)["id"]
    white.call(f"/waiting-room/{game}/join")
    red.go(f"/games/{game}/")
    expect(red.page.get_by_text("Welcome, live-thumb.")).to_be_hidden(timeout=15_000)

    for width, height in PHONES[:-1]:
        red.page.set_viewport_size({"width": width, "height": height})
        red.page.evaluate("scrollTo(0, 0)")
        for name in ("Abort", "Offer a draw", "Give your opponent 15 seconds", "Resign"):
            assert is_on_top(red.page.get_by_role("button", name=name)), (name, width, height)


@pytest.mark.parametrize("clock", [{"clock": {"initial": 600}}, {"days_per_move": 3}], ids=["live", "days"])
def test_what_opens_after_the_end_of_a_game_lies_over_the_page_and_moves_nothing(
    new_visitor: NewVisitor, clock: dict[str, object]
) -> None:
    pace = next(iter(clock))[:4]
    red, white = new_visitor(f"over-red-{pace}"), new_visitor(f"over-white-{pace}")
    for visitor in (red, white):
        visitor.page.goto("about:blank")  # no page that would take them to the game
    game = red.call("/games", {"variant": "american", "colour": "first", **clock})["id"]
    white.call(f"/waiting-room/{game}/join")
    for version, (player, move) in enumerate(((red, "11-15"), (white, "22-18"))):
        player.call(f"/games/{game}/moves", {"move": move, "version": version})
    white.call(f"/games/{game}/resign")
    red.go(f"/games/{game}/")
    summary = red.page.locator(".over summary")
    message = red.page.get_by_label("A message with the invitation")

    for width, height in ((1280, 800), *PHONES[:4]):
        red.page.set_viewport_size({"width": width, "height": height})
        before = red.page.evaluate(_PLACES)
        summary.click()
        message.evaluate(_TO_THE_MIDDLE)
        assert is_on_top(message), (width, height)
        assert red.page.evaluate(_PLACES) == before, (width, height)
        message.fill("Well played!")
        for button in red.page.locator(".over > .button").all():
            button.evaluate(_TO_THE_MIDDLE)
            assert is_on_top(button), (width, height)
        message.press("Tab")
        expect(message).to_be_hidden()
        expect(message).to_have_value("Well played!")


def test_submit_is_never_behind_the_bar_without_javascript(new_visitor: NewVisitor) -> None:
    white = with_an_offer(
        new_visitor, "plain", java_script_enabled=False, viewport={"width": 360, "height": 560}
    )

    white.press(white.square(24))
    white.press(white.square(20))

    expect(white.submit).to_be_in_viewport(ratio=1)
    white.submit.click(trial=True)
    white.press(white.submit)
    white.expect_move_made(2)


def test_what_stands_beside_a_board_never_overlaps_in_a_wide_low_window(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.page.set_viewport_size({"width": 1280, "height": 720})
    for path in ("/try/", "/analysis/", "/problems/1e31a9892f/"):
        guest.go(path)
        table, side = (guest.page.locator(f".game > .{part}").bounding_box() for part in ("table", "side"))
        assert table is not None
        assert side is not None
        assert table["y"] + table["height"] <= side["y"] or table["x"] != side["x"], path


def test_the_board_is_never_smaller_than_without_zoom(new_visitor: NewVisitor) -> None:
    white = with_an_offer(new_visitor, "zoom")

    for width, height, zoom in ZOOMED:
        white.page.set_viewport_size({"width": width, "height": height})
        plain = white.page.evaluate(_BOARD)
        white.page.set_viewport_size({"width": width // zoom, "height": height // zoom})
        assert white.page.evaluate(_BOARD) * zoom >= plain - zoom, (width, height)
        assert white.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)


def differs(one: Locator, other: Locator, what: str) -> bool:
    """Whether a script finds something else for two elements."""
    return bool(one.evaluate(what) != other.evaluate(what))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_board_can_be_read_in_forced_colours(new_visitor: NewVisitor, scheme: str) -> None:
    white = with_an_offer(new_visitor, f"c-{scheme}", forced_colors="active", color_scheme=scheme)
    page, find = white.page, white.page.locator
    dark, light = find(".square[data-shade='dark']").first, find(".squares")

    assert differs(dark, light, _BACKGROUND)
    fill = "(element) => getComputedStyle(element).getPropertyValue('--disc')"
    assert differs(white.square(1).locator("svg"), white.square(32).locator("svg"), fill)
    dots = find(".strip > .dot")
    assert differs(dots.first, dots.last, _BACKGROUND)
    assert differs(find(".plies a[aria-current]"), find(".tabs a:not([aria-current])").first, _BACKGROUND)
    assert differs(find(".tabs a[aria-current]"), find(".tabs a:not([aria-current])").first, _BACKGROUND)
    assert page.locator(".offer").evaluate("(offer) => getComputedStyle(offer).borderTopWidth") == "2px"
