"""Whole stories on the site, by keyboard only and by mouse without scripts: in CI by turns, at night both."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.actors import (
    Actor,
    KeyboardActor,
    MouseActor,
    expect_texts,
    link_in,
    path_of,
    reload_until,
    wait_for_email,
)
from tests.browser.conftest import NewVisitor, Person
from tests.browser.test_notices import invite, stop_page
from tests.browser.test_passkeys import code_of
from tests.browser.visitors import PASSWORD, unfold
from tests.club import Club

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def go(actor: Actor, path: str) -> None:
    actor.visitor.go(path)


# -------------------------------------------------------------------------------------------- contests
def fill_in_form(host: Actor, name: str) -> None:
    """Fill in the form of a round robin of two."""
    go(host, "/tournaments/new/")
    host.check("Round robin")
    if isinstance(host, MouseActor):
        host.press("Show options")
    host.fill("Name", name)
    host.fill("Minimum players", "2")


def announce(host: Actor) -> str:
    """Submit the form; the path of the tournament page."""
    host.press("Create tournament")
    expect_texts(host, "Tournament created.")
    return path_of(host)


def enter(player: Actor, cup: str) -> None:
    """Enter a tournament."""
    go(player, cup)
    player.press("Enter")
    expect_texts(player, "You have entered.")


def resign(player: Actor) -> None:
    """Resign the open game."""
    go(player, f"{path_of(player)}resign/")
    player.press("Yes, resign")
    expect_texts(player, "You lost by resignation.")


def test_playing_a_tournament(person: Person) -> None:
    host, guest = person("cup-host"), person("cup-guest")
    fill_in_form(host, f"Cup of {host.visitor.name}")
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
    reload_until(host, "In progress, round 1 of 1.")
    go(guest, cup)
    guest.follow("My next game")
    resign(guest)
    go(guest, cup)
    reload_until(guest, f"{host.visitor.name} won.", "A silver spoon", "Standings")
    guest.follow("Rounds")
    expect_texts(guest, "Round 1")
    guest.follow("Log")
    expect_texts(guest, "started")


def test_making_an_appointment(person: Person) -> None:
    host, guest = person("blitz-host"), person("blitz-guest")
    fill_in_form(host, f"Blitz of {host.visitor.name}")
    host.check("Live")
    host.fill("Days for opponents to agree", "3")
    host.fill("Maximum players", "2")
    cup = announce(host)
    for player in (host, guest):
        enter(player, cup)
    reload_until(host, f"agree on a time with {guest.visitor.name}")
    host.fill("Propose a time (UTC)", f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M}")
    host.press("Propose")
    expect_texts(host, "You proposed")
    go(guest, cup)
    reload_until(guest, f"{host.visitor.name} proposes")
    guest.press("Agree")
    expect_texts(guest, "You have agreed on a time")


def test_climbing_a_ladder(person: Person) -> None:
    first, second = person("rung-one"), person("rung-two")
    go(first, "/ladders/")
    name = "Makhos ladder" if isinstance(first, KeyboardActor) else "Dameo ladder"
    unfold(first.visitor.page.get_by_role("link", name=name, include_hidden=True).first)
    first.follow(name)
    ladder = path_of(first)
    for player in (first, second):
        go(player, ladder)
        player.press("Join this ladder")
        expect_texts(player, "you: place")
    second.follow(f"Challenge {first.visitor.name}")
    expect_texts(second, "can't be declined")
    second.press("Challenge")
    second.visitor.page.wait_for_url("**/games/*/")
    go(first, "/ladders/challenges/")
    expect_texts(first, second.visitor.name, "open")
    first.follow("Game 1")
    resign(first)
    go(second, ladder)
    reload_until(second, "you: place 1")
    second.follow("History")
    expect_texts(second, f"{second.visitor.name} took place 1")
    second.follow("Rules")
    expect_texts(second, "The rules of this ladder")
    second.follow("Leave")
    second.press("Leave")
    expect_texts(second, "You have left the ladder")


def test_leading_a_team(person: Person) -> None:
    captain, guest = person("team-cap"), person("team-guest")
    name = f"Team {captain.visitor.name}"
    go(captain, "/teams/new/")
    captain.fill("Name", name)
    captain.check("By invitation only")
    captain.press("Create team")
    expect_texts(captain, "Team created.")
    team = path_of(captain).removesuffix("members/")
    go(captain, team)
    captain.follow("Edit")
    captain.fill("Description", "We **like** it.")
    captain.press("Save")
    captain.follow("Manage members")
    captain.fill("Username", guest.visitor.name)
    captain.fill("Message (optional)", "Do come!")
    captain.press("Invite")
    expect_texts(captain, "has been invited")
    go(guest, f"/teams/?name={name}")
    guest.follow(name)
    guest.press("Accept the invitation")
    guest.follow("Message board")
    guest.fill("Message to the team", "Hello **all**")
    guest.press("Post")
    expect(guest.visitor.page.locator("main strong", has_text="all")).to_be_visible()
    go(captain, f"{team}board/")
    captain.press(f"Delete the message from {guest.visitor.name}")
    expect_texts(captain, "No messages yet.")
    go(guest, team)
    guest.press("Leave")
    reload_until(guest, "By invitation only")


def test_playing_a_team_match(person: Person) -> None:
    home, away = person("match-home"), person("match-away")
    teams = []
    for captain in (home, away):
        go(captain, "/teams/new/")
        captain.fill("Name", f"Club {captain.visitor.name}")
        captain.press("Create team")
        expect_texts(captain, "Team created.")
        teams.append(path_of(captain).removesuffix("members/"))
    go(home, teams[1])
    home.follow("Challenge this team")
    home.fill("Boards", "1")
    home.choose("Games per board", "1")
    home.press("Propose match")
    expect_texts(home, "proposed this match")
    match = path_of(home)
    go(away, match)
    away.press("Accept")
    expect_texts(away, "Your line-up")
    for captain in (away, home):
        go(captain, match)
        captain.choose("Board 1", captain.visitor.name)
        captain.press("Submit line-up")
        expect(captain.visitor.page.get_by_role("button", name="Submit line-up")).to_have_count(0)
    reload_until(away, "Game 1")
    away.follow("Game 1")
    resign(away)
    go(away, match)
    reload_until(away, f"Club {home.visitor.name} won the match.")


def test_reading_the_ratings(person: Person) -> None:
    guest = person("")
    go(guest, "/ratings/")
    guest.follow("Turkish draughts")
    expect_texts(guest, "Ratings in Turkish draughts", "How ratings work")


# -------------------------------------------------------------------------------------------- people
def test_finding_people(person: Person) -> None:
    member, other = person("finder"), person("found")
    go(member, "/players/")
    member.fill("Name or part of it", other.visitor.name)
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
    expect_texts(member, f"You have blocked {other.visitor.name}")
    go(member, "/blocked/")
    member.press(f"Unblock {other.visitor.name}")
    expect(member.visitor.page.get_by_role("link", name=other.visitor.name)).to_have_count(0)


def test_editing_a_profile(person: Person) -> None:
    member = person("tells")
    go(member, "/profile/")
    member.choose("Country", "Netherlands")
    member.fill("About me", "I play **slowly**.")
    member.press("Save")
    expect_texts(member, "Your profile is saved.")
    go(member, f"/players/{member.visitor.name}/")
    expect_texts(member, "Netherlands", "slowly")
    expect(member.visitor.page.locator("main img[src*='avatar']").first).to_be_visible()
    go(member, "/preferences/")
    member.check("Slate")
    member.choose("Time zone", "Europe/Prague")
    member.check("Show others when I am online")
    member.press("Save")
    expect_texts(member, "Your preferences are saved.")
    expect(member.visitor.page.get_by_label("Slate")).to_be_checked()


def test_downloading_data_and_closing_the_account(person: Person) -> None:
    member = person("leaves")
    go(member, "/my-data/")
    member.press("Create archive")
    give_password(member)
    reload_until(member, "available until")
    file = member.download("Download")
    assert file.suggested_filename.endswith(".zip")
    assert file.path().read_bytes().startswith(b"PK")
    member.follow("Close my account")
    member.press("Close my account for good")
    expect_texts(member, "Your account is closed.")


def test_inviting_a_friend(person: Person, club: Club) -> None:
    member, friend = person("tells-of-us"), person("")
    confirm(member, club)
    address = f"friend-of-{member.visitor.name}@club.example"
    go(member, "/friends/")
    member.fill("E-mail address", address)
    member.fill("Message (optional)", "Come and play!")
    member.press("Send")
    text = wait_for_email(club, address, containing="Come and play!")
    go(friend, link_in(text, "/friends/"))
    expect_texts(friend, f"{member.visitor.name} invites you to")
    go(friend, link_in(text, "/no-more/"))
    friend.press("Stop invitations")
    expect_texts(friend, "You won't get any more invitations from this club")


# -------------------------------------------------------------------------------------------- talk
def test_exchanging_messages(person: Person) -> None:
    anna, bob = person("writes"), person("answers")
    go(anna, "/messages/new/")
    anna.fill("To", bob.visitor.name)
    anna.fill("Subject", "The cup")
    anna.fill("Message", "Will you play?")
    anna.press("Send")
    expect_texts(anna, "Message sent.")
    go(bob, "/messages/")
    bob.follow(anna.visitor.name)
    bob.fill("Your message", "With **pleasure**.")
    bob.press("Send")
    expect(bob.visitor.page.locator(".bubble")).to_have_count(2)
    bob.press("Mark as unread")
    bob.visitor.page.wait_for_url("**/messages/")
    expect_texts(bob, "1 new")
    bob.check("Select the conversation with")
    bob.press("Mark as read")
    expect(bob.visitor.page.get_by_text("1 new")).to_have_count(0)
    go(anna, "/messages/search/")
    anna.fill("Search your messages", "pleasure")
    anna.press("Search")
    anna.follow(f"from {bob.visitor.name}")
    anna.expand("…")
    anna.press("Delete for me")
    expect_texts(anna, "Message deleted.")
    anna.expand("Delete conversation")
    anna.press("Delete")
    reload_until(anna, "No messages yet.")


def test_reporting_to_the_staff(person: Person) -> None:
    member, other, guest = person("reports"), person("reported"), person("")
    go(member, f"/players/{other.visitor.name}/")
    member.follow("Report to the staff")
    member.fill("What is wrong?", "They write the same to everyone.")
    member.press("Send report")
    go(member, "/reports/")
    expect_texts(member, "waiting for the staff", "They write the same to everyone.")
    go(guest, "/contact/")
    guest.fill("Your e-mail address", "guest@club.example")
    guest.fill("Your message", "May I play?")
    guest.press("Send")
    expect_texts(guest, "Thank you. The staff have your message.")


def test_reading_news_and_help(person: Person) -> None:
    guest = person("")
    go(guest, "/news/")
    expect_texts(guest, "News")
    go(guest, "/help/")
    guest.follow("Ladders")
    expect_texts(guest, "Ladders of places")
    go(guest, "/questions/")
    guest.expand("Is it free?")
    expect(guest.visitor.page.locator("main details[open]").first).to_be_visible()


def test_analysing_with_the_engine(person: Person) -> None:
    member = person("asks-engine")
    go(member, "/new/computer/")
    member.check("1 beginner")
    member.press("Play")
    member.fill("Your move", "11-15")
    member.press("Submit")
    game = path_of(member)
    reload_until(member, "Your turn.")
    resign(member)
    go(member, f"{game}review/")
    member.press("Review game")
    reload_until(member, "accuracy")
    go(member, "/analysis/")
    member.choose("Lines", "1")
    member.choose("Seconds", "3")
    member.press("Deeper" if member.visitor.has_javascript else "Analyse")
    if member.visitor.has_javascript:
        expect(member.visitor.page.locator(".findings .variations li")).to_have_count(1, timeout=30_000)
    else:
        reload_until(member, "plies deep")


def test_reading_and_choosing_notifications(person: Person, club: Club) -> None:
    member = person("is-told")
    host = f"of-{member.visitor.name[-5:]}"
    invite(club, host, member.visitor.name)
    go(member, "/notices/")
    reload_until(member, "invites you to a game")
    member.press("Mark all as read")
    expect_texts(member, "All notifications are marked as read.")
    member.follow(host)
    member.visitor.page.wait_for_url("**/games/*/")
    go(member, "/notices/preferences/")
    unfold(member.visitor.page.get_by_label("Your turn, by e-mail"))
    member.choose("Your turn, by e-mail", "daily")
    member.choose("Send the daily digest at", "20:00")
    member.press("Save")
    expect_texts(member, "Your settings are saved.")
    expect(member.visitor.page.get_by_label("Your turn, by e-mail")).to_have_value("daily")


def test_unsubscribing_from_emails(person: Person, club: Club) -> None:
    person("first-of-all")  # to whom the link belongs, or to one who came before
    guest = person("")
    go(guest, stop_page(club))
    guest.press("Unsubscribe")
    expect_texts(guest, "You have unsubscribed")


# -------------------------------------------------------------------------------------------- accounts
def test_signing_up_and_signing_in(person: Person, club: Club) -> None:
    member = person("comes")
    name, fresh = member.visitor.name, "another corner by the door"
    go(member, "/accounts/logout/")
    member.press("Sign out")
    go(member, "/accounts/login/")
    member.fill("Username or e-mail address", name)
    member.fill("Password", "not this one")
    member.press("Sign in")
    expect(
        member.visitor.page.locator("main [role=alert], main .field-error, main .errorlist").first
    ).to_be_visible()
    go(member, "/accounts/password/reset/")
    member.fill("E-mail address", f"{name}@club.example")
    member.press("Send link")
    text = wait_for_email(club, f"{name}@club.example", containing="/password/reset/key/")
    go(member, link_in(text, "/password/reset/key/"))
    member.fill("New password", fresh)
    member.press("Set password")
    expect_texts(member, "Your password was changed")
    member.follow("Sign in")
    member.fill("Username or e-mail address", name)
    member.fill("Password", fresh)
    member.press("Sign in")
    expect(member.visitor.page.get_by_role("link", name="My games")).to_be_visible()


def test_changing_how_to_sign_in(person: Person, new_visitor: NewVisitor, club: Club) -> None:
    member = person("changes")
    name, fresh = member.visitor.name, "another corner by the door"
    new_visitor().sign_in(name, PASSWORD)
    go(member, "/accounts/sessions/")
    member.press("Sign out everywhere else")
    expect(member.visitor.page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    go(member, "/accounts/tokens/")
    member.fill("Program name", "my bot")
    member.press("Create token")
    give_password(member)  # what was asked for is then done
    expect_texts(member, "you won't see it again")
    member.press("Revoke my bot")
    expect_texts(member, "You have no tokens.")
    go(member, "/accounts/password/change/")
    member.fill("Current password", PASSWORD)
    member.fill("New password", fresh)
    member.press("Change password")
    expect_texts(member, "Your password was changed.")
    go(member, "/accounts/email/")
    member.fill("New e-mail address", f"new-{name}@club.example")
    member.press("Change address")
    expect_texts(member, "not confirmed yet")
    wait_for_email(club, f"new-{name}@club.example", containing="/confirm-email/")


def test_setting_up_a_second_factor(person: Person) -> None:
    member = person("two-ways")
    go(member, "/accounts/second-factor/app/")
    give_password(member)
    secret = member.visitor.page.locator("code.secret").inner_text()
    member.fill("Code", code_of(secret))
    member.press("Turn on")
    expect_texts(member, "Two-factor authentication is on.")
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
    expect_texts(member, "One more step")
    member.fill("Code", code)
    member.press("Sign in")
    expect(member.visitor.page.get_by_role("link", name="My games")).to_be_visible()
    go(member, "/accounts/second-factor/app/off/")
    give_password(member)
    member.press("Turn off")
    go(member, "/accounts/security/")
    expect_texts(member, "Turn on")


def give_password(member: Actor) -> None:
    """Enter the password again, as the page asks."""
    expect_texts(member, "Enter your password")
    member.fill("Password", PASSWORD)
    member.press("Continue")


def confirm(member: Actor, club: Club) -> None:
    """Follow the confirmation link in the e-mail."""
    address = f"{member.visitor.name}@club.example"
    go(member, link_in(wait_for_email(club, address, containing="/confirm-email/"), "/confirm-email/"))
    member.press("Confirm")
    expect(member.visitor.page.get_by_role("button", name="Confirm")).to_have_count(0)
