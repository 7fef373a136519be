"""People in front of a browser: they sign up, offer and take games, and play on the board."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from crownhead import Position

PASSWORD = "a corner by the window"
PATIENCE = 15_000  # milliseconds, for a busy machine; what is expected takes a fraction of a second
expect.set_options(timeout=PATIENCE)
# Playwright looks again after longer and longer pauses; a whole game is a hundred of them.
_SOON = """([selector, text, patience]) => new Promise((done) => {
  const until = performance.now() + patience;
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
    """A browser window of one person. ``complaints``: what the browser itself held against our pages."""

    page: Page
    address: str
    name: str = ""
    scripted: bool = True
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open a page and wait until its board, if it has one, listens."""
        self.page.goto(self.address + path)
        self.settle()

    def open_link(self, name: str) -> None:
        """Go to another page by a link of this one; what stands on this one is not taken for the other."""
        before = self.page.url
        self.page.get_by_role("link", name=name).click()
        self.page.wait_for_url(lambda url: url != before)
        self.settle()

    def soon(self, selector: str, text: str = "") -> None:
        """Wait for what a script will bring, without a pause too much; whether it came is asked by others."""
        if self.scripted:
            self.page.evaluate(_SOON, [selector, text, PATIENCE])

    def settle(self) -> None:
        """Wait for the board to listen, where there is a board and JavaScript."""
        if self.scripted and self.page.locator("checkers-board").count():
            expect(self.page.locator("checkers-board[data-ready]")).to_have_count(1)

    def sign_up(self, name: str) -> None:
        """Make an account by what the form sends, and come to the start page."""
        self.name = name
        address = f"{name}@club.example"
        self._send("/accounts/signup/", {"username": name, "email": address, "password1": PASSWORD})

    def sign_up_by_form(self, name: str) -> None:
        """Make an account as a new member does."""
        self.name = name
        self.go("/accounts/signup/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("E-mail").fill(f"{name}@club.example")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.locator("main").get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_role("link", name="My games")).to_be_visible()

    def sign_in(self, name: str, password: str) -> None:
        """Sign in by what the form sends, and come to the start page."""
        self.name = name
        self._send("/accounts/login/", {"login": name, "password": password})

    def _send(self, path: str, fields: dict[str, str]) -> None:
        """Send the form of a page without drawing the page; the window keeps the cookies."""
        form = self.page.request.get(self.address + path).text()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None, f"expected a form at {path}, got {form[:400]}"
        sent = {**fields, "csrfmiddlewaretoken": token[1]}
        self.page.request.post(self.address + path, form=sent, headers={"Referer": self.address + path})
        self.go("/")
        expect(self.page.get_by_role("link", name="My games")).to_be_visible()

    def call(self, path: str, body: object = None) -> Any:
        """What the API answers to who sits at this window."""
        (token,) = (c["value"] for c in self.page.context.cookies() if c["name"] == "csrftoken")
        headers = {"X-CSRFToken": token, "Referer": self.address}
        answer = self.page.request.post(f"{self.address}/api/v1{path}", data=body or {}, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def offer(self, variant: str = "American checkers", side: str = "Red, first") -> str:
        """Put a game into the waiting room; the path of its page."""
        self.go("/new/")
        self.choose(variant)
        self.page.get_by_label(side, exact=True).check()
        self.page.get_by_role("button", name="Create game").click()
        expect(self.status).to_have_text("Waiting for an opponent.")
        return self.path

    def choose(self, variant: str) -> None:
        """Choose a game in the form of a new one: open its group, and mark it; the form then follows."""
        label = self.page.get_by_label(variant, exact=True)
        group = self.page.locator("details", has=label)
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        label.check()
        if not self.scripted:
            self.page.get_by_role("button", name="Show board and rules").click()

    def take_from_waiting_room(self, creator: str) -> None:
        """Take the game that somebody offers."""
        self.go("/waiting-room/")
        self.page.get_by_role("button", name=f"Join {creator}'s game").click()
        expect(self.page.get_by_text("The game has begun.")).to_be_visible()
        self.settle()

    @property
    def path(self) -> str:
        """Where the page is, without the address of the club."""
        return self.page.url.removeprefix(self.address)

    @property
    def status(self) -> Locator:
        """The sentence that tells where the game stands."""
        return self.page.locator(".status strong")

    @property
    def field(self) -> Locator:
        """The text field that holds the chosen move."""
        return self.page.locator(".standing .move-text input")

    @property
    def submit(self) -> Locator:
        """The button that sends the chosen move."""
        return self.page.locator(".standing .submit-bar > button")

    def press(self, button: Locator) -> None:
        """Click; where no script runs, until the page that follows is there."""
        if self.scripted:
            button.click()
            return
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            button.click()

    def square(self, number: int) -> Locator:
        """The button of a square."""
        return self.page.locator(f"checkers-board button[data-square='{number}']")

    def expect_turn(self) -> None:
        """Wait until the page says that it is this player's turn, and its board listens."""
        self.soon(".status strong", "Your turn.")
        expect(self.status).to_have_text("Your turn.")
        self.settle()

    def expect_move_made(self, ply: int) -> None:
        """Wait until the move list has come to a ply."""
        self.soon(f".plies a[data-ply='{ply}']")
        expect(self.page.locator(f".plies a[data-ply='{ply}']")).to_be_visible()


def follow(position: Position, text: str) -> tuple[tuple[int, ...], Position]:
    """The squares a move goes over, and the position after it."""
    move = position.parse(text)
    return move.path, position.play(move)


def open_window(browser: Browser, address: str, **options: object) -> Visitor:
    """A browser window with cookies of its own, which keeps what the browser complains of."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    visitor = Visitor(context.new_page(), address, scripted=options.get("java_script_enabled") is not False)

    def note(line: ConsoleMessage) -> None:
        if line.type in {"error", "warning"}:
            visitor.complaints.append(line.text)

    visitor.page.on("console", note)
    visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
    return visitor
