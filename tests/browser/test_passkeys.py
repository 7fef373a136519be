"""Passkeys and second factors, with Chromium's virtual authenticator."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import CHROMIUM, launched
from tests.browser.visitors import PASSWORD, Visitor, open_window
from tests.club import Club

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The whole Chromium: the smaller one crashes when a window with an authenticator goes on."""
    yield from launched(playwright, CHROMIUM)


@dataclass(slots=True)
class Member:
    """A member with a virtual authenticator that verifies its user."""

    visitor: Visitor
    devtools: Any
    authenticator: str

    @property
    def page(self) -> Page:
        """The page."""
        return self.visitor.page

    def keys(self) -> list[dict[str, Any]]:
        """The credentials of the authenticator."""
        held = self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})
        credentials: list[dict[str, Any]] = held["credentials"]
        return credentials

    def sign_out(self) -> None:
        """Sign out."""
        self.visitor.go("/accounts/logout/")
        self.page.locator("main").get_by_role("button", name="Sign out").click()
        expect(self.page.get_by_role("link", name="Sign in")).to_be_visible()

    def give_password(self) -> None:
        """Enter the password, when signing in or when asked again."""
        self.page.get_by_label("Password").fill(PASSWORD)

    def sign_in_by_password(self) -> None:
        """Sign in by username and password."""
        self.visitor.go("/accounts/login/")
        self.page.get_by_label("Username or e-mail").fill(self.visitor.name)
        self.give_password()
        self.page.locator("main").get_by_role("button", name="Sign in", exact=True).click()

    def add_key(self, *, passkey: bool) -> None:
        """Add a passkey, after entering the password again."""
        self.visitor.go("/accounts/passkeys/add/")
        self.give_password()
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Key name").fill("my laptop")
        self.page.get_by_label("Use it to sign in without a password").set_checked(passkey)
        self.page.get_by_role("button", name="Continue").click()
        expect(self.page.get_by_text("The key was added.")).to_be_visible()


@pytest.fixture
def member(browser: Browser, club: Club, request: pytest.FixtureRequest) -> Iterator[Member]:
    """A new member; the browser allows keys on ``localhost`` without a certificate."""
    visitor = open_window(browser, f"http://localhost:{club.port}")
    devtools = visitor.page.context.new_cdp_session(visitor.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    visitor.sign_up(f"key-{abs(hash(request.node.name)) % 10**6}")
    yield Member(visitor, devtools, made["authenticatorId"])
    visitor.page.context.close()
    assert visitor.console_errors == []


def test_a_passkey_is_added_and_replaces_the_password(member: Member) -> None:
    member.add_key(passkey=True)
    (key,) = member.keys()
    assert key["isResidentCredential"]
    expect(member.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    member.visitor.go("/accounts/passkeys/")
    expect(member.page.get_by_text("my laptop passkey")).to_be_visible()

    member.sign_out()
    member.visitor.go("/accounts/login/")
    member.page.get_by_role("button", name="Sign in with a passkey").click()

    expect(member.page.get_by_role("link", name="My games")).to_be_visible()
    expect(member.page.locator(".account .username")).to_have_text(member.visitor.name)


def test_a_security_key_is_asked_for_after_the_password(member: Member) -> None:
    member.add_key(passkey=False)
    member.sign_out()

    member.sign_in_by_password()
    expect(member.page.get_by_role("heading", name="One more step")).to_be_visible()
    assert violations(member.page) == []
    member.page.get_by_role("button", name="Use a passkey or security key").click()

    expect(member.page.get_by_role("link", name="My games")).to_be_visible()


def test_a_cancelled_passkey_prompt_can_be_tried_again(member: Member) -> None:
    member.add_key(passkey=True)
    member.sign_out()
    verified = {"authenticatorId": member.authenticator, "isUserVerified": False}
    member.devtools.send("WebAuthn.setUserVerified", verified)
    member.visitor.go("/accounts/login/")

    member.page.get_by_role("button", name="Sign in with a passkey").click()

    expect(member.page.locator("main").get_by_role("alert")).to_have_text(
        "That did not work, or was cancelled. Try again."
    )
    member.devtools.send("WebAuthn.setUserVerified", verified | {"isUserVerified": True})
    member.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(member.page.get_by_role("link", name="My games")).to_be_visible()


def test_a_device_is_not_added_twice(member: Member) -> None:
    member.add_key(passkey=True)
    member.visitor.go("/accounts/passkeys/add/")

    member.page.get_by_role("button", name="Continue").click()

    expect(member.page.locator("main").get_by_role("alert")).to_have_text(
        "This device already has a key for this account."
    )


def test_a_key_is_renamed_and_removed(member: Member) -> None:
    member.add_key(passkey=True)
    member.visitor.go("/accounts/passkeys/")
    member.page.get_by_role("link", name="Rename my laptop").click()
    member.page.get_by_label("Key name").fill("the old laptop")
    member.page.get_by_role("button", name="Save").click()
    member.page.get_by_role("link", name="Remove the old laptop").click()
    member.page.get_by_role("button", name="Remove").click()

    expect(member.page.get_by_text("The key was removed.")).to_be_visible()
    expect(member.page.get_by_text("You have no keys yet.")).to_be_visible()
    member.sign_out()
    member.sign_in_by_password()
    expect(member.page.get_by_role("link", name="My games")).to_be_visible()


def test_an_authenticator_app_is_set_up_from_its_qr_code(member: Member) -> None:
    member.visitor.go("/accounts/second-factor/app/")
    member.give_password()
    member.page.get_by_role("button", name="Continue").click()
    picture = member.page.get_by_alt_text("QR code with the secret")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.naturalWidth") > 0
    secret = member.page.locator("code.secret").inner_text()
    member.page.get_by_label("Code").fill(code_of(secret))
    member.page.get_by_role("button", name="Turn on").click()
    expect(member.page.get_by_text("Two-factor authentication is on.")).to_be_visible()
    recovery = member.page.locator(".codes code").first.inner_text()

    member.sign_out()
    member.sign_in_by_password()
    member.page.get_by_label("Code").fill(recovery)
    member.page.locator("main").get_by_role("button", name="Sign in", exact=True).click()

    expect(member.page.get_by_role("link", name="My games")).to_be_visible()


def test_without_javascript_the_passkey_button_is_hidden(browser: Browser, club: Club) -> None:
    visitor = open_window(browser, club.address, java_script_enabled=False)
    visitor.go("/accounts/login/")

    expect(visitor.page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    expect(visitor.page.locator("main").get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    visitor.page.context.close()


def code_of(secret: str) -> str:
    """The current code of an authenticator app (RFC 6238)."""
    digest = hmac.new(
        base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1
    ).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 10**6:06}"
