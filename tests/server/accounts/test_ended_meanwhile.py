"""A request that has read its user, and writes after their access has ended, opens nothing again.

The end comes in the midst of a request: where a form of it is about to save what was checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts import access
from crownhead.server.accounts.adapter import AccountAdapter
from crownhead.server.accounts.addresses import services as addresses
from crownhead.server.accounts.forms import ChangePasswordForm, EmailForm, ResetPasswordKeyForm
from crownhead.server.accounts.models import ApiToken, EmailChange, User
from crownhead.server.accounts.security.factors import Held
from crownhead.server.accounts.security.sessions import end_others
from crownhead.server.accounts.services.closing import close
from crownhead.server.accounts.tokens import services as tokens
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.notices.models import Device
from crownhead.server.notices.services import devices
from crownhead.server.people.services import closing
from crownhead.server.people.services.closing import close_confirmed
from crownhead.server.social.services.bans import ban
from tests.server.accounts.proven import show_factors
from tests.server.accounts.software_keys import new_key
from tests.server.accounts.test_email_change import signed_in
from tests.server.accounts.test_security import code_of, switch_on
from tests.server.conftest import PASSWORD, Api, make_user
from tests.server.notices.browsers import Browser

pytestmark = pytest.mark.django_db

FRESH, OWNERS = "another corner by the door", "the window over the lake 77"
OLDER = "django.contrib.auth.hashers.PBKDF2PasswordHasher"
THIEFS = "thief@elsewhere.example"

End = Callable[[User], None]


def in_the_midst(monkeypatch: pytest.MonkeyPatch, of: type, name: str, happen: Callable[[], object]) -> None:
    """Let something happen once, where a request is about to call this method."""
    original = getattr(of, name)

    def late(self: Any, *args: Any) -> Any:
        monkeypatch.setattr(of, name, original)
        happen()
        return original(self, *args)

    monkeypatch.setattr(of, name, late)


def change_password(browser: Client, new: str = FRESH) -> None:
    browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new})


def _banned(user: User) -> None:
    ban(staff=make_user("boss", is_staff=True), user=user, until=None, reason="Cheats", now=clock.now())


def _closed(user: User) -> None:
    close(user=user, now=clock.now())


def _set_by_owner(user: User) -> None:
    browser = Client()
    browser.force_login(user)
    show_factors(browser, user)
    change_password(browser, OWNERS)


def _taken_back(user: User) -> None:
    """The owner of the old address undoes a change, so that no password opens the account."""
    change = EmailChange.objects.create(
        user=user,
        old=user.email,
        new=THIEFS,
        asked_at=clock.now(),
        agreed_at=clock.now(),
        done_at=clock.now(),
    )
    addresses.take_back(change=change)


ENDS = pytest.mark.parametrize("end", [_banned, _closed, _set_by_owner, _taken_back])


@ENDS
def test_a_password_that_is_changed_meanwhile(alice: User, monkeypatch: pytest.MonkeyPatch, end: End) -> None:
    browser = signed_in()
    after: list[Any] = []

    def happen() -> None:
        end(User.objects.get(pk=alice.pk))
        after.append(User.objects.values().get(pk=alice.pk))

    in_the_midst(monkeypatch, ChangePasswordForm, "save", happen)
    change_password(browser)

    assert [User.objects.values().get(pk=alice.pk)] == after
    assert browser.get("/api/v1/me").status_code == 401


@ENDS
def test_a_password_that_is_reset_meanwhile(alice: User, monkeypatch: pytest.MonkeyPatch, end: End) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": "alice@club.example"})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    assert link
    form = browser.get(link[0], follow=True).redirect_chain[-1][0]
    after: list[Any] = []

    def happen() -> None:
        end(User.objects.get(pk=alice.pk))
        after.append(User.objects.values().get(pk=alice.pk))

    in_the_midst(monkeypatch, ResetPasswordKeyForm, "save", happen)
    browser.post(form, {"password1": FRESH})

    assert [User.objects.values().get(pk=alice.pk)] == after


def test_rights_that_are_taken_away_meanwhile_stay_away(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    browser = signed_in()
    rows = User.objects.filter(pk=alice.pk)
    in_the_midst(monkeypatch, ChangePasswordForm, "save", lambda: rows.update(is_staff=False))

    change_password(browser)

    alice.refresh_from_db()
    assert not alice.is_staff
    assert alice.check_password(FRESH)


@ENDS
@pytest.mark.parametrize("is_confirmed", [True, False])
def test_an_address_that_is_asked_for_meanwhile(
    alice: User, monkeypatch: pytest.MonkeyPatch, end: End, is_confirmed: bool
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=is_confirmed)
    browser = signed_in()
    in_the_midst(monkeypatch, EmailForm, "save", lambda: end(User.objects.get(pk=alice.pk)))

    browser.post("/accounts/email/", {"action_add": "", "email": THIEFS})

    assert not EmailChange.objects.filter(done_at=None).exists()
    assert not EmailAddress.objects.filter(email=THIEFS).exists()
    assert not [letter for letter in mail.outbox if letter.to == [THIEFS]]


@ENDS
def test_an_address_that_is_confirmed_meanwhile(
    alice: User, monkeypatch: pytest.MonkeyPatch, end: End
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    signed_in().post("/accounts/email/", {"action_add": "", "email": THIEFS})
    (letter,) = [one for one in mail.outbox if one.to == [THIEFS]]
    link = re.search(r"/accounts/confirm-email/\S+", str(letter.body))
    assert link
    in_the_midst(monkeypatch, AccountAdapter, "confirm_email", lambda: end(User.objects.get(pk=alice.pk)))

    Client().post(link[0])

    assert not EmailAddress.objects.filter(email=THIEFS).exists()
    assert not User.objects.filter(email=THIEFS).exists()


@ENDS
def test_a_change_that_is_agreed_to_meanwhile(alice: User, end: End) -> None:
    signed_in().post("/accounts/email/", {"action_add": "", "email": THIEFS})
    change = EmailChange.objects.select_related("user").get()
    end(User.objects.get(pk=alice.pk))
    mail.outbox.clear()

    with pytest.raises(NotFound):
        addresses.agree(request=Any, change=change, now=clock.now())  # type: ignore[arg-type]

    assert not EmailAddress.objects.filter(email=THIEFS).exists()
    assert not mail.outbox


def test_a_closed_account_gets_no_address_back(alice: User) -> None:
    change = EmailChange.objects.create(user=alice, old=alice.email, new=THIEFS, asked_at=clock.now())
    _closed(User.objects.get(pk=alice.pk))

    with pytest.raises(NotFound):
        addresses.take_back(change=change)

    assert not EmailAddress.objects.filter(user=alice).exists()


@ENDS
@pytest.mark.parametrize("path", ["second-factor/app/", "recovery-codes/new/", "passkeys/add/"])
def test_a_second_factor_that_is_added_meanwhile(
    alice: User, monkeypatch: pytest.MonkeyPatch, end: End, path: str
) -> None:
    """What was sent is right, and who asks has no access any more once their row is held."""
    browser = Client(headers={"host": "localhost"})
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    if path == "recovery-codes/new/":
        switch_on(browser)
    sent = _right_form(browser, f"/accounts/{path}")
    after: list[Any] = []

    def happen() -> None:
        end(User.objects.get(pk=alice.pk))
        after.append(list(Authenticator.objects.values()))

    in_the_midst(monkeypatch, Held, "form_valid", happen)
    answer = browser.post(f"/accounts/{path}", sent)

    assert answer.headers["Location"] == "/accounts/login/"
    assert browser.get("/accounts/security/").status_code == 302
    assert [list(Authenticator.objects.values())] == after


def _right_form(browser: Client, path: str) -> dict[str, str]:
    """What the page of a second factor expects at this moment."""
    page = browser.get(path).content.decode()
    if secret := re.search(r'<code class="secret">([A-Z2-7]+)</code>', page):
        return {"code": code_of(secret[1])}
    if "passkeys" in path:
        key = new_key(browser.session["mfa.webauthn.state"]["challenge"])
        return {"name": "mine", "credential": json.dumps(key)}
    return {}


@pytest.mark.parametrize("end", [_set_by_owner, _taken_back])
def test_an_account_that_is_closed_meanwhile(alice: User, monkeypatch: pytest.MonkeyPatch, end: End) -> None:
    """By a thief, while the owner sets another password: that is the one thing that cannot be undone."""
    program, check = Api().as_(alice), User.check_password

    def late(self: User, raw: str) -> bool:
        is_right = check(self, raw)
        monkeypatch.setattr(User, "check_password", check)
        end(User.objects.get(pk=alice.pk))
        return is_right

    monkeypatch.setattr(User, "check_password", late)
    assert program.post("/me/close", {"password": PASSWORD}).status_code == 401

    assert User.objects.get(pk=alice.pk).closed_at is None


@ENDS
def test_an_account_that_is_closed_on_its_page_meanwhile(
    alice: User, monkeypatch: pytest.MonkeyPatch, end: End
) -> None:
    browser, rows = signed_in(), User.objects.filter(pk=alice.pk)
    after: list[Any] = []

    def late(**named: Any) -> None:
        end(rows.get())
        after.append(rows.values().get())
        close_confirmed(**named)

    monkeypatch.setattr("crownhead.server.people.views.account.close_confirmed", late)
    browser.post("/close-account/")

    assert [rows.values().get()] == after


def test_an_older_hash_that_is_replaced_meanwhile(alice: User, settings: Settings) -> None:
    """Of a password that somebody signs in with, while its owner sets another."""
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, OLDER]
    User.objects.filter(pk=alice.pk).update(password=make_password(PASSWORD, hasher="pbkdf2_sha256"))
    before = User.objects.get(pk=alice.pk)
    _new_password(alice)

    assert before.check_password(PASSWORD)

    alice.refresh_from_db()
    assert alice.check_password(OWNERS)


def test_an_older_hash_is_replaced_at_the_next_sign_in(alice: User, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, OLDER]
    User.objects.filter(pk=alice.pk).update(password=make_password(PASSWORD, hasher="pbkdf2_sha256"))

    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)

    alice.refresh_from_db()
    assert not alice.password.startswith("pbkdf2")
    assert alice.check_password(PASSWORD)


def _new_password(user: User) -> None:
    user.set_password(OWNERS)
    user.save(update_fields=["password"])


def _session(browser: Client) -> str:
    return str(browser.session.session_key)


def _end_session(browser: Client) -> None:
    end_others(user=User.objects.get(username="alice"), key="")
    assert not Session.objects.filter(session_key=_session(browser)).exists()


def _late(monkeypatch: pytest.MonkeyPatch, module: ModuleType, happen: Callable[[], None]) -> None:
    """Let something happen where a service is about to hold who acts."""
    original = module.hold_member

    def late(user: User, **named: Any) -> None:
        monkeypatch.setattr(module, "hold_member", original)
        happen()
        original(user, **named)

    monkeypatch.setattr(module, "hold_member", late)


def _subscribe(browser: Client) -> Any:
    return browser.post("/api/v1/push", json.dumps(Browser().subscription()), "application/json")


def _make_token(browser: Client) -> Any:
    return browser.post("/accounts/tokens/new/", {"name": "x", "scopes": ["read", "manage"]})


def _ask_for_address(browser: Client) -> Any:
    return browser.post("/accounts/email/", {"action_add": "", "email": THIEFS})


def _close(browser: Client) -> Any:
    return browser.post("/close-account/")


@pytest.mark.parametrize(
    ("act", "module"),
    [
        (_subscribe, devices),
        (_make_token, tokens),
        (_ask_for_address, addresses),
        (change_password, access),
        (_close, closing),
    ],
)
def test_a_session_that_ends_alone_leaves_nothing_either(
    alice: User, monkeypatch: pytest.MonkeyPatch, act: Callable[[Client], Any], module: ModuleType
) -> None:
    """The password stays: what is stored by a session that has ended would outlast it."""
    browser = signed_in()
    before = User.objects.values().get(pk=alice.pk)
    _late(monkeypatch, module, lambda: _end_session(browser))

    act(browser)

    for model in (Device, ApiToken, EmailChange):
        assert not model.objects.exists()
    assert User.objects.values().get(pk=alice.pk) == before


def test_a_second_factor_is_not_added_by_a_session_that_has_ended(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = signed_in()
    sent = _right_form(browser, "/accounts/second-factor/app/")
    in_the_midst(monkeypatch, Held, "form_valid", lambda: _end_session(browser))

    browser.post("/accounts/second-factor/app/", sent)

    assert not Authenticator.objects.exists()


def test_a_browser_is_not_added_by_a_token_that_was_revoked_meanwhile(
    alice: User, monkeypatch: pytest.MonkeyPatch, api: Api
) -> None:
    program = api.as_(alice)
    _late(monkeypatch, devices, lambda: tokens.end_tokens(user=alice))

    assert program.post("/push", Browser().subscription()).status_code == 401

    assert not Device.objects.exists()
