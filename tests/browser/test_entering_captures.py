"""Captures of several pieces, entered in every way on a board where they go at once.

``test_captures`` does the same where a move waits for Submit; that every capture of every variant can be
entered by these ways, and none leads to another one, is tested without a browser (``tests/js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from crownhead import Position
from crownhead.rules.geometry import squares
from crownhead.server.play.presenters.board.moves import touched
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_by_touch, drag_with_mouse
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
_AT = "document.activeElement.dataset.square"
_PLACE = """(square) => {
  const { x, y } = square.getBoundingClientRect();
  return [Math.round(x), Math.round(y)];
}"""


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture in a position, by its notation; ``route``: over which squares, if not as it is written."""

    variant: str
    fen: str
    text: str
    route: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        """The position before it."""
        return Position.from_fen(self.fen, self.variant)

    @property
    def path(self) -> tuple[int, ...]:
        """Its origin, landings and target."""
        return self.route or next(
            move.path for move, text in self.position.notations().items() if text == self.text
        )

    @property
    def choices(self) -> tuple[int, ...]:
        """The squares that have to be chosen: what is forced completes itself."""
        path, chosen = self.path[:1], [self.path[0]]
        while len(path) < len(self.path):
            chosen.append(self.path[len(path)])
            path = touched(self.position, path).after(chosen[-1])
        return tuple(chosen)

    @property
    def ends_alone(self) -> bool:
        """Whether its origin and its target say which capture it is."""
        offered = touched(self.position, self.path[:1]).targets
        end = touched(self.position, offered.get(self.path[-1], ()))
        return self.path[0] != self.path[-1] and end.chosen_text == self.text

    def written(self, path: tuple[int, ...], by: str) -> str:
        """Squares by their names."""
        board = self.position.variant
        names = {at.number: at.name for at in squares(board.board, board.notation).values()}
        return by.join(names[square] for square in path)


CAPTURES = {
    "forced to its end": Capture("american", "W:W26:B22,14,6,28", "26x1"),
    "a choice at the end": Capture("american", "W:W26:B22,14,6,7,28", "26x3"),
    "back to where it began": Capture("american", "W:WK11:B6,7,14,16,23,24", "11x11"),
    "over a square twice": Capture("american", "W:WK21:B10,11,17,18,19,27", "21x14x7x16x23x32"),
    "ends where it has been": Capture("american", "W:WK21:B10,11,17,18,19,27", "21x14"),
    "a flying king comes back": Capture("international", "W:WK26:B5,11,21,33,34,37,43", "26x26"),
    "the other way round": Capture("international", "W:WK26:B5,11,21,33,34,37,43", "26x6"),
    "round a circle": Capture("american", "B:W6,7,14,15:BK2,4", "2x2"),
    "round it the other way": Capture("american", "B:W6,7,14,15:BK2,4", "2x2", (2, 11, 18, 9, 2)),
    "round a long circle the other way": Capture(
        "international", "W:WK26:B5,11,21,33,34,37,43", "26x26", (26, 48, 39, 17, 26)
    ),
    "not behind the first piece of a line": Capture(
        "international", "W:WK46:B37,19,10", "46x5", (46, 23, 14, 5)
    ),
    "by names of squares": Capture("russian", "W:WKa3:Bc7,e5,b4,b2,d2", "a3:c1:f4:d6:b8"),
    "along the rows": Capture("turkish", "W:WKf4:Bf8,f7,d6,f5,a4,f3,e2", "f4xf2"),
}
IN_CI = ("forced to its end", "round it the other way", "over a square twice", "a flying king comes back")
Way = Callable[[Visitor, Capture], None]


def click(visitor: Visitor, path: tuple[int, ...]) -> None:
    for square in path:
        visitor.square(square).click()


def click_every_square(visitor: Visitor, capture: Capture) -> None:
    """As somebody does who does not wait: what is clicked after the move was made changes nothing."""
    click(visitor, capture.path)


def click_where_there_is_a_choice(visitor: Visitor, capture: Capture) -> None:
    click(visitor, capture.choices)


def click_the_ends(visitor: Visitor, capture: Capture) -> None:
    click(visitor, (capture.path[0], capture.path[-1]))


def drag_hop_by_hop(visitor: Visitor, capture: Capture) -> None:
    """Every drag begins where the piece has gone by itself meanwhile."""
    for start, end in drags(capture):
        drag_with_mouse(visitor, start, end)


def drag_to_the_end(visitor: Visitor, capture: Capture) -> None:
    drag_with_mouse(visitor, capture.path[0], capture.path[-1])


def go(visitor: Visitor, path: tuple[int, ...]) -> None:
    """Arrows go from square to square, Enter chooses."""
    for square in path:
        arrow_to(visitor, square)
        visitor.page.keyboard.press("Enter")


def go_by_arrows(visitor: Visitor, capture: Capture) -> None:
    go(visitor, capture.choices)


def type_square_after_square(visitor: Visitor, capture: Capture) -> None:
    visitor.square(capture.path[0]).focus()
    for square in capture.choices:
        visitor.page.keyboard.type("." + capture.written((square,), ""))
        expect(visitor.square(square)).to_be_focused()
        visitor.page.keyboard.press("Enter")


def type_text(text: Callable[[Capture], str]) -> Way:
    """Type the move into the field beside the board."""

    def way(visitor: Visitor, capture: Capture) -> None:
        field = visitor.page.get_by_label("Move", exact=True)
        field.fill(text(capture))
        expect(visitor.square(capture.path[-1])).to_have_attribute("data-state", "placed")
        field.press("Enter")

    return way


BY_MOUSE: dict[str, Way] = {
    "a click on every square": click_every_square,
    "clicks where there is a choice": click_where_there_is_a_choice,
    "dragged hop by hop": drag_hop_by_hop,
}
BY_ITS_ENDS: dict[str, Way] = {
    "a click on both ends": click_the_ends,
    "dragged to its end": drag_to_the_end,
    "its ends by arrows": lambda visitor, capture: go(visitor, (capture.path[0], capture.path[-1])),
    "its ends typed": type_text(lambda capture: capture.written((capture.path[0], capture.path[-1]), "-")),
}
BY_KEYS: dict[str, Way] = {
    "by arrows and Enter": go_by_arrows,
    "by names of squares and Enter": type_square_after_square,
    "typed as it is written": type_text(lambda capture: capture.text),
    "typed with x": type_text(lambda capture: capture.written(capture.path, "x")),
    "typed with dashes": type_text(lambda capture: capture.written(capture.path, "-")),
    "typed with spaces": type_text(lambda capture: capture.written(capture.path, " ")),
    "typed without a square": type_text(
        lambda capture: capture.written((*capture.path[:1], *capture.path[2:]), "x")
    ),
}


def drags(capture: Capture) -> Iterator[tuple[int, int]]:
    """From where to where the piece is dragged, as long as there is a choice."""
    path = capture.path[:1]
    for square in capture.choices[1:]:
        yield path[-1], square
        path = touched(capture.position, path).after(square)


def arrow_to(visitor: Visitor, square: int) -> None:
    """Reach a square of the board by arrows alone, first along its row."""
    page = visitor.page
    if not visitor.square(square).page.evaluate(_AT):
        page.locator("checkers-board button[tabindex='0']").focus()
    goal = visitor.square(square).evaluate(_PLACE)
    for _ in range(40):
        here = page.evaluate(_AT)
        if here == str(square):
            return
        x, y = visitor.square(int(here)).evaluate(_PLACE)
        if y != goal[1]:
            page.keyboard.press("ArrowDown" if y < goal[1] else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if x < goal[0] else "ArrowLeft")
    raise AssertionError(f"expected to reach {square} by arrows, got {page.evaluate(_AT)}")


def expect_made(visitor: Visitor, capture: Capture) -> None:
    """The capture, and nothing else, is in the list of moves and on the board."""
    listed = re.compile(rf"^\s*1\.\s*(…\s*)?{re.escape(capture.text)}\s*$")
    expect(visitor.page.locator(".plies")).to_have_text(listed, timeout=10_000)
    after = capture.position.play(capture.text)
    on_board = visitor.page.locator("checkers-board .piece:not([data-ghost])")
    expect(on_board).to_have_count(len(after.pieces))
    expect(visitor.square(capture.path[-1]).locator(".piece:not([data-ghost])")).to_have_count(1)


def enter_in_every_way(visitor: Visitor, capture: Capture, ways: Mapping[str, Way]) -> list[str]:
    """Enter it in each way on a fresh board; the ways that did not lead to it."""
    failed = []
    for name, enter in ways.items():
        visitor.go(f"/analysis/?variant={capture.variant}&fen={quote(capture.fen)}")
        visitor.page.evaluate("sessionStorage.clear()")
        try:
            enter(visitor, capture)
            expect_made(visitor, capture)
        except AssertionError as error:
            failed.append(f"{name}: {error}")
    return failed


EACH = pytest.mark.parametrize(
    "capture",
    [
        pytest.param(capture, id=name, marks=() if name in IN_CI else pytest.mark.nightly)
        for name, capture in CAPTURES.items()
    ],
)


@EACH
def test_a_capture_is_entered_by_mouse_and_by_keys(new_visitor: NewVisitor, capture: Capture) -> None:
    ways = {**BY_MOUSE, **BY_KEYS, **(BY_ITS_ENDS if capture.ends_alone else {})}

    assert enter_in_every_way(new_visitor(reduced_motion="reduce"), capture, ways) == []


@EACH
def test_a_capture_is_entered_by_touch(new_visitor: NewVisitor, capture: Capture) -> None:
    def tap(visitor: Visitor, path: tuple[int, ...]) -> None:
        for square in path:
            visitor.square(square).tap()

    def drag(visitor: Visitor, capture: Capture) -> None:
        for start, end in drags(capture):
            drag_by_touch(visitor, start, end)

    ways: dict[str, Way] = {
        "a tap on every square": lambda visitor, capture: tap(visitor, capture.path),
        "taps where there is a choice": lambda visitor, capture: tap(visitor, capture.choices),
        "dragged hop by hop": drag,
    }
    if capture.ends_alone:
        ends = capture.path[0], capture.path[-1]
        ways |= {
            "a tap on both ends": lambda visitor, _capture: tap(visitor, ends),
            "dragged to its end": lambda visitor, _capture: drag_by_touch(visitor, *ends),
        }

    assert enter_in_every_way(new_visitor(**PHONE), capture, ways) == []


@EACH
def test_a_capture_is_entered_where_the_server_answers(new_visitor: NewVisitor, capture: Capture) -> None:
    """Without WebAssembly, and until the laws are here."""
    guest = new_visitor()
    guest.page.add_init_script("delete globalThis.WebAssembly")
    ways = {
        "clicks where there is a choice": click_where_there_is_a_choice,
        "dragged hop by hop": drag_hop_by_hop,
        "by arrows and Enter": go_by_arrows,
        **({"a click on both ends": click_the_ends} if capture.ends_alone else {}),
    }

    assert enter_in_every_way(guest, capture, ways) == []


def test_the_captures_are_of_every_kind() -> None:
    """Forced to the end, with a choice on the way, over a square twice, back to the origin."""
    found = CAPTURES.values()
    assert any(len(capture.choices) == 2 for capture in found)
    assert any(len(capture.choices) > 2 for capture in found)
    assert any(len(set(capture.path)) < len(capture.path) for capture in found)
    assert any(capture.path[0] == capture.path[-1] for capture in found)
    assert {capture.ends_alone for capture in found} == {True, False}
