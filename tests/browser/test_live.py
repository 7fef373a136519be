"""The page of the opponent follows the game by the event stream, or after a reload."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import APIResponse, Request, Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitors import PASSWORD, Visitor

pytestmark = pytest.mark.browser

_ASK_WHATEVER_IS_PRESSED = """
document.querySelector("[data-refresh]").dispatchEvent(new CustomEvent("refresh", { bubbles: false }))
"""
# The monotonic clock of a device stands still while it sleeps. What the clock on turn says when it wakes.
_SLEEP = """(slept) => {
  const wall = Date.now.bind(Date);
  Date.now = () => wall() + slept;
  document.dispatchEvent(new Event("visibilitychange"));
  return document.querySelector("[data-left]").textContent;
}"""
_WATCH_MY_MESSAGE = """() => {
  globalThis.wasGone = false;
  const look = () => { globalThis.wasGone ||= !document.querySelector(".chat [data-mine]"); };
  new MutationObserver(look).observe(document.querySelector("main"), { childList: true, subtree: true });
}"""


def start_game(new_visitor: NewVisitor, first: str, second: str, **pace: object) -> tuple[Visitor, Visitor]:
    """Two members before their game, made as programs make it: the forms have tests of their own."""
    red, white = new_visitor(first), new_visitor(second)
    terms = {"variant": "american", "colour": "first", **(pace or {"days_per_move": 3})}
    game = red.call("/games", terms)["id"]
    white.call(f"/waiting-room/{game}/join")
    for player in (red, white):
        player.go(f"/games/{game}/")
    red.expect_turn()
    return red, white


def offer_draw(player: Visitor) -> None:
    """Offer a draw, and say so once more."""
    player.open_link("Offer a draw")
    player.page.get_by_role("button", name="Yes, offer a draw").click()
    expect(player.page.locator(".offer")).to_have_text("You offered a draw.")


def accept_draw(player: Visitor) -> None:
    """Accept the opponent's offer, and say so once more."""
    player.open_link("Accept")
    player.page.get_by_role("button", name="Yes, accept the draw").click()


def submit(player: Visitor, *squares: int) -> None:
    """Make a move; one of a live game goes at once."""
    goes_at_once = player.page.locator("[data-live-game]").count() > 0
    for square in squares:
        player.square(square).click()
    if not goes_at_once:
        player.page.get_by_role("button", name="Submit").click()


def say(player: Visitor, text: str) -> None:
    """Write to the opponent."""
    player.page.locator("[data-tab='chat']").click()
    player.page.get_by_label("Message", exact=True).fill(text)
    player.page.keyboard.press("Enter")


def hold_request(player: Visitor, address: str | re.Pattern[str]) -> list[Route]:
    """Hold back the next request for an address; it is in the list once it is made."""
    held: list[Route] = []
    player.page.route(address, lambda route: held.append(route), times=1)
    return held


def wait_for_request(player: Visitor, held: list[Route]) -> Route:
    """The request that is held back, as soon as it is made."""
    while not held:
        player.page.wait_for_timeout(10)
    return held[0]


def ask_for_news(player: Visitor) -> None:
    """Let the page request an update, and wait for the response."""
    with player.page.expect_response(lambda answer: answer.url.endswith(player.page.url)):
        player.page.evaluate(_ASK_WHATEVER_IS_PRESSED)


def test_the_opponents_page_shows_my_move_by_itself(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "live-red", "live-white")
    expect(white.status).to_have_text("Red to move.")

    submit(red, 11, 15)
    expect(white.status).to_have_text("Your turn.")

    expect(white.square(15)).to_have_accessible_name("15, red man, last move")
    spoken = white.page.locator("[data-announcer]")
    expect(spoken).to_have_text(re.compile(r"^Red moves 11 to 15\. Your turn\. 3 days left\.$"))
    expect(white.page).to_have_title("(1) live-red – live-white, American checkers · Crownhead")


def requests_of(visitor: Visitor) -> list[str]:
    """The pages and data asked for from now on: neither the stream nor files that are kept for ever."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/events" not in request.url and "/static/" not in request.url:
            asked.append(request.url.removeprefix(visitor.address))

    visitor.page.on("request", note)
    return asked


def test_a_move_reaches_the_opponent_and_watchers_without_the_page_being_asked_for(
    new_visitor: NewVisitor,
) -> None:
    red, white = start_game(new_visitor, "told-red", "told-white")
    watcher = new_visitor()
    watcher.go(white.path)
    asked_by_white, asked_by_watcher, asked_by_red = map(requests_of, (white, watcher, red))

    expect(white.page.locator(".submit-bar:visible")).to_have_attribute("data-waiting", "")
    submit(red, 11, 15)
    expect(white.status).to_have_text("Your turn.")
    expect(white.page.locator("form.submit-bar:visible")).to_have_count(1)
    expect(white.page.locator(".submit-bar:visible")).to_have_count(1)
    expect(watcher.status).to_have_text("White to move.")
    for visitor in (white, watcher):
        expect(visitor.square(15)).to_have_accessible_name("15, red man, last move")
        expect(visitor.page.locator(".plies a[aria-current]")).to_have_text("11-15")
        expect(visitor.page.locator(".status .muted")).to_have_text("Move 1")
        expect(visitor.page.locator(".strip[data-to-move] .side-name")).to_contain_text("White")
    expect(watcher.page.locator("[data-announcer]")).to_have_text("Red moves 11 to 15. White to move.")
    assert asked_by_watcher == []
    assert set(asked_by_white) <= {"/badges/"}

    asked_by_red.clear()
    submit(white, 22, 18)
    expect(red.status).to_have_text("Your turn.")
    expect(watcher.status).to_have_text("Red to move.")
    expect(watcher.page.locator(".plies li")).to_have_text(re.compile(r"^\s*11-15\s*22-18$"))
    submit(red, 15, 22)
    expect(watcher.page.locator(".plies li")).to_have_count(2)
    expect(watcher.page.locator("[data-taken='white'] [data-count]")).to_have_text("×1")
    expect(watcher.page.locator(".status .muted")).to_have_text("Move 2")
    assert asked_by_watcher == []
    posts = [path for path in asked_by_red if path not in {"/badges/"}]
    assert posts == [red.path], "the move that red sent, and nothing else"


def test_one_who_looks_at_an_earlier_position_is_not_taken_from_it(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "early-red", "early-white")
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)
    red.expect_turn()
    watcher = new_visitor()
    watcher.go(white.path)
    watcher.page.locator(".plies a[href='?ply=1']").click()

    submit(red, 15, 22)

    expect(watcher.page.locator(".plies a")).to_have_count(3)
    expect(watcher.page.locator(".plies a[aria-current]")).to_have_text("11-15")
    expect(watcher.square(22)).to_have_accessible_name("22, white man")
    watcher.page.get_by_role("link", name="Latest position").click()
    expect(watcher.square(22)).to_have_accessible_name("22, red man, last move")


def test_a_line_that_was_cut_is_taken_up_without_redrawing(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "cut-red", "cut-white")
    asked = requests_of(white)
    for _ in range(2):
        with white.page.expect_request("**/events*"):
            white.page.evaluate("globalThis.dispatchEvent(new Event('online'))")
    submit(red, 11, 15)
    expect(white.status).to_have_text("Your turn.")
    assert set(asked) <= {"/badges/"}


def test_the_end_of_a_game_reaches_those_who_watch(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "end-red", "end-white")
    watcher = new_visitor()
    watcher.go(white.path)

    offer_draw(white)
    expect(watcher.page.locator(".offer")).to_have_text("White offers a draw.")
    accept_draw(red)

    expect(watcher.status).to_have_text("Draw by agreement.")


def test_moves_missed_while_offline_appear_after_reconnecting(new_visitor: NewVisitor) -> None:
    red, white = start_game(partial(new_visitor, service_workers="allow"), "away-red", "away-white")
    white.page.context.set_offline(True)

    submit(red, 11, 15)
    red.expect_move_made(1)
    white.page.context.set_offline(False)

    expect(white.status).to_have_text("Your turn.")
    white.console_errors.clear()  # the browser says that it was offline


def test_a_page_that_wakes_has_the_right_clocks_at_once_and_asks_once(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "wakes-red", "wakes-white", clock={"initial": 600, "increment": 0})
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)
    red.expect_turn()
    asked: list[str] = []
    white.page.on("request", lambda request: asked.append(request.url.removeprefix(white.address)))

    assert re.fullmatch(r"[56]:\d\d", white.page.evaluate(_SLEEP, 240_000))
    expect(white.page.locator("[data-left]")).to_have_text(re.compile(r"9:\d\d"))  # as the server says
    white.page.wait_for_timeout(1500)

    assert [path for path in asked if path.startswith("/games/")] == [white.path]
    assert sum(path.startswith("/events") for path in asked) == 1


def test_a_failed_update_is_requested_again(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "again-red", "again-white")
    asks = "**" + white.path
    white.page.route(asks, lambda route: route.fulfill(status=503, body="Come back soon."), times=1)

    offer_draw(red)

    expect(white.page.locator(".offer p")).to_have_text("again-red offers a draw.")
    white.console_errors.clear()  # the browser says that the server was busy


def test_a_reload_shows_the_move_without_the_stream(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "plain-red", "plain-white")
    white.page.route("**/events*", lambda route: route.abort())
    white.page.reload()

    submit(red, 11, 15)
    red.expect_move_made(1)
    white.page.reload()

    expect(white.status).to_have_text("Your turn.")
    white.page.close()  # until then it tries again
    white.console_errors.clear()  # the browser says that the stream was cut


def test_moves_are_shown_while_an_update_hangs_which_is_requested_again(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "hangs-red", "hangs-white")
    white.page.evaluate("htmx.config.timeout = 3000")
    held = hold_request(white, "**" + white.path)
    say(red, "Hello.")
    wait_for_request(white, held)

    submit(red, 11, 15)

    expect(white.status).to_have_text("Your turn.")
    unread = white.page.locator(".tabs .unread-mark")
    expect(unread).to_be_hidden()
    expect(unread).to_be_visible()
    white.console_errors.clear()  # htmx says that it took too long


@pytest.mark.parametrize("failure", ["busy", "cut"])
def test_a_move_whose_request_failed_is_sent_again(new_visitor: NewVisitor, failure: str) -> None:
    red, white = start_game(new_visitor, f"fails-red-{failure}", f"fails-white-{failure}")
    held = hold_request(red, "**" + red.path)
    submit(red, 11, 15)
    request = wait_for_request(red, held)

    if failure == "busy":
        request.fulfill(status=503, body="Come back soon.")
    else:
        request.abort("connectionreset")

    lost = red.page.locator("[data-connection-lost]")
    expect(lost).to_have_text("Your connection was lost. Your move will be sent when it is back.")
    expect(red.page.locator(".plies a")).to_have_text(["11-15"])  # it stays on the board
    expect(lost).to_have_text("You are connected again, and your move was sent.")
    expect(white.status).to_have_text("Your turn.")
    red.console_errors.clear()  # the browser says what happened


def test_forms_and_moves_are_sent_after_signing_in_again_in_another_tab(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "again-here", "again-there", clock={"initial": 600, "increment": 0})
    sign_in_again(red)
    submit(red, 11, 15)
    white.expect_turn()
    expect(red.status).to_have_text("White to move.")

    sign_in_again(red)
    say(red, "Hello.")

    expect(white.page.locator(".tabs .unread-mark")).to_be_visible()
    expect(red.page.locator(".chat [data-mine]")).to_have_count(1)
    expect(red.page.locator("main")).to_have_count(1)
    red.console_errors.clear()  # the browser says that the first try was refused


def sign_in_again(player: Visitor) -> None:
    """Sign out and in again, as in another tab: the page has the token of a session that is over."""
    sign_out_elsewhere(player)
    player.sign_in(player.name, PASSWORD)


def sign_out_elsewhere(player: Visitor) -> None:
    """Sign out as in another tab."""
    token = player.page.locator("input[name=csrfmiddlewaretoken]").first.get_attribute("value")
    address = f"{player.address}/accounts/logout/"
    form: dict[str, str | float | bool] = {"csrfmiddlewaretoken": token or ""}
    headers = {"Referer": player.address}
    assert player.page.request.post(address, form=form, headers=headers, max_redirects=0).status == 302


def test_a_page_is_a_guests_after_signing_out_in_another_tab(new_visitor: NewVisitor) -> None:
    visitor = new_visitor("leaves-elsewhere")
    visitor.go("/rules/")

    sign_out_elsewhere(visitor)

    expect(visitor.page.get_by_role("link", name="Sign up").first).to_be_visible()
    expect(visitor.page.locator("[data-connection-lost]")).to_have_text("")
    visitor.console_errors.clear()  # the browser says that the stream was refused


def test_a_draw_offer_reaches_the_opponent_and_their_answer_comes_back(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "offer-red", "offer-white")

    offer_draw(white)
    expect(red.page.locator(".offer p")).to_have_text("offer-white offers a draw.")
    accept_draw(red)

    for player in (red, white):
        expect(player.status).to_have_text("Draw by agreement.")


def test_neither_an_update_nor_a_move_takes_away_a_button_that_is_pressed(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "pressed-red", "pressed-white")
    offer_draw(red)
    white.page.get_by_role("button", name="Decline").hover()

    white.page.mouse.down()
    say(red, "Shall we?")
    expect(red.page.get_by_text("Shall we?").last).to_be_visible()
    ask_for_news(white)
    submit(red, 11, 15)
    expect(white.status).to_have_text("Your turn.")
    expect(white.page.locator(".tabs .unread-mark")).to_be_hidden()
    white.page.mouse.up()

    for player in (red, white):
        expect(player.page.locator(".offer")).to_have_count(0)
    expect(white.page.locator(".tabs .unread-mark")).to_be_visible()


def test_a_late_response_does_not_undo_a_newer_one(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "late-red", "late-white")
    late: list[tuple[Route, APIResponse]] = []
    asks = "**" + white.path
    white.page.route(asks, lambda route: late.append((route, route.fetch())), times=1)
    say(red, "Hello.")
    while not late:
        white.page.wait_for_timeout(10)

    say(white, "And hello.")
    expect(white.page.locator(".chat [data-mine]")).to_have_count(1)
    ((route, answer),) = late
    white.page.evaluate(_WATCH_MY_MESSAGE)
    with white.page.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    assert white.page.evaluate("globalThis.wasGone") is False


def test_my_games_updates_when_it_is_my_turn(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "home-red", "home-white")
    white.go("/")
    expect(white.page.get_by_text("It's not your turn in any game.")).to_be_visible()

    submit(red, 11, 15)

    expect(white.page.get_by_role("link", name="My games your turn: 1")).to_be_visible()
    expect(white.page).to_have_title("(1) My games · Crownhead")


def test_the_focus_stays_where_it_was_when_the_page_follows_the_game(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "focus-red", "focus-white")
    white.square(18).focus()

    submit(red, 11, 15)
    white.expect_turn()

    expect(white.square(18)).to_be_focused()
    expect(red.page.get_by_role("button", name="Submit")).to_have_count(0)


def test_a_typed_move_that_is_refused_is_explained_and_the_field_kept(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "types-red", "types-white", clock={"initial": 300, "increment": 0})
    field = red.page.locator("[data-move]")

    def type_move(text: str) -> None:
        red.page.keyboard.type(text)
        red.page.keyboard.press("Enter")

    field.focus()
    type_move("11-15")
    white.expect_turn()
    expect(red.page.locator("[data-waiting] input")).to_be_focused()
    submit(white, 22, 18)
    red.expect_turn()
    expect(field).to_be_focused()

    type_move("12-16")
    why = "That move is not legal here. You must jump with 15."
    expect(red.page.locator("[data-hint]")).to_have_text(why)
    expect(red.page.locator("[data-announcer]")).to_have_text(why)
    expect(field).to_be_focused()
    field.fill("")
    type_move("15x22")
    white.expect_turn()
    assert len(red.console_errors) == 1
    assert "422" in red.console_errors.pop()
