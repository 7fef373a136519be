"""The site as an app: it can be installed, has an offline page, and shows push messages."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Playwright, expect

from tests.browser.conftest import CHROMIUM, launched
from tests.browser.visitors import TIMEOUT, Visitor, open_window
from tests.club import Club, Player

pytestmark = pytest.mark.browser

_READY = "async () => (await navigator.serviceWorker.ready).active.state"
_CACHED = """async () => {
  const names = await caches.keys();
  const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return found.flat().map((request) => new URL(request.url).pathname);
}"""
_SHOWS_MOVES = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('game_news'))"
_KEEPING = """async ([path, wanted, patience, cacheName = "own-games"]) => {
  const where = { cacheName, ignoreVary: true };
  const isKept = async () => (await caches.match(path, where)) !== undefined;
  const end = performance.now() + patience;
  while ((await isKept()) !== wanted) {
    if (performance.now() > end) throw new Error(`expected ${path} to be ${wanted ? "kept" : "forgotten"}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}"""
_STANDALONE = """
const asked = matchMedia;
globalThis.matchMedia = (query) => query === "(display-mode: standalone)" ? { matches: true } : asked(query);
"""
_SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
_FETCHED_JUST_NOW = "sessionStorage.setItem('crownhead:ahead', String(Date.now()));"
_SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map((shown) => [shown.title, shown.body, shown.data.link]);
}"""
# Chromium takes a message that is written down but not yet drawn for one that was put away, and forgets it
# when it is asked at that moment: so nobody asks before the message stands there.
_TELL_WHEN_SHOWN = """(patience) => {
  const show = registration.showNotification;
  self.message = new Promise((done, fail) => {
    setTimeout(() => fail(new Error("expected a message to be shown, got none")), patience);
    registration.showNotification = (...told) => {
      registration.showNotification = show;
      const shown = show.apply(registration, told);
      shown.then(done, fail);
      return shown;
    };
  });
}"""
# The page asks again now and then by itself, which is not to happen while it is asked to.
_NO_SECOND_TRY = "globalThis.setInterval = () => 0;"
_BADGES = """
window.badges = [];
navigator.setAppBadge = async (count) => { window.badges.push(count); };
navigator.clearAppBadge = async () => { window.badges.push(0); };
"""
_SUBSCRIBES = """
const made = {
  endpoint: "https://updates.push.services.mozilla.com/wpush/v2/abc",
  toJSON() { return { endpoint: this.endpoint, expirationTime: null, keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg" } }; },
  async unsubscribe() { localStorage.removeItem("made"); return true; },
};
PushManager.prototype.getSubscription = async () => localStorage.getItem("made") ? made : null;
PushManager.prototype.subscribe = async (options) => {
  window.options = { visible: options.userVisibleOnly, key: options.applicationServerKey.length };
  localStorage.setItem("made", "1");
  return made;
};
Notification.requestPermission = async () => "granted";
"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The whole Chromium: the smaller one installs nothing and shows no messages."""
    yield from launched(playwright, CHROMIUM)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server that a test may stop."""
    running = Club(tmp_path_factory.mktemp("installed") / "data")
    running.start()
    yield running
    if running.process is not None:
        running.stop()


@pytest.fixture
def guest(browser: Browser, own: Club) -> Iterator[Visitor]:
    """A guest whose browser has installed the service worker."""
    visitor = open_window(browser, own.address, service_workers="allow")
    visitor.go("/")
    assert visitor.page.evaluate(_READY) in {"activating", "activated"}
    yield visitor
    visitor.page.context.close()


def tools(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def member(browser: Browser, own: Club, name: str, *scripts: str) -> Visitor:
    """A window of a member, with scripts that run before those of the page."""
    visitor = open_window(browser, own.address, service_workers="allow")
    for script in scripts:
        visitor.page.add_init_script(script)
    visitor.sign_up(name)
    visitor.go("/")
    return visitor


def on_turn(browser: Browser, own: Club, name: str, other: str) -> tuple[Visitor, Player, str]:
    """A window of a member who is to move in a game of days per move, the opponent, and the game."""
    visitor, rival = member(browser, own, name), Player(own.port, other)
    rival.register()
    terms = {"variant": "american", "colour": "second", "days_per_move": 3, "opponent": name}
    game: str = rival.expect(201, "POST", "/games", terms)["id"]
    visitor.call(f"/invitations/{game}/accept")
    visitor.page.evaluate(_READY)
    return visitor, rival, game


def sign_out(visitor: Visitor) -> None:
    """Leave by the menu, and wait for the page of guests."""
    visitor.page.locator("form[action$='/logout/'] button").first.evaluate("(button) => button.click()")
    visitor.page.wait_for_url(f"{visitor.address}/")


def test_the_browser_finds_nothing_wrong_with_the_manifest(guest: Visitor) -> None:
    wire = tools(guest.page)
    found = wire.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert found["errors"] == []
    assert json.loads(found["data"])["display"] == "standalone"
    wrong = wire.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in wrong if error["errorId"] != "in-incognito"] == []


def test_the_service_worker_covers_the_whole_site(guest: Visitor) -> None:
    scope = guest.page.evaluate("async () => (await navigator.serviceWorker.ready).scope")
    assert scope == f"{guest.address}/"


def test_of_a_guest_the_service_worker_keeps_only_the_offline_page(guest: Visitor) -> None:
    guest.go("/rules/american/")
    guest.go("/waiting-room/")
    kept = guest.page.evaluate(_CACHED)
    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/crownhead/") for path in kept)
    assert len(kept) == len(set(kept)) <= 10


def test_an_offline_page_is_shown_while_the_server_is_down(guest: Visitor, own: Club) -> None:
    guest.go("/rules/american/")
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("American checkers")
    guest.page.add_init_script(_NO_SECOND_TRY)
    own.stop()
    try:
        guest.page.goto(f"{guest.address}/rules/american/")
        heading = guest.page.get_by_role("heading", level=1)
        expect(heading).to_have_text("Can't reach the club")
        box = guest.page.locator(".box")
        assert box.evaluate("(box) => getComputedStyle(box).borderTopWidth") == "1px"  # its style is there
        assert guest.page.url.endswith("/rules/american/")
        guest.page.get_by_role("link", name="Try again").click()
        expect(heading).to_have_text("Can't reach the club")
    finally:
        own.start()
    # Afterwards, for the page that answers is left by what happens.
    guest.page.evaluate("setTimeout(() => dispatchEvent(new Event('online')))")
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("American checkers")


def test_games_are_at_hand_without_a_connection_and_their_moves_are_sent_later(
    browser: Browser, own: Club
) -> None:
    visitor, rival, game = on_turn(browser, own, "travel-anna", "travel-bernd")
    visitor.go(f"/games/{game}/")
    visitor.page.wait_for_function(_SHOWS_MOVES)
    visitor.go("/")
    visitor.page.evaluate(_KEEPING, [f"/games/{game}/", True, TIMEOUT])
    visitor.page.evaluate(_KEEPING, ["/", True, TIMEOUT])
    own.stop()
    try:
        visitor.go("/")
        expect(visitor.page.get_by_role("link", name="travel-bernd")).to_be_visible()
        visitor.go(f"/games/{game}/")
        for square in (11, 15):
            visitor.square(square).click()
        visitor.page.get_by_role("button", name="Submit").click()
        expect(visitor.page.locator(".connection")).to_contain_text("Your move will be sent when it is back.")
        expect(visitor.square(15)).to_have_accessible_name("15, red man, last move")
        visitor.go("/")  # the move outlives its page
    finally:
        own.start()
    expect(visitor.page.locator(".connection")).to_have_text(
        "You are connected again, and your move was sent.", timeout=4 * TIMEOUT
    )
    assert rival.expect(200, "GET", f"/games/{game}")["moves"] == ["11-15"]
    visitor.page.evaluate(_KEEPING, [f"/games/{game}/", False, TIMEOUT])  # it is no longer as it was

    sign_out(visitor)
    expect(visitor.page.get_by_role("link", name="Sign up").first).to_be_visible()
    visitor.page.evaluate(_KEEPING, ["/", False, TIMEOUT])
    visitor.page.context.close()


def test_no_game_is_at_hand_for_who_signs_in_after_a_session_has_ended(browser: Browser, own: Club) -> None:
    visitor, _rival, game = on_turn(browser, own, "shared-anna", "shared-bernd")
    visitor.go(f"/games/{game}/")
    visitor.page.evaluate(_KEEPING, [f"/games/{game}/", True, TIMEOUT])
    visitor.page.context.clear_cookies()  # as if it had ended elsewhere, or by itself
    visitor.go("/accounts/login/")
    visitor.page.evaluate(_KEEPING, [f"/games/{game}/", False, TIMEOUT])
    visitor.page.context.close()


def test_the_installed_club_fetches_the_games_in_which_it_is_the_members_turn(
    browser: Browser, own: Club
) -> None:
    visitor, _rival, game = on_turn(browser, own, "ahead-anna", "ahead-bernd")
    visitor.go("/")
    assert f"/games/{game}/" not in visitor.page.evaluate(_CACHED)
    visitor.page.add_init_script(_STANDALONE)
    visitor.go("/")
    visitor.page.evaluate(_KEEPING, [f"/games/{game}/", True, TIMEOUT])
    visitor.page.context.close()


def test_the_installed_club_has_games_problems_and_the_computer_ahead_without_a_connection(
    browser: Browser, own: Club
) -> None:
    visitor, rival, mine = on_turn(browser, own, "packed-anna", "packed-bernd")
    terms = {"variant": "russian", "colour": "first", "days_per_move": 3, "opponent": "packed-anna"}
    theirs: str = rival.expect(201, "POST", "/games", terms)["id"]
    visitor.call(f"/invitations/{theirs}/accept")
    visitor.page.add_init_script(_STANDALONE)
    visitor.go("/")
    visitor.page.evaluate(_KEEPING, ["/computer/", True, TIMEOUT, "computer"])  # the last that is fetched
    tools(visitor.page).send("Network.clearBrowserCache")  # only what is kept on purpose
    own.stop()
    try:
        for game in (mine, theirs):
            visitor.go(f"/games/{game}/")
            expect(visitor.page.get_by_role("link", name="packed-bernd").first).to_be_visible()
            box = visitor.page.locator("checkers-board").bounding_box()
            assert box is not None
            assert box["width"] > 300  # its style is there
        visitor.go("/problems/practice/")
        visitor.page.get_by_role("button", name="Show the solution").click()
        expect(visitor.page.locator("[data-said]")).to_have_text("This is the solution.")
        visitor.go("/computer/")
        for square in visitor.page.locator("checkers-board").evaluate("(board) => board.moves[0].path"):
            visitor.page.locator(f"button[data-square='{square}']").click()
        expect(visitor.page.locator("[data-list] a")).to_have_count(2)
    finally:
        own.start()

    visitor.go("/")
    sign_out(visitor)
    expect(visitor.page.get_by_role("link", name="Sign up").first).to_be_visible()
    for game in (mine, theirs):
        visitor.page.evaluate(_KEEPING, [f"/games/{game}/", False, TIMEOUT])
    visitor.page.context.close()


@pytest.mark.parametrize("why", ["visit", "data"])
def test_nothing_is_fetched_ahead_twice_in_a_visit_or_where_data_is_to_be_saved(
    browser: Browser, own: Club, why: str
) -> None:
    visitor = member(browser, own, f"sparing-{why}")
    visitor.page.evaluate(_READY)
    visitor.page.add_init_script(_STANDALONE)
    visitor.page.add_init_script(_SAVES_DATA if why == "data" else _FETCHED_JUST_NOW)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.go("/")
    visitor.page.wait_for_timeout(5000)
    assert any("for_offline" in url for url in asked)
    assert not any("/problems/practice/" in url or "/computer/" in url for url in asked)
    visitor.page.context.close()


def test_a_push_message_is_shown_and_names_the_game(browser: Browser, own: Club) -> None:
    visitor = open_window(browser, own.address, service_workers="allow")
    visitor.page.context.grant_permissions(["notifications"], origin=own.address)
    visitor.go("/")
    visitor.page.evaluate(_READY)
    push(visitor.page, own, {"title": "Your turn", "body": "anna moved.", "link": "/games/x/", "tag": "g"})
    assert visitor.page.evaluate(_SHOWN) == [["Your turn", "anna moved.", "/games/x/"]]
    push(visitor.page, own, {"title": "Your turn again", "body": "", "link": "/games/x/", "tag": "g"})
    # of one game there is one message
    assert visitor.page.evaluate(_SHOWN) == [["Your turn again", "", "/games/x/"]]
    visitor.page.context.close()


def test_signing_out_removes_push_messages_from_the_screen(browser: Browser, own: Club) -> None:
    visitor = open_window(browser, own.address, service_workers="allow")
    visitor.page.context.grant_permissions(["notifications"], origin=own.address)
    visitor.sign_up("leaving-anna")
    visitor.go("/")
    visitor.page.evaluate(_READY)
    visitor.go("/waiting-room/")
    push(visitor.page, own, {"title": "Your turn", "body": "", "link": "/games/x/", "tag": "g"})
    assert visitor.page.evaluate(_SHOWN) == [["Your turn", "", "/games/x/"]]
    sign_out(visitor)
    until = time.monotonic() + TIMEOUT / 1000
    while visitor.page.evaluate(_SHOWN) and time.monotonic() < until:
        visitor.page.wait_for_timeout(20)
    assert visitor.page.evaluate(_SHOWN) == []
    visitor.page.context.close()


def test_a_button_turns_push_messages_on_and_off(browser: Browser, own: Club) -> None:
    visitor = member(browser, own, "push-anna", _SUBSCRIBES)
    visitor.go("/notices/preferences/")
    visitor.page.get_by_role("button", name="Turn on for this device").click()
    expect(visitor.page.locator(".devices li")).to_have_count(1)
    visitor.page.get_by_role("button", name="Turn off for this device").click()
    expect(visitor.page.locator(".devices li")).to_have_count(0)
    expect(visitor.page.get_by_role("button", name="Turn on for this device")).to_be_visible()
    assert visitor.console_errors == []
    visitor.page.context.close()


def test_the_app_badge_and_the_menu_are_updated(browser: Browser, own: Club) -> None:
    visitor = member(browser, own, "badge-anna", _BADGES)
    rival = Player(own.port, "badge-bernd")
    rival.register()
    visitor.go("/notices/")
    expect(visitor.page.get_by_text("No notifications yet.")).to_be_visible()
    terms = {"variant": "american", "colour": "second", "days_per_move": 3, "opponent": "badge-anna"}
    rival.expect(201, "POST", "/games", terms)

    line = visitor.page.locator(".notice-list li")
    expect(line).to_have_count(1)
    expect(line.get_by_role("link")).to_have_text("badge-bernd invites you to a game of American checkers")
    expect(visitor.page.locator("[data-badge='invitations'] b").first).to_have_text("1")
    visitor.go("/invitations/")
    visitor.page.get_by_role("button", name="Accept").first.click()
    expect(visitor.page.locator("[data-badge='on_turn'] b").first).to_have_text("1")
    visitor.page.wait_for_function("() => window.badges.at(-1) === 1")
    assert visitor.console_errors == []
    visitor.page.context.close()


def push(page: Page, own: Club, message: dict[str, Any]) -> None:
    """Deliver a push message to the service worker, and wait until it is shown."""
    (worker,) = page.context.service_workers
    worker.evaluate(_TELL_WHEN_SHOWN, TIMEOUT)
    wire = tools(page)
    found: list[str] = []
    wire.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(row["registrationId"] for row in event["registrations"]),
    )
    wire.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    wire.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": own.address, "registrationId": found[-1], "data": json.dumps(message)},
    )
    worker.evaluate("() => self.message")
    wire.detach()
