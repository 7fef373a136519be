"""Guests who play: a row that opens nothing, a name of its own, an account that keeps it, and its end."""

from __future__ import annotations

import html
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY as MEMBER_KEY
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.adapter import AccountAdapter
from crownhead.server.accounts.forms import SignupForm
from crownhead.server.accounts.guests import services
from crownhead.server.accounts.guests.access import SESSION_KEY
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services.locking import unlock
from crownhead.server.accounts.validators import NAME_IS_TAKEN, display_name, guest_number, is_reserved
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import GENERAL
from tests.server.conftest import PASSWORD, Api, make_user
from tests.server.guests import LINK, browser_of, guest_in, make_guest
from tests.server.play.factories import NOW, fresh, make_game, make_offer
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "newcomer", "email": "newcomer@club.example", "password1": PASSWORD}


def test_a_guest_is_a_row_that_nobody_can_sign_in_to(client: Client) -> None:
    guest = make_guest()
    assert not guest.is_active
    assert not guest.has_usable_password()
    assert guest.email == ""
    client.force_login(guest)
    assert client.get("/preferences/").status_code == 302
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=guest.pk).update(is_active=True)


def test_unlocking_makes_no_member_of_a_guest() -> None:
    guest = make_guest()
    unlock(user=guest)
    guest.refresh_from_db()
    assert not guest.is_active


@pytest.mark.parametrize("name", ["guest-4821", "Guest-4821", "guest4821", "guests", "GUEST_1"])
def test_no_member_can_be_called_like_a_guest(name: str) -> None:
    assert is_reserved(name)


def test_a_guest_is_shown_as_one_and_a_member_never_is() -> None:
    assert display_name(make_guest().username).startswith("Guest ")
    assert guest_number("guest-house") is None
    assert display_name("guest-house") == "guest-house"


def test_guests_have_numbers_of_their_own() -> None:
    assert len({make_guest().likeness for _ in range(30)}) == 30


def test_a_guest_has_no_page_and_is_in_no_list(client: Client, api: Api) -> None:
    guest = make_guest()
    number = str(guest_number(guest.username))
    assert client.get(f"/players/{guest.username}/").status_code == 404
    assert client.get(f"/players/{guest.username}/games/").status_code == 404
    assert api.get(f"/players/{guest.username}").status_code == 404
    assert accounts.player(guest.username) is None
    for address in ("/players/", "/players/?q=guest", "/players/?show=here"):
        assert number not in client.get(address).content.decode()


def test_for_every_other_page_a_guest_is_nobody(alice: User) -> None:
    browser = browser_of(make_guest())
    for address in ("/preferences/", "/messages/", "/invitations/", "/vacation/", "/accounts/security/"):
        assert browser.get(address).headers["Location"].startswith("/accounts/login/"), address
    assert browser.get("/badges/").json() == {}
    answer = browser.get("/api/v1/me")
    assert answer.status_code == 401
    page = browser.get("/help/").content.decode()
    assert "Sign in" in page
    assert "Sign out" not in page


def test_where_the_host_has_no_guests_a_visitor_signs_in(
    client: Client, alice: User, settings: Settings
) -> None:
    settings.GUESTS = False
    offer = make_offer(alice, now=clock.now())
    answer = client.post(f"/waiting-room/{offer.public_id}/take/")
    assert answer.headers["Location"].startswith("/accounts/login/")
    assert client.post("/new/", LINK).headers["Location"].startswith("/accounts/login/")
    assert "Sign up to join" in client.get("/waiting-room/").content.decode()
    assert not User.objects.filter(is_guest=True).exists()


def test_so_many_guests_of_one_address_begin_within_an_hour(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"guests": "2/h"}
    codes = [Client().post("/new/", LINK).status_code for _ in range(3)]
    assert codes == [302, 302, 429]
    other = Client(REMOTE_ADDR="192.0.2.7")
    assert other.post("/new/", LINK).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 3


def test_a_guest_who_plays_on_is_not_counted_again(settings: Settings, client: Client) -> None:
    settings.LIMITS = settings.LIMITS | {"guests": "1/h"}
    assert [client.post("/new/", LINK).status_code for _ in range(2)] == [302, 302]
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_visitor_who_fails_to_begin_leaves_no_row(client: Client) -> None:
    assert client.post("/waiting-room/nowhere/take/").status_code == 404
    assert not User.objects.filter(is_guest=True).exists()
    assert SESSION_KEY not in client.session


# --------------------------------------------------------------------------------------- becoming a member


def test_signing_up_keeps_the_games(client: Client, alice: User) -> None:
    offer = make_offer(alice, now=clock.now())
    client.post(f"/waiting-room/{offer.public_id}/take/")
    guest = guest_in(client)
    assert guest is not None
    client.post("/accounts/signup/", SIGN_UP)
    member = User.objects.get(username="newcomer")
    assert member.pk == guest.pk
    assert (member.is_guest, member.is_active, member.email) == (False, True, "newcomer@club.example")
    assert member.check_password(PASSWORD)
    assert (client.session[MEMBER_KEY], SESSION_KEY in client.session) == (str(member.pk), False)
    assert fresh(offer).second_player == member
    page = client.get(f"/games/{offer.public_id}/").content.decode()
    assert "newcomer" in page
    assert "Guest" not in page
    assert "Sign out" in page


def test_where_addresses_are_confirmed_first_the_games_wait_for_the_member(
    client: Client, alice: User, settings: Settings
) -> None:
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    offer = make_offer(alice, now=clock.now())
    client.post(f"/waiting-room/{offer.public_id}/take/")
    answer = client.post("/accounts/signup/", SIGN_UP)
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert fresh(offer).second_player == User.objects.get(username="newcomer")
    assert guest_in(client) is None
    assert client.post(f"/games/{offer.public_id}/", {"do": "resign"}).status_code == 302
    assert fresh(offer).status == "playing"


def test_what_somebody_wanted_is_remembered_until_their_address_is_confirmed(
    client: Client, alice: User, settings: Settings
) -> None:
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    take = f"/waiting-room/{make_offer(alice, rated=True, now=clock.now()).public_id}/take/"
    client.post("/accounts/signup/", SIGN_UP | {"next": take})
    EmailAddress.objects.filter(user__username="newcomer").update(verified=True)
    signed_in = {"login": "newcomer", "password": PASSWORD}
    assert client.post("/accounts/login/", signed_in).headers["Location"] == take
    client.post("/accounts/logout/")
    assert client.post("/accounts/login/", signed_in).headers["Location"] == "/"


def test_nobody_is_led_to_another_site_after_signing_up(client: Client) -> None:
    answer = client.post("/accounts/signup/", SIGN_UP | {"next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_an_address_that_has_an_account_makes_no_difference_to_the_guest(client: Client) -> None:
    Client().post("/accounts/signup/", SIGN_UP | {"username": "sooner"})
    client.post("/new/", LINK)
    guest = guest_in(client)
    assert guest is not None
    client.post("/accounts/signup/", SIGN_UP)
    assert User.objects.get(username="newcomer").pk == guest.pk


def test_a_name_that_is_taken_in_that_moment_costs_a_guest_no_game(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = make_offer(alice, now=clock.now())
    client.post(f"/waiting-room/{offer.public_id}/take/")
    guest = guest_in(client)
    assert guest is not None
    save = AccountAdapter.save_user

    def late(self: AccountAdapter, request: HttpRequest, user: User, form: SignupForm) -> User:
        """Between the check of the name and the row."""
        make_user("newcomer")
        return save(self, request, user, form)

    monkeypatch.setattr(AccountAdapter, "save_user", late)
    page = client.post("/accounts/signup/", SIGN_UP).content.decode()
    monkeypatch.undo()

    assert str(NAME_IS_TAKEN) in html.unescape(page)
    assert guest_in(client) == guest
    assert fresh(offer).second_player == guest
    client.post("/accounts/signup/", SIGN_UP | {"username": "latecomer"})
    assert User.objects.get(username="latecomer").pk == guest.pk


def test_signing_up_over_the_api_makes_a_new_member() -> None:
    guest = make_guest()
    body = {"username": "newcomer", "email": "newcomer@club.example", "password": PASSWORD}
    answer = browser_of(guest).post("/api/v1/accounts", body, content_type="application/json")
    assert answer.status_code == 201
    assert User.objects.get(username="newcomer").pk != guest.pk
    guest.refresh_from_db()
    assert guest.is_guest


def test_games_stay_with_the_guest_where_a_member_signs_in(alice: User, bob: User) -> None:
    guest = make_guest()
    game, browser = make_game(alice, guest), browser_of(guest)
    page = browser.get("/accounts/login/").content.decode()
    assert "these games stay with the guest" in page
    browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert SESSION_KEY not in browser.session
    assert fresh(game).second_player == guest
    assert browser.post(f"/games/{game.public_id}/", {"do": "resign"}).status_code == 403


# --------------------------------------------------------------------------------------- the end of a guest


def test_a_guest_who_stays_away_resigns_and_is_still_called_a_guest(alice: User, settings: Settings) -> None:
    with clock.stopped(NOW):
        guest = make_guest()
    game, offer = make_game(alice, guest), make_offer(alice)
    later = NOW + timedelta(days=settings.GUEST_DAYS, hours=1)
    with clock.stopped(NOW + timedelta(days=1)):
        assert services.close_idle(now=NOW + timedelta(days=1)) == 0
    assert services.close_idle(now=later) == 1
    assert services.close_idle(now=later) == 0
    guest.refresh_from_db()
    assert guest.closed_at == later
    assert guest.username.startswith("guest-")
    run_tasks(GENERAL)
    assert (fresh(game).status, fresh(offer).status) == ("finished", "waiting")
    assert browser_of(guest).post(f"/games/{game.public_id}/", {"do": "again"}).status_code == 302


def test_a_guest_who_cannot_be_closed_holds_up_no_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clock.stopped(NOW):
        first, second = make_guest(), make_guest()
    User.objects.filter(pk=first.pk).update(last_seen_at=NOW - timedelta(days=1))

    def close(*, guest_id: int, now: datetime) -> None:
        if guest_id == first.pk:
            raise OSError("disk")
        closed.append(guest_id)

    closed: list[int] = []
    monkeypatch.setattr(services, "close", close)
    assert services.close_idle(now=NOW + timedelta(days=settings.GUEST_DAYS, hours=1)) == 1
    assert closed == [second.pk]


def test_each_page_that_a_guest_opens_says_that_they_are_here() -> None:
    with clock.stopped(NOW):
        guest = make_guest()
    browser = browser_of(guest)
    with clock.stopped(NOW + timedelta(days=3)):
        browser.get("/help/")
        browser.post("/waiting-room/nowhere/take/")
    guest.refresh_from_db()
    assert guest.last_seen_at == NOW + timedelta(days=3)


def test_those_who_refuse_guests_are_known_together(alice: User, bob: User) -> None:
    set_preferences(user=bob, changes={"guests": False})
    assert accounts.refuse_guests([alice.pk, bob.pk]) == {bob.pk}


def test_the_back_office_shows_no_guest_among_the_members(client: Client) -> None:
    guest = make_guest()
    client.force_login(User.objects.create_superuser("host-1", "", PASSWORD))
    assert guest.username not in client.get("/staff/accounts/user/").content.decode()
    assert client.get(f"/staff/accounts/user/{guest.pk}/change/").status_code == 302
