"""Where the club requires it, staff without a second factor are members like any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.test import Client
from pytest_django import Settings

import crownhead.server
from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.models import User
from crownhead.server.accounts.problems import SecondFactorRequired
from crownhead.server.accounts.tokens.services import new_token
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden
from tests.server.accounts.test_security import code_of, signed_in, switch_on, with_password
from tests.server.conftest import PASSWORD, Api, make_user
from tests.server.play.factories import make_game

pytestmark = pytest.mark.django_db

SERVER = Path(crownhead.server.__file__).parent
# Who is of the staff, whatever they may do today: who cannot be banned, is written to, is shown as such.
ABOUT_THE_PERSON = {
    *("accounts/access.py", "accounts/admin.py", "accounts/models.py", "accounts/api/accounts.py"),
    *("accounts/handlers.py", "accounts/services/__init__.py"),
    *("accounts/security/access.py", "accounts/security/views.py", "accounts/services/closing.py"),
    *("config/staff.py", "config/stream_access.py", "ops/demo/people.py"),
    *("notices/handlers/games.py", "notices/handlers/social.py", "notices/presenters/games.py"),
    "notices/presenters/preferences.py",
    "web/templatetags/frame.py",
}


@pytest.fixture(autouse=True)
def _required(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


def test_the_back_office_opens_once_a_second_factor_is_on(host: User) -> None:
    browser = signed_in(host)
    page = browser.get("/staff/accounts/user/", follow=True)
    assert page.redirect_chain[-1][0] == "/accounts/security/staff/"
    assert "/accounts/second-factor/app/" in page.content.decode()
    switch_on(browser)
    assert browser.get("/staff/accounts/user/").status_code == 200
    assert browser.get("/accounts/security/staff/")["Location"] == "/staff/"


def test_members_are_not_kept_on_the_page_for_staff(alice: User) -> None:
    assert signed_in(alice).get("/accounts/security/staff/")["Location"] == "/accounts/security/"


def test_without_one_staff_see_what_members_see(host: User, alice: User, bob: User) -> None:
    hidden = make_game(alice, bob, hidden=True)
    assert Api().as_(host).get(f"/games/{hidden.public_id}").status_code == 404
    browser = Client()
    browser.force_login(host)
    assert browser.get(f"/games/{hidden.public_id}/").status_code == 404
    assert browser.get("/rules/").status_code == 200


def test_a_token_from_before_the_second_factor_is_that_of_a_member(
    host: User, alice: User, bob: User
) -> None:
    """It may have been made by somebody who knew the password alone."""
    hidden = make_game(alice, bob, hidden=True)
    older, browser = Api().as_(host), signed_in(host)
    secret = switch_on(browser)

    assert older.get(f"/games/{hidden.public_id}").status_code == 404
    assert older.get("/me").status_code == 200

    for newer in (_by_code(secret), _by_page(browser)):
        assert newer.get(f"/games/{hidden.public_id}").status_code == 200


def test_a_token_made_in_a_session_that_has_shown_no_factor_is_that_of_a_member(
    host: User, alice: User, bob: User
) -> None:
    """It may have been made before there was one."""
    hidden, browser = make_game(alice, bob, hidden=True), signed_in(host)
    with_password(browser, "/accounts/tokens/new/")
    program = _by_page(browser)
    switch_on(browser)
    assert program.get(f"/games/{hidden.public_id}").status_code == 404


def test_a_stream_by_a_token_from_before_the_second_factor_is_that_of_a_member(
    host: User, alice: User, bob: User
) -> None:
    hidden, public = make_game(alice, bob, hidden=True).public_id, make_game(alice, bob).public_id
    access = StreamAccess()
    older = new_token(user=host, now=clock.now(), scopes=[Scope.READ])
    newer = _by_code(switch_on(signed_in(host))).token
    for token, seen in ((older, {public}), (newer, {hidden, public})):
        grant = access.grant_of_token(token)
        assert access.watchable([hidden, public], grant.user_id, grant.as_member) == seen


def test_a_session_that_has_shown_no_factor_is_that_of_a_member_until_it_does(
    host: User, alice: User, bob: User
) -> None:
    """As one from before the club noted it: who has the factor goes on once they have shown it."""
    hidden, browser, access = make_game(alice, bob, hidden=True).public_id, signed_in(host), StreamAccess()
    secret = switch_on(browser)
    _shown_none(browser)

    assert browser.get(f"/games/{hidden}/").status_code == 404
    grant = access.grant_of_session(browser.session.session_key or "")
    assert grant is not None
    assert not access.watchable([hidden], grant.user_id, grant.as_member)
    page = browser.get("/staff/accounts/user/", follow=True)
    asked = page.redirect_chain[-1][0]
    assert asked == "/accounts/second-factor/again/?next=/staff/"

    assert browser.post(asked, {"code": code_of(secret), "next": "/staff/"})["Location"] == "/staff/"
    assert browser.get("/staff/accounts/user/").status_code == 200
    assert browser.get(f"/games/{hidden}/").status_code == 200
    grant = access.grant_of_session(browser.session.session_key or "")
    assert grant is not None
    assert access.watchable([hidden], grant.user_id, grant.as_member)


def test_a_sign_in_with_the_factor_is_staff(host: User) -> None:
    secret, browser = switch_on(signed_in(host)), signed_in(host)
    browser.post("/accounts/second-factor/", {"code": code_of(secret)})
    assert browser.get("/staff/accounts/user/").status_code == 200


def _by_code(secret: str) -> Api:
    """A program that has signed in with the password and a code."""
    body = {"username": "hugo", "password": PASSWORD, "code": code_of(secret)}
    return Api(Api().post("/tokens", body).json()["token"])


def _by_page(browser: Client) -> Api:
    """A program with a token that was made on the page."""
    browser.post("/accounts/tokens/new/", {"name": "x", "scopes": ["read"]})
    found = re.search(r"<code[^>]*>([\w-]{40,})</code>", browser.get("/accounts/tokens/").content.decode())
    assert found
    return Api(found[1])


def _shown_none(browser: Client) -> None:
    session = browser.session
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [one for one in records if one["method"] != "mfa"]
    session.save()


@pytest.mark.django_db(transaction=True)
def test_sessions_from_before_the_second_factor_end_as_it_is_turned_on(
    host: User, alice: User, bob: User
) -> None:
    hidden = make_game(alice, bob, hidden=True)
    thief, browser = signed_in(host), signed_in(host)  # one knows the password alone
    switch_on(browser)
    page = browser.get(f"/games/{hidden.public_id}/")
    assert page.status_code == 200
    assert "Your other devices have been signed out." in page.content.decode()
    assert thief.get(f"/games/{hidden.public_id}/").status_code == 404
    assert thief.get("/staff/accounts/user/").status_code == 302
    assert not thief.session.get("_auth_user_id")


def test_services_say_what_is_missing(host: User, alice: User) -> None:
    with pytest.raises(SecondFactorRequired, match="second factor"):
        expect_staff(host)
    with pytest.raises(Forbidden, match="Only the staff"):
        expect_staff(alice)


def test_a_club_may_ask_it_of_nobody(host: User, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    expect_staff(host)
    assert signed_in(host).get("/staff/accounts/user/").status_code == 200


def test_what_only_staff_may_do_asks_whether_they_act_as_staff() -> None:
    asking = {
        path.relative_to(SERVER).as_posix()
        for path in SERVER.rglob("*.py")
        if "migrations" not in path.parts and "is_staff" in path.read_text("utf-8")
    }
    assert asking == ABOUT_THE_PERSON, "use `acts_as_staff` for what somebody may do"
