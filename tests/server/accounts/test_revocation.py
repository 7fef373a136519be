"""What is revoked ends at once: sessions, tokens, and the streams that they opened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.contacts.services import add_buddy, block
from crownhead.server.accounts.guests import services as guests
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.accounts.selectors import session_grant
from crownhead.server.accounts.services.closing import close
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.accounts.tokens.access import access_token, token_grant
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core import clock
from crownhead.server.core.problems import NotSignedIn
from crownhead.server.live.access import ENDED, Grant
from crownhead.server.live.models import Outbox
from crownhead.server.play.games.services import join
from crownhead.server.play.vacation.services import plan
from crownhead.server.social.services.bans import ban
from crownhead.server.teams.services import create_team
from tests.server.accounts.test_security import code_of, switch_on
from tests.server.conftest import PASSWORD, make_user
from tests.server.guests import make_guest
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_offer

pytestmark = pytest.mark.django_db

FRESH = "another corner by the door"


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


def signed_in(user: User) -> Client:
    """A browser in which somebody has just entered their password."""
    client = Client()
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    return client


def key_of(client: Client) -> str:
    return client.cookies["sessionid"].value


def stream_of(client: Client) -> Grant:
    """What a stream of this browser is bound to."""
    grant = session_grant(key_of(client))
    assert grant
    return grant


def program_of(user: User, name: str = "") -> tuple[str, Grant]:
    """A token, and what its streams are bound to."""
    token = token_services.new_token(user=user, now=clock.now(), name=name)
    return token, token_grant(access_token(token, needed=None, now=clock.now()))


def is_ended(grant: Grant) -> bool:
    """Whether the streams of this grant have been ended."""
    rows = Outbox.objects.filter(topic=f"access:{grant.user_id}", kind=ENDED)
    return any(grant.is_ended_by(row.payload) for row in rows)


def works(token: str) -> bool:
    try:
        access_token(token, needed=None, now=clock.now())
    except NotSignedIn:
        return False
    return True


def change_password(browser: Client, _user: User) -> None:
    browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": FRESH})


def set_in_back_office(_browser: Client, user: User) -> None:
    staff = make_user("ada", is_staff=True, is_superuser=True)
    body = {"password1": FRESH, "password2": FRESH, "usable_password": "true"}
    office = signed_in(staff)
    office.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert office.post(f"/staff/accounts/user/{user.pk}/password/", body).status_code == 302


def switch_off(_browser: Client, user: User) -> None:
    user.is_active = False
    user.save()


def suspend(_browser: Client, user: User) -> None:
    ban(staff=make_user("ada", is_staff=True), user=user, until=None, reason="flooding", now=clock.now())


def close_account(_browser: Client, user: User) -> None:
    close(user=user, now=clock.now())


def delete_row(_browser: Client, user: User) -> None:
    user.delete()


@pytest.mark.parametrize(
    "revoke", [change_password, set_in_back_office, switch_off, suspend, close_account, delete_row]
)
def test_other_sessions_tokens_and_streams_end_at_once(
    alice: User, bob: User, revoke: Callable[[Client, User], None]
) -> None:
    browser, phone, others = signed_in(alice), signed_in(alice), signed_in(bob)
    token, program = program_of(alice)
    page, bobs = stream_of(phone), stream_of(others)
    assert not is_ended(page)

    revoke(browser, User.objects.get(pk=alice.pk))

    assert phone.get("/accounts/security/").status_code == 302
    assert not works(token)
    assert is_ended(page)
    assert is_ended(program)
    assert not is_ended(bobs)
    assert others.get("/accounts/security/").status_code == 200


def test_one_who_changes_the_password_stays_signed_in(alice: User) -> None:
    browser = signed_in(alice)

    change_password(browser, alice)

    assert browser.get("/accounts/security/").status_code == 200
    assert UserSession.objects.filter(user=alice).count() == 1


def test_programs_that_were_chosen_stay_when_the_password_changes(alice: User) -> None:
    browser = signed_in(alice)
    (kept, keeps), (lost, loses) = program_of(alice, "my bot"), program_of(alice, "old bot")
    key = ApiToken.objects.get(name="my bot").pk
    assert "my bot" in browser.get("/accounts/password/change/").content.decode()

    body = {"oldpassword": PASSWORD, "password1": FRESH, "kept_tokens": [str(key)]}
    browser.post("/accounts/password/change/", body)

    assert (works(kept), works(lost)) == (True, False)
    assert (is_ended(keeps), is_ended(loses)) == (False, True)


def test_a_password_that_is_only_stored_again_ends_nothing(alice: User) -> None:
    token, program = program_of(alice)
    alice.check_password(PASSWORD)
    alice.save()
    assert works(token)
    assert not is_ended(program)


def test_signing_out_ends_the_streams_of_that_session_alone(alice: User) -> None:
    browser, phone = signed_in(alice), signed_in(alice)
    here, there, (token, program) = stream_of(browser), stream_of(phone), program_of(alice)

    browser.post("/accounts/logout/")

    assert is_ended(here)
    assert not is_ended(there)
    assert not is_ended(program)
    assert works(token)


def test_ending_a_session_from_the_list_ends_its_streams(alice: User) -> None:
    browser, phone = signed_in(alice), signed_in(alice)
    here, there = stream_of(browser), stream_of(phone)
    row = UserSession.objects.get(session_key=key_of(phone))

    browser.post("/accounts/sessions/", {"end": str(row.pk)})

    assert (is_ended(here), is_ended(there)) == (False, True)


def test_revoking_a_token_ends_its_streams_alone(alice: User) -> None:
    (token, program), (_other, beside) = program_of(alice, "mine"), program_of(alice, "other")
    token_services.revoke_token(token=token)
    assert (is_ended(program), is_ended(beside)) == (True, False)


def test_revoking_all_tokens_ends_their_streams_and_no_session(alice: User) -> None:
    browser, programs = signed_in(alice), [program_of(alice, name) for name in ("mine", "other")]
    browser.post("/accounts/tokens/end/", {"all": "1"})
    assert [(works(token), is_ended(stream)) for token, stream in programs] == [(False, True)] * 2
    assert not is_ended(stream_of(browser))


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_rights_that_are_taken_away_end_the_streams(right: str, host: User) -> None:
    _token, program = program_of(host)
    host.save()
    assert not is_ended(program)
    setattr(host, right, False)
    host.save()
    assert is_ended(program)


def test_a_change_of_other_columns_asks_nothing_about_rights(host: User) -> None:
    _token, program = program_of(host)
    host.is_staff = False  # in another request, which has not saved it
    with CaptureQueriesContext(connection) as queries:
        host.save(update_fields=["last_login"])
    assert len(queries) == 1
    assert not is_ended(program)


def test_a_hidden_game_is_followed_no_longer_once_a_second_factor_is_gone(
    host: User, alice: User, bob: User, settings: Settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    browser = signed_in(host)
    switch_on(browser)
    hidden, grant = make_game(alice, bob, hidden=True).public_id, stream_of(browser)
    assert StreamAccess().watchable([hidden], host.pk)
    Authenticator.objects.get(user=host, type="recovery_codes").delete()
    assert not is_ended(grant)
    Authenticator.objects.get(user=host, type="totp").delete()
    assert is_ended(grant)
    assert not StreamAccess().watchable([hidden], host.pk)


def test_no_event_names_a_session_so_that_it_could_be_opened(alice: User) -> None:
    browser = signed_in(alice)
    key = key_of(browser)
    browser.post("/accounts/logout/")
    assert Outbox.objects.filter(kind=ENDED).exists()
    assert all(key not in str(row.payload) for row in Outbox.objects.all())


def test_the_streams_of_a_token_end_when_it_expires(alice: User) -> None:
    token = token_services.new_token(user=alice, now=clock.now(), days=1)
    row = access_token(token, needed=None, now=clock.now())
    assert token_grant(row).expires_at == row.created_at + timedelta(days=1)


def _new_password(user: User) -> None:
    user.set_password(FRESH)
    user.save()


def _banned(user: User) -> None:
    ban(staff=make_user("ada", is_staff=True), user=user, until=None, reason="Cheats", now=clock.now())


@pytest.mark.parametrize("end", [_new_password, _banned])
def test_a_sign_in_that_waits_for_its_second_factor_ends_too(
    alice: User, end: Callable[[User], None]
) -> None:
    secret = switch_on(signed_in(alice))
    half = signed_in(alice)
    assert "_auth_user_id" not in half.session

    end(alice)
    page = half.post("/accounts/second-factor/", {"code": code_of(secret, steps=1)}, follow=True)

    assert page.redirect_chain[0][0] == "/accounts/login/"
    assert "Sign in again." in page.content.decode()
    assert "_auth_user_id" not in half.session


def _closed(user: User) -> None:
    close(user=user, now=clock.now())


@pytest.mark.parametrize("end", [_new_password, _banned, _closed])
def test_what_was_under_way_when_access_ended_leads_to_nothing(
    alice: User, bob: User, end: Callable[[User], None]
) -> None:
    """A request that has read its user before, and writes after it."""
    offer = make_offer(bob)
    before = User.objects.get(pk=alice.pk)
    end(alice)
    acts: list[Callable[[], object]] = [
        lambda: token_services.new_token(user=before, now=clock.now()),
        lambda: join(user=before, game_id=offer.public_id, now=NOW),
        lambda: create_team(user=before, name="Late", about_text="", joining="open", now=NOW),
        lambda: set_profile(user=before, now=NOW, text="Still here"),
        lambda: add_buddy(user=before, other=bob, now=NOW),
        lambda: block(user=before, other=bob, now=NOW),
        lambda: plan(user=before, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW),
    ]
    for act in acts:
        with pytest.raises(NotSignedIn):
            act()
    assert not ApiToken.objects.filter(user=alice).exists()
    assert fresh(offer).status == "waiting"


def test_what_a_guest_had_under_way_when_they_were_closed_leads_to_nothing(alice: User) -> None:
    offer, guest = make_offer(alice), make_guest()
    guests.close(guest_id=guest.pk, now=NOW)
    with pytest.raises(NotSignedIn):
        join(user=guest, game_id=offer.public_id, now=NOW)
    assert fresh(offer).status == "waiting"
