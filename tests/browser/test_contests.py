"""Tournaments and teams in a browser: entering, tables that update, and everything without scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor, SampleClub
from tests.browser.visitors import TIMEOUT, Visitor

pytestmark = pytest.mark.browser


def announce(host: Visitor, name: str, *, players: int, live: bool = False) -> str:
    """Create a round robin that starts when it is full; the path of its page."""
    host.go("/tournaments/new/")
    if live:
        host.page.locator("[name='pace'][value='live']").check()
    host.page.get_by_label("Name", exact=True).fill(name)
    host.page.get_by_label(re.compile(r"^\s*Round robin")).check()
    expect(host.page.get_by_label(re.compile(r"^\s*How often everybody plays everybody"))).to_be_visible()
    host.page.get_by_label("Minimum players").fill(str(players))
    host.page.get_by_label("Maximum players").fill(str(players))
    host.page.get_by_role("button", name="Create tournament").click()
    expect(host.page.get_by_text("Tournament created.")).to_be_visible()
    return host.path


def enter(visitor: Visitor, path: str, *, live: bool = False) -> None:
    """Enter a tournament; where that fills a live one, the first game may come before the answer is read."""
    visitor.go(path)
    visitor.page.get_by_role("button", name="Enter", exact=True).click()
    answer = visitor.page.get_by_text("You have entered. Good luck!")
    expect(answer.or_(visitor.page.locator("article.game")).first if live else answer).to_be_visible()


def test_a_full_tournament_starts_and_its_table_updates_by_itself(new_visitor: NewVisitor) -> None:
    host, guest = new_visitor("hostess"), new_visitor("guest-one")
    third = new_visitor("guest-two")
    path = announce(host, "Cup of three", players=3)
    watcher = new_visitor()
    watcher.go(path)
    for visitor in (host, guest, third):
        enter(visitor, path)
    # The watcher has not touched anything: their page follows the tournament.
    expect(watcher.page.get_by_text("In progress, round 1 of 3.")).to_be_visible(timeout=2 * TIMEOUT)
    expect(watcher.page.get_by_role("heading", name="Standings")).to_be_visible()
    players = [visitor for visitor in (host, guest, third) if plays(visitor, path)]
    assert len(players) == 2
    loser = players[0]
    loser.page.get_by_role("link", name="My next game").click()
    expect(loser.page).to_have_url(re.compile("/games/"))
    loser.go(f"{loser.path}resign/")
    loser.page.get_by_role("button", name="Yes, resign").click()
    expect(watcher.page.get_by_text("In progress, round 2 of 3.")).to_be_visible(timeout=2 * TIMEOUT)
    winner = players[1].name
    row = watcher.page.get_by_role("row").filter(has=watcher.page.get_by_role("rowheader", name=winner))
    expect(row.get_by_role("cell", name="1", exact=True).first).to_be_visible()


def test_names_stay_in_sight_while_a_cross_table_scrolls(
    sample_visitor: NewVisitor, sample_club: SampleClub
) -> None:
    reader = sample_visitor(guest=True, viewport={"width": 320, "height": 560})
    reader.go(f"/tournaments/{sample_club.facts['round_robin_over']}/")
    table = reader.page.get_by_role("group", name="Standings")
    table.focus()
    while table.evaluate("box => box.scrollLeft + box.clientWidth < box.scrollWidth - 1"):
        reader.page.keyboard.press("ArrowRight")
    box, name = table.bounding_box(), table.get_by_role("rowheader").first.bounding_box()
    assert box
    assert name
    assert table.evaluate("box => box.scrollLeft") > 0
    assert abs(name["x"] - box["x"]) < 2
    assert name["width"] < box["width"] / 2


def test_a_live_board_moves_along_with_its_game(new_visitor: NewVisitor) -> None:
    host, second, third = (new_visitor(f"blitz-{name}") for name in ("one", "two", "three"))
    path = announce(host, "Blitz of three", players=3, live=True)
    for visitor in (host, second, third):
        enter(visitor, path, live=True)
    watcher = new_visitor()
    watcher.go(path)
    board = watcher.page.locator("[data-small-board]")
    expect(board).to_have_attribute("data-version", "0", timeout=2 * TIMEOUT)
    mover = next(
        one for one in (host, second, third) if one.name == board.locator("[data-to-move] b").inner_text()
    )
    # Players of live games are taken there: another way there at the same moment would meet that one.
    mover.page.wait_for_url(f"**/games/{board.get_attribute('data-small-board')}/")
    mover.settle()
    asked: list[str] = []
    watcher.page.on("request", lambda request: asked.append(request.url))

    for square in (11, 15):
        mover.square(square).click()

    expect(board).to_have_attribute("data-version", "1")
    expect(board.locator("[data-to-move] b")).not_to_have_text(mover.name)
    assert board.locator("use").count() == 24
    assert not [url for url in asked if path in url], "a move asks for no page"


def announce_for(host: Visitor, at: datetime, variant: str = "american") -> str:
    """Create a tournament that starts at a moment; the path of its page."""
    host.go("/")
    made = host.call(
        "/tournaments",
        {
            "variant": variant, "days_per_move": 3, "name": "Cup of the evening", "format": "round-robin",
            "max_players": 6, "start": "date", "starts_at": at.isoformat(),
        },
    )  # fmt: skip
    return f"/tournaments/{made['id']}/"


def test_the_time_until_a_start_runs_down_and_nobody_is_told_each_second(new_visitor: NewVisitor) -> None:
    path = announce_for(new_visitor("early-bird"), datetime.now(UTC) + timedelta(minutes=30))
    plain, watcher = new_visitor(java_script_enabled=False), new_visitor()
    plain.go(path)
    expect(plain.page.get_by_role("timer")).to_have_text(re.compile(r"^\s*Starts in (29|30) minutes\s*$"))
    watcher.page.clock.install()
    watcher.go(path)
    timer = watcher.page.get_by_role("timer")
    for minutes in (29, 19):
        expect(timer).to_have_text(re.compile(rf"^\s*Starts in {minutes}:[0-5]\d\s*$"))
        shown = timer.inner_text()
        expect(timer).not_to_have_text(shown)
        watcher.page.clock.fast_forward("10:00")
    loud = "element => element.closest('[aria-live], [role=status], [role=alert], [role=log]') !== null"
    assert not timer.evaluate(loud)

    with watcher.page.expect_response(lambda answer: answer.url.endswith(path)):
        watcher.page.clock.fast_forward("20:00")  # its end asks the server, which alone decides


def plays(visitor: Visitor, path: str) -> bool:
    """Whether the visitor has a game in the current round."""
    visitor.go(path)
    return visitor.page.get_by_role("link", name="My next game").count() > 0


def test_everything_works_without_scripts(new_visitor: NewVisitor) -> None:
    captain = new_visitor("plain-captain", java_script_enabled=False)
    captain.go("/teams/new/")
    captain.page.get_by_label("Name", exact=True).fill("Plain Team")
    captain.page.get_by_label("Anyone can join").check()
    captain.page.get_by_role("button", name="Create team").click()
    expect(captain.page.get_by_text("Team created.")).to_be_visible()
    captain.go("/tournaments/new/")
    captain.page.get_by_label(re.compile(r"^\s*Swiss system")).check()
    captain.page.get_by_role("button", name="Show options").click()
    expect(captain.page.get_by_label(re.compile(r"^\s*Number of rounds; 0 for as many"))).to_be_visible()
    captain.page.get_by_label("Name", exact=True).fill("Plain cup")
    captain.page.get_by_role("button", name="Create tournament").click()
    expect(captain.page.get_by_role("heading", name="Plain cup")).to_be_visible()
    captain.page.get_by_role("button", name="Enter", exact=True).click()
    expect(captain.page.get_by_text("You have entered. Good luck!")).to_be_visible()


def test_a_member_joins_a_team_and_posts_on_its_board(new_visitor: NewVisitor) -> None:
    captain, member = new_visitor("team-captain"), new_visitor("team-member")
    captain.go("/teams/new/")
    captain.page.get_by_label("Name", exact=True).fill("Browser Dogs")
    captain.page.get_by_role("button", name="Create team").click()
    expect(captain.page.get_by_text("Team created.")).to_be_visible()
    member.go("/teams/?name=browser")
    member.page.get_by_role("link", name="Browser Dogs").click()
    member.page.get_by_label("Message to the captain").fill("May I?")
    member.page.get_by_role("button", name="Ask to join").click()
    expect(member.page.get_by_text("You have asked to join.")).to_be_visible()
    captain.page.reload()
    captain.page.get_by_role("button", name="Accept team-member").click()
    expect(captain.page.get_by_text("team-member is now a member.")).to_be_visible()
    member.page.reload()
    member.page.get_by_role("link", name="Message board").click()
    member.page.get_by_label("Message to the team").fill("Hello **dogs**")
    member.page.get_by_role("button", name="Post").click()
    expect(member.page.locator("strong", has_text="dogs")).to_be_visible()


def test_the_list_of_tournaments_renews_itself(new_visitor: NewVisitor) -> None:
    guest, host = new_visitor(), new_visitor("lists-cups")
    host.go("/tournaments/")
    expect(host.page.get_by_role("heading", name="My tournaments")).to_have_count(0)
    guest.go("/tournaments/?variant=russian")
    host.page.get_by_role("combobox", name="Game").focus()
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url.removeprefix(guest.address)))

    path = announce_for(new_visitor("announces-cups"), datetime.now(UTC) + timedelta(hours=2), "russian")
    lines = [
        visitor.page.locator("[data-listed] li", has_text="Cup of the evening") for visitor in (guest, host)
    ]
    expect(lines[0].filter(has_text="0 of 6 players")).to_have_count(1)
    host.call(f"{path}enter")

    expect(lines[0].filter(has_text="1 of 6 players")).to_have_count(1)
    expect(lines[1].filter(has_text="1 of 6 players")).to_have_count(1)
    expect(host.page.get_by_role("heading", name="My tournaments")).to_be_visible()
    expect(host.page.get_by_role("combobox", name="Game")).to_be_focused()
    pages = {path for path in asked if not path.startswith(("/static/", "/events"))}
    assert pages == {"/tournaments/?variant=russian"}
