"""Passkeys that no browser would send: too many, too large, answers to no challenge."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import STATE_SESSION_KEY
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.accounts.security import forms, passkeys
from tests.server.accounts.held import noted_calls
from tests.server.accounts.software_keys import new_key, text
from tests.server.conftest import PASSWORD

pytestmark = pytest.mark.django_db
ADD, LOGIN = "/accounts/passkeys/add/", "/accounts/passkeys/login/"
AGAIN, SECOND_FACTOR = "/accounts/passkeys/again/", "/accounts/second-factor/"
BY_SCRIPT = {"X-Requested-With": "XMLHttpRequest", "Accept": "application/json"}

ANSWER: dict[str, Any] = {
    "id": "AAAA",
    "rawId": "AAAA",
    "type": "public-key",
    "response": {
        "clientDataJSON": text(b'{"type":"webauthn.get","challenge":"AAAA","origin":"http://localhost"}'),
        "authenticatorData": text(hashlib.sha256(b"localhost").digest() + b"\x05\0\0\0\0"),
        "signature": "AAAA",
        "userHandle": "AAAA",
    },
    "clientExtensionResults": {},
}


@pytest.fixture
def confirmed(alice: User) -> Client:
    """Alice's browser, in which she has just given her password."""
    browser = Client(headers={"host": "localhost"})
    browser.post("/accounts/login/", {"login": alice.username, "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


def add(browser: Client, **more: Any) -> Any:
    assert browser.get(ADD).status_code == 200
    challenge = browser.session["mfa.webauthn.state"]["challenge"]
    return browser.post(ADD, {"name": "phone", "credential": json.dumps(new_key(challenge, **more))})


def test_of_a_new_key_only_what_signing_in_needs_is_kept(confirmed: Client) -> None:
    answer = add(confirmed, authenticatorAttachment="platform", junk="x" * 5000)
    assert answer.status_code == 302
    kept = Authenticator.objects.get(type="webauthn").data["credential"]
    assert set(kept) == {
        "id",
        "rawId",
        "type",
        "response",
        "authenticatorAttachment",
        "clientExtensionResults",
    }
    assert kept["clientExtensionResults"] == {"credProps": {"rk": True}}


def test_a_key_that_is_too_large_is_refused(confirmed: Client) -> None:
    assert add(confirmed, junk="x" * passkeys.LONGEST).status_code == 200
    assert not Authenticator.objects.filter(type="webauthn").exists()


@pytest.mark.parametrize(
    "sent", ["[]", '"x"', "5", '{"id": "x"}', '{"response": []}', '{"response": {}}', "{"]
)
def test_what_is_no_key_is_refused(confirmed: Client, sent: str) -> None:
    confirmed.get(ADD)
    assert confirmed.post(ADD, {"name": "phone", "credential": sent}).status_code == 200
    assert not Authenticator.objects.filter(type="webauthn").exists()


def test_a_member_has_only_so_many_keys(confirmed: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [add(confirmed).status_code for _ in range(2)] == [302, 302]
    confirmed.get(ADD)  # in two windows, before there were as many as one may have
    monkeypatch.setattr(passkeys, "MOST", 2)
    key = new_key(confirmed.session["mfa.webauthn.state"]["challenge"])
    answer = confirmed.post(ADD, {"name": "phone", "credential": json.dumps(key)})
    assert "You already have 2 keys." in answer.content.decode()
    assert Authenticator.objects.filter(type="webauthn").count() == 2


def test_an_answer_without_a_challenge_looks_up_nobodys_keys(
    confirmed: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    add(confirmed)
    answer = ANSWER | {"response": ANSWER["response"] | {"userHandle": text(str(alice.pk).encode())}}
    stranger = Client(headers={"host": "localhost"})
    captured: CaptureQueriesContext
    with django_assert_max_num_queries(10) as captured:
        refused = stranger.post(LOGIN, {"credential": json.dumps(answer)})
    assert refused.headers["Location"] == "/accounts/login/"
    assert not any("mfa_authenticator" in query["sql"] for query in captured.captured_queries)


@pytest.mark.parametrize(
    "changes",
    [
        {"rawId": "BBBB"},
        {"response": {"clientDataJSON": "e30", "attestationObject": "!!!!"}},
        {"response": {"clientDataJSON": "e30", "attestationObject": ""}},
        {"response": {"clientDataJSON": "e30", "attestationObject": text(b"\x81" * 5000)}},
    ],
)
def test_a_key_that_cannot_be_read_is_refused_in_words_of_keys(
    confirmed: Client, changes: dict[str, Any]
) -> None:
    answer = add(confirmed, **changes)
    assert "Your browser sent something that isn&#x27;t a key." in answer.content.decode()


def test_a_key_that_answers_another_challenge_is_refused_in_words_of_keys(confirmed: Client) -> None:
    confirmed.get(ADD)
    answer = confirmed.post(ADD, {"name": "phone", "credential": json.dumps(new_key("AAAA"))})
    assert "isn&#x27;t a key" in answer.content.decode()
    assert "app shows" not in answer.content.decode()


def test_who_has_no_room_for_a_key_is_told_before_their_device_makes_one(
    confirmed: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        add(confirmed)
    monkeypatch.setattr(passkeys, "MOST", 2)
    page = confirmed.get(ADD, follow=True)
    assert page.redirect_chain == [("/accounts/passkeys/", 302)]
    assert "You already have 2 keys." in page.content.decode()


def test_a_challenge_is_known_by_the_name_that_allauth_gives_it() -> None:
    assert passkeys.has_challenge({STATE_SESSION_KEY: {}})
    assert not passkeys.has_challenge({})


def answering(browser: Client, path: str) -> Client:
    """A browser that has been asked for a key on one of the pages."""
    if path == ADD:
        assert browser.get(ADD).status_code == 200
        return browser
    add(browser)
    if path == AGAIN:
        assert browser.get(AGAIN).status_code == 200
        return browser
    other = Client(headers={"host": "localhost"})
    if path == SECOND_FACTOR:
        asked = other.post("/accounts/login/", {"login": "alice", "password": PASSWORD}, follow=True)
        assert asked.redirect_chain == [(SECOND_FACTOR, 302)]
    else:
        assert other.get(LOGIN, headers=BY_SCRIPT).status_code == 200
    return other


@pytest.mark.parametrize("path", [ADD, LOGIN, AGAIN, SECOND_FACTOR])
@pytest.mark.parametrize(
    ("sent", "times"),
    [
        ("[" * 100 + "]" * 100, 1),
        ("[" + ",".join(["[]"] * 5000) + "]", 1),
        ('{"id": ' * 40 + "1" + "}" * 40, 1),
        ('["\\ud800"]', 1),
        ("[" * 8000 + "]" * 8001, 0),
        ('"' + "x" * 400_000 + '"', 0),
    ],
    ids=["deep", "many", "in names", "no text", "a little too long", "far too long"],
)
def test_what_is_no_key_is_read_once_at_most_and_not_given_back(
    confirmed: Client, monkeypatch: pytest.MonkeyPatch, path: str, sent: str, times: int
) -> None:
    browser = answering(confirmed, path)
    reads = noted_calls(monkeypatch, forms, "read_json")
    answer = browser.post(path, {"name": "phone", "credential": sent})
    assert len(reads) == times
    assert len(answer.content) < 20_000
    assert Authenticator.objects.filter(type="webauthn").count() == (path != ADD)
    page = answer if answer.status_code == 200 else browser.get("/accounts/login/", follow=True)
    assert sent[:50] not in page.content.decode()


@pytest.mark.parametrize("path", [LOGIN, AGAIN, SECOND_FACTOR])
@pytest.mark.parametrize(
    "sent",
    [
        *("", "[]", "5", '"x"', "null", '{"response": []}', '{"id": {}}', "{"),
        json.dumps({**ANSWER, "id": 10**9, "rawId": 10**9}),
        json.dumps(ANSWER | {"response": ANSWER["response"] | {"clientDataJSON": text(b"[" * 5000)}}),
        json.dumps(ANSWER | {"response": ANSWER["response"] | {"authenticatorData": ""}}),
        json.dumps(ANSWER | {"response": ANSWER["response"] | {"userHandle": [1]}}),
        json.dumps(ANSWER),
    ],
)
def test_an_answer_that_is_none_is_refused_everywhere(confirmed: Client, path: str, sent: str) -> None:
    browser = answering(confirmed, path)
    assert browser.post(path, {"credential": sent}).status_code in {200, 302}
    assert browser.get("/accounts/passkeys/").status_code == (200 if path == AGAIN else 302)


def test_a_refused_key_is_checked_and_shown_again_before_others_wait(
    confirmed: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed.get(ADD)
    reads = noted_calls(monkeypatch, forms, "read_json")
    pages = noted_calls(monkeypatch, AddWebAuthnView, "get_context_data")
    assert confirmed.post(ADD, {"name": "phone", "credential": "{}"}).status_code == 200
    assert reads == pages == [False]


def test_a_key_is_stored_while_its_member_is_held(confirmed: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = noted_calls(monkeypatch, forms, "read_json")
    writes = noted_calls(monkeypatch, Authenticator, "save")
    add(confirmed)
    assert reads == [False]
    assert writes == [True, True]  # with the recovery codes that come with the first of them


def test_a_key_that_is_removed_meanwhile_is_not_stored_again_under_another_name(
    confirmed: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(confirmed)
    key = Authenticator.objects.get(type="webauthn")
    clean = forms.EditWebAuthnForm.full_clean

    def late(self: forms.EditWebAuthnForm) -> None:
        clean(self)
        Authenticator.objects.filter(user=alice).delete()

    monkeypatch.setattr(forms.EditWebAuthnForm, "full_clean", late)
    page = confirmed.post(f"/accounts/passkeys/{key.pk}/name/", {"name": "laptop"}, follow=True)
    assert "have changed meanwhile" in page.content.decode()
    assert not Authenticator.objects.exists()
