"""What people do in a club, told twice: by keyboard alone, and by clicks where no script runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Seat
from tests.browser.deeds import Clicks, Hands, Keys, letter_to, link_in, look_again, path_of, see
from tests.browser.test_notices import invite, stop_page
from tests.browser.test_passkeys import code_of
from tests.browser.visitors import PASSWORD
from tests.club import Club

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Person = Callable[[str], Hands]


@pytest.fixture(params=["keys", "plain"])
def person(seat: Seat, request: pytest.FixtureRequest) -> Person:
    """``person("anna")`` signs up a member whose name is never the same twice; "" is a guest."""
    way: str = request.param

    def come(name: str) -> Hands:
        visitor = seat(name and f"{name}-{way}", java_script_enabled=way == "keys")
        return Keys(visitor) if way == "keys" else Clicks(visitor)

    return come


def go(hands: Hands, path: str) -> None:
    hands.visitor.go(path)


# -------------------------------------------------------------------------------------------- contests
def begin_a_form(host: Hands, name: str) -> None:
    """The form of a round robin of two, its name written."""
    go(host, "/tournaments/new/")
    host.check("Round robin")
    if isinstance(host, Clicks):
        host.press("Show options")
    host.fill("Name", name)
    host.fill("Minimum players", "2")


def announce(host: Hands) -> str:
    """Send the form; the path of the tournament's page."""
    host.press("Create tournament")
    see(host, "Tournament created.")
    return path_of(host)


def enter(player: Hands, cup: str) -> None:
    """Take part."""
    go(player, cup)
    player.press("Enter")
    see(player, "You have entered.")


def resign(player: Hands) -> None:
    """Give up the game whose page is open."""
    go(player, f"{path_of(player)}resign/")
    player.press("Yes, resign")
    see(player, "resigned")


def test_a_tournament_is_held(person: Person) -> None:
    host, guest = person("cup-host"), person("cup-guest")
    begin_a_form(host, f"Cup of {host.visitor.name}")
    host.choose("When does it start?", "When a director starts it")
    host.fill("Trophies", "A silver spoon")
    cup = announce(host)
    for player in (host, guest):
        enter(player, cup)
    go(host, f"{cup}edit/")
    host.fill("Description", "Come **all**.")
    host.press("Save")
    host.follow("Manage")
    host.press("Start now")
    look_again(host, "In progress, round 1 of 1.")
    go(guest, cup)
    guest.follow("My next game")
    resign(guest)
    go(guest, cup)
    look_again(guest, f"{host.visitor.name} won.", "A silver spoon", "Standings")
    guest.follow("Rounds")
    see(guest, "Round 1")
    guest.follow("Log")
    see(guest, "started")


def test_an_appointment_is_made(person: Person) -> None:
    host, guest = person("blitz-host"), person("blitz-guest")
    begin_a_form(host, f"Blitz of {host.visitor.name}")
    host.check("Live")
    host.fill("Days for opponents to agree", "3")
    host.fill("Maximum players", "2")
    cup = announce(host)
    for player in (host, guest):
        enter(player, cup)
    look_again(host, "agree on a time with")
    host.fill("Propose a time (UTC)", f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M}")
    host.press("Propose")
    see(host, "You proposed")
    go(guest, cup)
    look_again(guest, f"{host.visitor.name} proposes")
    guest.press("Agree")
    see(guest, "You have agreed on a time")


def test_a_ladder_is_climbed(person: Person) -> None:
    first, second = person("rung-one"), person("rung-two")
    go(first, "/ladders/")
    first.follow("Ladder of Makhos" if isinstance(first, Keys) else "Ladder of Dameo")
    ladder = path_of(first)
    for player in (first, second):
        go(player, ladder)
        player.press("Join this ladder")
        see(player, "you: place")
    second.press(f"Challenge {first.visitor.name}")
    second.visitor.page.wait_for_url("**/games/*/")
    go(first, "/ladders/challenges/")
    see(first, second.visitor.name, "open")
    first.follow("Game 1")
    resign(first)
    go(second, ladder)
    look_again(second, "you: place 1")
    second.follow("History")
    see(second, f"{second.visitor.name} took place 1")
    second.follow("Rules")
    see(second, "The rules of this ladder")
    second.follow("Leave")
    second.press("Leave")
    see(second, "You have left the ladder")


def test_a_team_is_led(person: Person) -> None:
    captain, guest = person("team-cap"), person("team-guest")
    name = f"Team {captain.visitor.name}"
    go(captain, "/teams/new/")
    captain.fill("Name", name)
    captain.check("By invitation only")
    captain.press("Create team")
    see(captain, "Team created.")
    team = path_of(captain).removesuffix("members/")
    go(captain, team)
    captain.follow("Edit")
    captain.fill("Description", "We **like** it.")
    captain.press("Save")
    captain.follow("Manage members")
    captain.fill("Username", guest.visitor.name)
    captain.fill("Message (optional)", "Do come!")
    captain.press("Invite")
    see(captain, "has been invited")
    go(guest, f"/teams/?name={name}")
    guest.follow(name)
    guest.press("Accept the invitation")
    guest.follow("Message board")
    guest.fill("Message to the team", "Hello **all**")
    guest.press("Post")
    expect(guest.visitor.page.locator("main strong", has_text="all")).to_be_visible()
    go(captain, f"{team}board/")
    captain.press(f"Delete the message from {guest.visitor.name}")
    see(captain, "No messages yet.")
    go(guest, team)
    guest.press("Leave")
    look_again(guest, "By invitation only")


def test_a_team_match_is_played(person: Person) -> None:
    home, away = person("match-home"), person("match-away")
    teams = []
    for captain in (home, away):
        go(captain, "/teams/new/")
        captain.fill("Name", f"Club {captain.visitor.name}")
        captain.press("Create team")
        see(captain, "Team created.")
        teams.append(path_of(captain).removesuffix("members/"))
    go(home, teams[1])
    home.follow("Challenge this team")
    home.fill("Boards", "1")
    home.choose("Games per board", "1")
    home.press("Propose match")
    see(home, "proposed this match")
    match = path_of(home)
    go(away, match)
    away.press("Accept")
    see(away, "Your line-up")
    for captain in (away, home):
        go(captain, match)
        captain.choose("Board 1", captain.visitor.name)
        captain.press("Submit line-up")
        expect(captain.visitor.page.get_by_role("button", name="Submit line-up")).to_have_count(0)
    look_again(away, "Game 1")
    away.follow("Game 1")
    resign(away)
    go(away, match)
    look_again(away, f"Club {home.visitor.name} won the match.")


def test_ratings_are_read(person: Person) -> None:
    guest = person("")
    go(guest, "/ratings/")
    guest.follow("Turkish draughts")
    see(guest, "Ratings in Turkish draughts", "How ratings work")


# -------------------------------------------------------------------------------------------- people
def test_people_are_found(person: Person) -> None:
    member, other = person("finder"), person("found")
    go(member, "/players/")
    member.fill("Name starts with", other.visitor.name)
    member.press("Search")
    member.follow(other.visitor.name)
    member.press("Add to buddies")
    member.fill("Your note", "slow and sure")
    member.press("Save note")
    go(member, "/buddies/")
    expect(member.visitor.page.locator("blockquote")).to_have_text("slow and sure")
    member.follow(other.visitor.name)
    member.press("Remove from buddies")
    member.press("Block")
    see(member, f"You have blocked {other.visitor.name}")
    go(member, "/ignored/")
    member.press(f"Unblock {other.visitor.name}")
    expect(member.visitor.page.get_by_role("link", name=other.visitor.name)).to_have_count(0)


def test_one_says_who_one_is(person: Person) -> None:
    member = person("tells")
    go(member, "/profile/")
    member.choose("Country", "Netherlands")
    member.fill("About me", "I play **slowly**.")
    member.press("Save")
    see(member, "Your profile is saved.")
    go(member, f"/players/{member.visitor.name}/")
    see(member, "Netherlands", "slowly")
    expect(member.visitor.page.locator("main img[src*='avatar']").first).to_be_visible()
    go(member, "/preferences/")
    member.check("Slate")
    member.choose("Time zone", "Europe/Prague")
    member.check("Others see when I am here")
    member.press("Save")
    see(member, "Your preferences are saved.")
    expect(member.visitor.page.get_by_label("Slate")).to_be_checked()


def test_one_takes_ones_data_and_leaves(person: Person) -> None:
    member = person("leaves")
    go(member, "/my-data/")
    member.press("Create archive")
    look_again(member, "Download")
    file = member.fetch("Download")
    assert file.suggested_filename.endswith(".zip")
    assert file.path().read_bytes().startswith(b"PK")
    member.follow("Close my account")
    member.fill("Your password", PASSWORD)
    member.press("Close my account for good")
    see(member, "Your account is closed.")


def test_a_friend_is_told(person: Person, club: Club) -> None:
    member, friend = person("tells-of-us"), person("")
    confirm(member, club)
    address = f"friend-of-{member.visitor.name}@club.example"
    go(member, "/friends/")
    member.fill("E-mail address", address)
    member.fill("A few words", "Come and play!")
    member.press("Send")
    text = letter_to(club, address, holding="Come and play!")
    go(friend, link_in(text, "/friends/"))
    see(friend, f"{member.visitor.name} invites you to")
    go(friend, link_in(text, "/no-more/"))
    friend.press("Stop invitations")
    see(friend, "Your address get any more invitations from this club")


# -------------------------------------------------------------------------------------------- talk
def test_people_write_to_each_other(person: Person) -> None:
    anna, bob = person("writes"), person("answers")
    go(anna, "/messages/new/")
    anna.fill("To", bob.visitor.name)
    anna.fill("Subject", "The cup")
    anna.fill("Message", "Will you play?")
    anna.press("Send")
    see(anna, "Message sent.")
    go(bob, "/messages/")
    bob.follow(anna.visitor.name)
    bob.fill("Your message", "With **pleasure**.")
    bob.press("Send")
    expect(bob.visitor.page.locator(".bubble")).to_have_count(2)
    bob.press("Mark as unread")
    bob.visitor.page.wait_for_url("**/messages/")
    see(bob, "1 new")
    bob.check("Pick the conversation with")
    bob.press("Mark as read")
    expect(bob.visitor.page.get_by_text("1 new")).to_have_count(0)
    go(anna, "/messages/search/")
    anna.fill("Search your messages", "pleasure")
    anna.press("Search")
    anna.follow(f"from {bob.visitor.name}")
    anna.unfold("…")
    anna.press("Delete for me")
    see(anna, "Message deleted.")
    anna.unfold("Delete conversation")
    anna.press("Delete")
    look_again(anna, "No messages yet.")


def test_the_staff_is_told(person: Person) -> None:
    member, other, guest = person("reports"), person("reported"), person("")
    go(member, f"/players/{other.visitor.name}/")
    member.follow("Report to the staff")
    member.fill("What is wrong?", "He writes the same to all.")
    member.press("Send report")
    go(member, "/reports/")
    see(member, "waiting for the staff", "He writes the same to all.")
    go(guest, "/contact/")
    guest.fill("Your e-mail address", "guest@club.example")
    guest.fill("Your message", "May I play?")
    guest.press("Send")
    see(guest, "Thank you. The staff have your message.")


def test_news_and_help_are_read(person: Person) -> None:
    guest = person("")
    go(guest, "/news/")
    see(guest, "News")
    go(guest, "/help/")
    guest.follow("Ladders")
    see(guest, "The style of ItsYourTurn")
    go(guest, "/questions/")
    guest.unfold("Does it cost anything?")
    expect(guest.visitor.page.locator("main details[open]").first).to_be_visible()


def test_the_engine_is_asked(person: Person) -> None:
    member = person("asks-engine")
    go(member, "/new/computer/")
    member.check("1 has just learnt the moves")
    member.press("Play")
    member.fill("Your move", "11-15")
    member.press("Submit")
    game = path_of(member)
    look_again(member, "Your turn.")
    resign(member)
    go(member, f"{game}review/")
    member.press("Review game")
    look_again(member, "accuracy")
    go(member, "/analysis/")
    member.choose("Lines", "1")
    member.choose("Seconds", "3")
    member.press("Analyse")
    look_again(member, "plies deep")


def test_notices_are_read_and_chosen(person: Person, club: Club) -> None:
    member = person("is-told")
    host = f"of-{member.visitor.name[-5:]}"
    invite(club, host, member.visitor.name)
    go(member, "/notices/")
    look_again(member, "invites you to a game")
    member.press("Mark all as read")
    see(member, "All notifications are marked as read.")
    member.follow(host)
    member.visitor.page.wait_for_url("**/games/*/")
    go(member, "/notices/preferences/")
    member.choose("It is your turn, by e-mail", "daily")
    member.choose("Send the daily digest at", "20:00")
    member.press("Save")
    see(member, "Your settings are saved.")
    expect(member.visitor.page.get_by_label("It is your turn, by e-mail")).to_have_value("daily")


def test_letters_are_stopped(person: Person, club: Club) -> None:
    person("first-of-all")  # to whom the link belongs, or to one who came before
    guest = person("")
    go(guest, stop_page(club))
    guest.press("Unsubscribe")
    see(guest, "You have unsubscribed")


# -------------------------------------------------------------------------------------------- accounts
def test_one_comes_and_goes(person: Person, club: Club) -> None:
    member = person("comes")
    name, fresh = member.visitor.name, "another corner by the door"
    go(member, "/accounts/logout/")
    member.press("Sign out")
    go(member, "/accounts/login/")
    member.fill("Username or e-mail address", name)
    member.fill("Password", "not this one")
    member.press("Sign in")
    expect(
        member.visitor.page.locator("main [role=alert], main .wrong, main .errorlist").first
    ).to_be_visible()
    go(member, "/accounts/password/reset/")
    member.fill("E-mail address", f"{name}@club.example")
    member.press("Send link")
    text = letter_to(club, f"{name}@club.example", holding="/password/reset/key/")
    go(member, link_in(text, "/password/reset/key/"))
    member.fill("New password", fresh)
    member.press("Set password")
    see(member, "Your password was changed")
    member.follow("Sign in")
    member.fill("Username or e-mail address", name)
    member.fill("Password", fresh)
    member.press("Sign in")
    expect(member.visitor.page.get_by_role("link", name="My games")).to_be_visible()


def test_one_changes_how_one_signs_in(person: Person, seat: Seat, club: Club) -> None:
    member = person("changes")
    name, fresh = member.visitor.name, "another corner by the door"
    seat().sign_in(name, PASSWORD)
    go(member, "/accounts/sessions/")
    member.press("Sign out everywhere else")
    expect(member.visitor.page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    go(member, "/accounts/tokens/")
    member.fill("Program name", "my bot")
    member.press("Create token")
    give_password(member)  # what was asked for is then done
    see(member, "you won't see it again")
    member.press("Revoke my bot")
    see(member, "You have no tokens.")
    go(member, "/accounts/password/change/")
    member.fill("Current password", PASSWORD)
    member.fill("New password", fresh)
    member.press("Change password")
    see(member, "Your password is changed.")
    go(member, "/accounts/email/")
    member.fill("New e-mail address", f"new-{name}@club.example")
    member.press("Change address")
    see(member, "not confirmed yet")
    letter_to(club, f"new-{name}@club.example", holding="/confirm-email/")


def test_a_second_factor_is_set_up(person: Person) -> None:
    member = person("two-ways")
    go(member, "/accounts/second-factor/app/")
    give_password(member)
    secret = member.visitor.page.locator("code.secret").inner_text()
    member.fill("Code", code_of(secret))
    member.press("Turn on")
    see(member, "Two-factor authentication is on.")
    codes = member.visitor.page.locator(".codes code").all_inner_texts()
    member.follow("Create new codes")
    member.press("Create new codes")
    fresh = member.visitor.page.locator(".codes code")
    expect(fresh.first).not_to_have_text(codes[0])
    code = fresh.first.inner_text()
    go(member, "/accounts/logout/")
    member.press("Sign out")
    go(member, "/accounts/login/")
    member.fill("Username or e-mail address", member.visitor.name)
    member.fill("Password", PASSWORD)
    member.press("Sign in")
    see(member, "One more step")
    member.fill("Code", code)
    member.press("Sign in")
    expect(member.visitor.page.get_by_role("link", name="My games")).to_be_visible()
    go(member, "/accounts/second-factor/app/off/")
    give_password(member)
    member.press("Turn off")
    go(member, "/accounts/security/")
    see(member, "Turn on")


def give_password(member: Hands) -> None:
    """Say once more who one is, as the page asks."""
    see(member, "Enter your password")
    member.fill("Password", PASSWORD)
    member.press("Continue")


def confirm(member: Hands, club: Club) -> None:
    """Follow the link by which an address is confirmed."""
    address = f"{member.visitor.name}@club.example"
    go(member, link_in(letter_to(club, address, holding="/confirm-email/"), "/confirm-email/"))
    member.press("Confirm")
    expect(member.visitor.page.get_by_role("button", name="Confirm")).to_have_count(0)
