"""Visitors in browser windows: they sign up, create and join games, and play on the board."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from crownhead import Position

PASSWORD = "a corner by the window"
TIMEOUT = 30_000  # milliseconds; generous for a busy machine
_BLOCKED = "Service Worker registration blocked by Playwright"  # told as a warning
_FIRST_PAGE = 90_000  # that of a club which has just started, and loads what it needs
expect.set_options(timeout=TIMEOUT)
# Playwright polls in longer and longer intervals, which adds up in a whole game.
_SOON = """([selector, text, timeout]) => new Promise((done) => {
  const until = performance.now() + timeout;
  const look = () => {
    const found = document.querySelector(selector);
    const there = found && found.textContent.includes(text);
    if (there || performance.now() > until) done();
    else setTimeout(look, 10);
  };
  look();
})"""


@dataclass(slots=True)
class Visitor:
    """A browser window of one person; ``console_errors``: errors and warnings of the browser."""

    page: Page
    address: str
    name: str = ""
    has_javascript: bool = True
    console_errors: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open a page and wait until its board, if it has one, is ready."""
        self.page.goto(self.address + path)
        self.settle()

    def open_link(self, name: str) -> None:
        """Follow a link and wait for the other page, so that this one is not taken for it."""
        before = self.page.url
        self.page.get_by_role("link", name=name).click()
        self.page.wait_for_url(lambda url: url != before)
        self.settle()

    def soon(self, selector: str, text: str = "") -> None:
        """Wait briefly for something a script will show; the caller checks whether it came."""
        if self.has_javascript:
            self.page.evaluate(_SOON, [selector, text, TIMEOUT])

    def settle(self) -> None:
        """Wait until the board is ready, if there is one and JavaScript runs."""
        if self.has_javascript and self.page.locator("checkers-board").count():
            expect(self.page.locator("checkers-board[data-ready]")).to_have_count(1)

    def sign_up(self, name: str) -> None:
        """Sign up by posting the form; the window shows no page yet."""
        self.name = name
        address = f"{name}@club.example"
        self._send("/accounts/signup/", {"username": name, "email": address, "password1": PASSWORD})

    def sign_up_by_form(self, name: str) -> None:
        """Sign up through the form, as a new member does."""
        self.name = name
        self.go("/accounts/signup/")
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("E-mail").fill(f"{name}@club.example")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.locator("main").get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_role("link", name="My games")).to_be_visible()

    def sign_in(self, name: str, password: str) -> None:
        """Sign in by posting the form; the window shows no page yet."""
        self.name = name
        self._send("/accounts/login/", {"login": name, "password": password})

    def _send(self, path: str, fields: dict[str, str]) -> None:
        """Post the form of a page, none of which is drawn; the window keeps the cookies."""
        form = self.page.request.get(self.address + path, timeout=_FIRST_PAGE).text()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None, f"expected a form at {path}, got {form[:400]}"
        sent = {**fields, "csrfmiddlewaretoken": token[1]}
        headers = {"Referer": self.address + path}
        answer = self.page.request.post(self.address + path, form=sent, headers=headers, max_redirects=0)
        told = " ".join(re.sub(r"<[^>]+>", " ", answer.text().partition("<main")[2]).split())
        assert answer.status == 302, f"expected to be signed in by {path}, got {answer.status}: {told[:400]}"

    def call(self, path: str, body: object = None) -> Any:
        """POST to the API as the member of this window; the body of the answer."""
        (token,) = (c["value"] for c in self.page.context.cookies() if c["name"] == "csrftoken")
        headers = {"X-CSRFToken": token, "Referer": self.address}
        answer = self.page.request.post(f"{self.address}/api/v1{path}", data=body or {}, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def offer(self, variant: str = "American checkers", side: str = "Red (first)") -> str:
        """Create a game in the waiting room; the path of its page."""
        self.go("/new/")
        self.choose(variant)
        self.page.get_by_label(side, exact=True).check()
        self.page.get_by_role("button", name="Create game").click()
        expect(self.status).to_have_text("Waiting for an opponent.")
        return self.path

    def choose(self, variant: str) -> None:
        """Choose a variant in the form of a new game: open its group and check it."""
        label = self.page.get_by_label(variant, exact=True)
        group = self.page.locator("details", has=label)
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        label.check()
        if not self.has_javascript:
            self.page.get_by_role("button", name="Show board and rules").click()

    def take_from_waiting_room(self, creator: str) -> None:
        """Join the game of a creator."""
        self.go("/waiting-room/")
        self.page.get_by_role("button", name=f"Join {creator}'s game").click()
        expect(self.page.get_by_text("The game has started.")).to_be_visible()
        self.settle()

    @property
    def path(self) -> str:
        """The path of the page."""
        return self.page.url.removeprefix(self.address)

    @property
    def status(self) -> Locator:
        """The status line of the game."""
        return self.page.locator(".status strong")

    @property
    def field(self) -> Locator:
        """The text field that holds the chosen move."""
        return self.page.locator(".standing .submit-bar:not([hidden]) .move-text input")

    @property
    def submit(self) -> Locator:
        """The button that sends the chosen move."""
        return self.page.locator(".standing .submit-bar:not([hidden]) > button")

    def press(self, button: Locator) -> None:
        """Click; without scripts, also wait for the next page."""
        if self.has_javascript:
            button.click()
            return
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            button.click()

    def square(self, number: int) -> Locator:
        """The button of a square."""
        return self.page.locator(f"checkers-board button[data-square='{number}']")

    def expect_turn(self) -> None:
        """Wait until the page says that it is this player's turn, and its board is ready."""
        self.soon(".status strong", "Your turn.")
        expect(self.status).to_have_text("Your turn.")
        self.settle()

    def expect_move_made(self, ply: int) -> None:
        """Wait until the move list shows a ply."""
        self.soon(f".plies a[href='?ply={ply}']")
        expect(self.page.locator(f".plies a[href='?ply={ply}']")).to_be_visible()


def follow(position: Position, text: str) -> tuple[tuple[int, ...], Position]:
    """The path of a move, and the position after it."""
    move = position.parse(text)
    return move.path, position.play(move)


def open_window(browser: Browser, address: str, **options: object) -> Visitor:
    """A browser window with its own cookies that collects errors on the console.

    It has no service worker, which costs a tenth of a test, unless ``service_workers="allow"`` is given.
    """
    context = browser.new_context(**{"service_workers": "block", **options})  # type: ignore[arg-type]
    context.set_default_timeout(TIMEOUT)
    visitor = Visitor(
        context.new_page(), address, has_javascript=options.get("java_script_enabled") is not False
    )

    def note(line: ConsoleMessage) -> None:
        if line.type in {"error", "warning"} and line.text != _BLOCKED:
            visitor.console_errors.append(line.text)

    visitor.page.on("console", note)
    visitor.page.on("pageerror", lambda error: visitor.console_errors.append(str(error)))
    return visitor


def unfold(inside: Locator) -> None:
    """Open by keyboard what something is folded away in, if it is."""
    folded = inside.page.locator("details:not([open])", has=inside)
    if folded.count():
        folded.first.locator("summary").press("Enter")
