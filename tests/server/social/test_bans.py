"""Players who are shut out: by a decision or in the back office, for a time, with all they have kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.guests.services import become_member
from crownhead.server.accounts.models import Preferences, User
from crownhead.server.accounts.selectors import player
from crownhead.server.accounts.services import closing, locking
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.live.access import ENDED
from crownhead.server.live.models import Outbox
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import create_game
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.invitations.selectors import link_token
from crownhead.server.play.problems import NotWaiting
from crownhead.server.social import jobs
from crownhead.server.social.models import Ban, ModeratorAction
from crownhead.server.social.services import bans, moderation, reports
from tests.server.accounts.test_back_office import form_of, page_of
from tests.server.accounts.test_staff_rights import office_of
from tests.server.conftest import PASSWORD, Api, make_user
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import fresh, make_game
from tests.server.social.conftest import NOW
from tests.server.tasks import run_tasks

WEEK = timedelta(days=7)
MAIL = ["notices.channels.outgoing.StoredMailBackend", "core.mail.FileBackend"]
NO_ADDRESS = '"])\x02\x0b>:"@club.example'


def ban(host: User, user: User, *, days: int | None = 7) -> Ban:
    until = None if days is None else NOW + timedelta(days=days)
    return bans.ban(staff=host, user=user, until=until, reason="Sells pills.", now=NOW)


def sign_in(client: Client, user: User) -> bool:
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    return "_auth_user_id" in client.session


def test_a_player_who_is_banned_is_signed_out_and_comes_in_by_nothing(
    client: Client, api: Api, bob: User, host: User
) -> None:
    assert sign_in(client, bob)
    program = api.as_(bob)
    assert program.get("/me").status_code == 200
    ban(host, bob)
    assert client.get("/profile/").status_code == 302
    assert not sign_in(Client(), bob)
    assert program.get("/me").status_code == 401
    assert player("bob") is None


def test_they_are_notified_why_and_until_when_by_an_email(bob: User, host: User) -> None:
    ban(host, bob)
    (letter,) = mail.outbox  # stored in the transaction of the ban, which this test never commits
    assert letter.to == ["bob@club.example"]
    assert "until 9 March 2026, 12:00 UTC" in letter.body
    assert "Sells pills." in letter.body


def test_afterwards_all_but_the_tokens_is_there_again(api: Api, bob: User, host: User) -> None:
    Preferences.objects.create(user=bob, theme="wood")
    program = api.as_(bob)
    ban(host, bob)
    jobs.lift_bans(NOW + WEEK - timedelta(seconds=1))
    assert player("bob") is None
    for _ in range(2):
        jobs.lift_bans(NOW + WEEK)
    assert program.get("/me").status_code == 401
    assert api.post("/tokens", {"username": "bob", "password": PASSWORD}).status_code == 201
    assert Preferences.objects.get(user=bob).theme == "wood"
    log = ModeratorAction.objects.order_by("pk").values_list("verb", "about__username", "words")
    assert list(log) == [
        ("banned", "bob", "2026-03-09 12:00 UTC: Sells pills."),
        ("unbanned", "bob", "time is over"),
    ]


def test_without_a_moment_it_lasts_until_it_is_lifted(bob: User, host: User) -> None:
    ban(host, bob, days=None)
    jobs.lift_bans(NOW + timedelta(days=9999))
    assert player("bob") is None
    assert bans.lift(staff=host, user=bob, now=NOW, words="An apology.")
    assert player("bob") == bob
    assert not bans.lift(staff=host, user=bob, now=NOW)


def test_a_later_ban_takes_the_place_of_the_first(bob: User, host: User) -> None:
    ban(host, bob)
    ban(host, bob, days=30)
    assert Ban.objects.get().until == NOW + timedelta(days=30)
    jobs.lift_bans(NOW + WEEK)
    assert player("bob") is None


def test_a_ban_that_cannot_be_lifted_keeps_no_other(
    alice: User, bob: User, host: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlock(*, user: User) -> None:
        if user == alice:
            raise OSError("disk")
        locking.unlock(user=user)

    ban(host, alice, days=1)
    ban(host, bob, days=2)
    monkeypatch.setattr(bans, "unlock", unlock)
    assert bans.lift_due(now=NOW + WEEK) == 1
    assert [row.user for row in Ban.objects.all()] == [alice]


def test_an_account_that_was_closed_meanwhile_stays_closed(bob: User, host: User) -> None:
    ban(host, bob)
    closing.close(user=bob, now=NOW)
    jobs.lift_bans(NOW + WEEK)
    bob.refresh_from_db()
    assert not bob.is_active


@pytest.mark.parametrize("again", [False, True])
def test_an_account_that_the_host_had_shut_stays_shut(bob: User, host: User, again: bool) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    bob.refresh_from_db()
    ban(host, bob)
    if again:
        ban(host, bob, days=8)
        assert bans.lift(staff=host, user=bob, now=NOW)
    jobs.lift_bans(NOW + WEEK)
    assert not Ban.objects.exists()
    assert player("bob") is None


@pytest.mark.parametrize("lifted", [False, True])
def test_an_account_that_the_staff_shut_meanwhile_stays_shut(bob: User, host: User, lifted: bool) -> None:
    ban(host, bob)
    office = office_of(host)
    for is_active in (True, False):
        bob.refresh_from_db()
        office.post(page_of(bob), form_of(bob, is_active="on" if is_active else ""))
        assert bool(player("bob")) == is_active
    if lifted:
        assert bans.lift(staff=host, user=bob, now=NOW)
    jobs.lift_bans(NOW + WEEK)
    assert not Ban.objects.exists()
    assert player("bob") is None


def test_the_staff_say_of_a_ban_that_the_account_stays_shut(client: Client, bob: User, host: User) -> None:
    ban(host, bob)
    client.force_login(host)
    address = f"/staff/social/ban/{bob.pk}/change/"
    shown = client.get(address).context["adminform"].form
    assert shown.initial["opened"] is True
    form = {"reason": "pills", "until_0": "", "until_1": "", "as_shown": shown.initial["as_shown"]}
    assert client.post(address, form).status_code == 302
    assert bans.lift(staff=host, user=bob, now=NOW)
    assert player("bob") is None


def test_an_account_that_is_banned_twice_is_open_again(bob: User, host: User) -> None:
    for days in (7, 8):
        ban(host, bob, days=days)
    assert bans.lift(staff=host, user=bob, now=NOW)
    assert player("bob") == bob


@pytest.mark.parametrize("backend", MAIL)
def test_a_player_is_banned_whose_address_no_letter_can_carry(
    bob: User, host: User, settings: Settings, caplog: pytest.LogCaptureFixture, backend: str
) -> None:
    settings.EMAIL_BACKEND = f"crownhead.server.{backend}"
    User.objects.filter(pk=bob.pk).update(email=NO_ADDRESS)  # as was possible once
    bob.refresh_from_db()
    ban(host, bob)
    assert player("bob") is None
    assert "a letter could not be written" in caplog.text
    assert NO_ADDRESS not in caplog.text


def test_nobody_who_has_all_rights_is_muted_or_banned(bob: User, host: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    bob.refresh_from_db()
    moderator = make_user("mildred", is_staff=True)
    with pytest.raises(Unprocessable, match="not staff"):
        ban(moderator, bob)
    with pytest.raises(Unprocessable, match="Staff can't be muted"):
        moderation.mute(staff=moderator, user=bob, until=None, reason="x", now=NOW)


def test_a_decision_shuts_the_reported_one_out(alice: User, bob: User, host: User) -> None:
    row = reports.report(user=alice, kind="player", key="bob", reason="Pills.", now=NOW)
    until = NOW + WEEK
    moderation.decide(
        staff=host, report_id=row.public_id, decision="banned", note="", words="Pills.", until=until, now=NOW
    )
    assert Ban.objects.get().until == until
    assert player("bob") is None
    letter = reports.letter(user=alice, address="", reason="Hello", now=NOW)
    with pytest.raises(Unprocessable, match="not about a player"):
        moderation.decide(
            staff=host, report_id=letter.public_id, decision="banned", note="", words="x", now=NOW
        )


def test_only_the_staff_banned_and_none_of_them_is(alice: User, bob: User, host: User) -> None:
    with pytest.raises(Forbidden):
        ban(alice, bob)
    with pytest.raises(Forbidden):
        bans.lift(staff=alice, user=bob, now=NOW)
    with pytest.raises(Unprocessable, match="not staff"):
        ban(host, host)
    for days in (0, 400):
        with pytest.raises(Unprocessable, match="within a year"):
            ban(host, bob, days=days)


def test_players_are_banned_and_let_in_again_in_the_back_office(
    client: Client, alice: User, bob: User, host: User
) -> None:
    client.force_login(host)
    form = {"user": bob.pk, "reason": "pills", "until_0": "", "until_1": ""}
    client.post("/staff/social/ban/add/", form)
    assert Ban.objects.get().banned_by == host
    assert "bob" in client.get("/staff/social/ban/").content.decode()
    client.post(f"/staff/social/ban/{bob.pk}/delete/", {"post": "yes"})
    assert player("bob") == bob
    row = reports.report(user=alice, kind="player", key="bob", reason="Again.", now=NOW)
    form = {"verdict": "banned", "muted_for": "30", "reply": "Thank you.", "words": "pills"}
    client.post(f"/staff/social/report/{row.pk}/change/", form)
    assert Ban.objects.get().until == NOW + timedelta(days=30)


def test_who_cannot_be_banned_is_not_said_to_be_in_the_back_office(
    client: Client, bob: User, host: User
) -> None:
    client.force_login(host)
    closing.close(user=bob, now=NOW)
    form = {"user": bob.pk, "reason": "pills", "until_0": "", "until_1": ""}
    page = client.post("/staff/social/ban/add/", form, follow=True).content.decode()
    assert "Choose a player with an open account" in page
    assert "added successfully" not in page
    assert not LogEntry.objects.exists()


def test_what_they_have_offered_can_be_taken_no_more(alice: User, bob: User, host: User) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    by_link = invitations.offer_by_link(creator=bob, options=terms, now=NOW)
    token = link_token(by_link)
    to_alice = invitations.invite(creator=bob, opponent="alice", options=terms, message="", site="", now=NOW)
    offers = [by_link, to_alice, create_game(creator=bob, options=terms, now=NOW)]
    running = make_game(alice, bob)
    ban(host, bob)
    with pytest.raises(NotWaiting):
        invitations.accept_link(user=alice, token=token, now=NOW)
    run_tasks(GENERAL)
    assert {fresh(game).status for game in offers} == {"withdrawn"}
    assert fresh(running).status == "playing"


def test_an_account_that_is_shut_in_the_back_office_offers_nothing(bob: User) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    offer = create_game(creator=bob, options=terms, now=NOW)
    bob.set_password("another quiet corner")
    bob.save()
    assert not run_tasks(GENERAL)
    assert fresh(offer).status == "waiting"
    bob.is_active = False
    bob.save()
    run_tasks(GENERAL)
    assert fresh(offer).status == "withdrawn"


def test_a_banned_guest_plays_no_more(alice: User, host: User) -> None:
    guest = make_guest()
    browser = browser_of(guest)
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    game, offer = make_game(alice, guest), invitations.offer_by_link(creator=alice, options=terms, now=NOW)
    key = browser.session.session_key
    assert key
    assert StreamAccess().grant_of_session(key)
    row = reports.report(user=alice, kind="game", key=game.public_id, reason="Rude.", now=NOW)

    moderation.decide(
        staff=host, report_id=row.public_id, decision="banned", note="", words="Rude.", until=None, now=NOW
    )

    assert Ban.objects.get().user == guest
    assert StreamAccess().grant_of_session(key) is None
    assert Outbox.objects.filter(topic=f"access:{guest.pk}", kind=ENDED).exists()
    run_tasks(GENERAL)
    assert fresh(game).winner == "first"
    browser.post(f"/join/{link_token(offer)}/")
    assert guest.pk not in {fresh(offer).first_player_id, fresh(offer).second_player_id}


def test_a_banned_guest_keeps_nothing_by_signing_up(host: User) -> None:
    guest = make_guest()
    browser, seen_before = browser_of(guest), User.objects.get(pk=guest.pk)
    ban(host, guest)

    assert become_member(guest=seen_before, now=NOW) is None
    form = {"username": "newcomer", "email": "newcomer@club.example", "password1": PASSWORD}
    browser.post("/accounts/signup/", form)

    assert User.objects.get(username="newcomer").pk != guest.pk
    jobs.lift_bans(NOW + WEEK)
    guest.refresh_from_db()
    assert (guest.is_active, guest.is_guest, guest.closed_at) == (False, True, NOW)


def test_a_guest_who_is_banned_while_they_sign_up_is_shut_out(
    host: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ban waits for who holds the row, and decides by what it is then: a member, who gets a letter."""
    guest = make_guest()
    browser = browser_of(guest)

    def late(user_id: int) -> None:
        monkeypatch.undo()
        body = {"username": "dora", "email": "dora@club.example", "password1": "a quiet corner 9"}
        browser.post("/accounts/signup/", body)
        mail.outbox.clear()
        hold_user(user_id)

    monkeypatch.setattr(f"{bans.__name__}.hold_user", late)
    row = ban(host, guest)

    dora = User.objects.get(pk=guest.pk)
    assert (dora.username, dora.is_active, dora.is_guest, dora.closed_at) == ("dora", False, False, None)
    assert row.reopens
    assert [letter.to for letter in mail.outbox] == [["dora@club.example"]]
    assert browser.get("/api/v1/me").status_code == 401


def test_who_closes_their_account_at_this_moment_is_not_banned(
    bob: User, host: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(user_id: int) -> None:
        monkeypatch.undo()
        closing.close(user=User.objects.get(pk=user_id), now=NOW)
        hold_user(user_id)

    monkeypatch.setattr(f"{bans.__name__}.hold_user", late)
    with pytest.raises(Unprocessable, match="open account"):
        ban(host, bob)
    assert not Ban.objects.exists()
