"""The pages of an account: sign up, confirm, sign in and out, change and reset the password."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import Permission
from django.core import mail
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.social.models import LONGEST_NEWS
from tests.server.conftest import PASSWORD, Api

pytestmark = pytest.mark.django_db

NEW = {"username": "Dora", "email": "Dora@club.example", "password1": PASSWORD}
ANOTHER = "another quiet corner"
NO_MAIL = "This club can&#x27;t send e-mail yet. Ask its host for the link that was to be in the e-mail."


def test_signing_up_signs_in_at_once_and_sends_a_link(client: Client) -> None:
    answer = client.post("/accounts/signup/", NEW)
    assert answer.status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="Dora").pk)
    assert mail.outbox[0].to == ["dora@club.example"]
    assert mail.outbox[0].subject == "[Crownhead] Confirm your e-mail address"


def test_a_club_may_ask_for_a_confirmed_address_first(client: Client, settings: Settings) -> None:
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    page = client.post("/accounts/signup/", NEW, follow=True)
    assert "Check your e-mail" in page.content.decode()
    assert "_auth_user_id" not in client.session
    client.post(link_in_mail(r"/accounts/confirm-email/\S+"))
    assert EmailAddress.objects.get(email="dora@club.example").verified
    assert sign_in(client, "Dora", PASSWORD)


def without_mail_server(settings: Settings, folder: Path) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = "crownhead.server.core.mail.FileBackend", folder


def test_a_club_without_a_mail_server_says_so_instead_of_claiming_to_have_sent_a_link(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    without_mail_server(settings, tmp_path)
    page = client.post("/accounts/signup/", NEW, follow=True).content.decode()
    assert "We&#x27;ve sent" not in page
    assert NO_MAIL in page


def test_a_club_without_a_mail_server_that_asks_for_a_confirmed_address_names_the_way_to_it(
    client: Client, api: Api, settings: Settings, tmp_path: Path
) -> None:
    without_mail_server(settings, tmp_path)
    settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    page = client.post("/accounts/signup/", NEW, follow=True).content.decode()
    assert NO_MAIL in page
    assert "Check your e-mail" not in page
    answer = api.post("/tokens", {"username": "Dora", "password": PASSWORD})
    assert answer.status_code == 403
    assert "can't send e-mail yet" in answer.json()["detail"]


def test_a_reset_without_a_mail_server_tells_nobody_whether_there_is_an_account(
    client: Client, alice: User, settings: Settings, tmp_path: Path
) -> None:
    without_mail_server(settings, tmp_path)
    assert NO_MAIL in text(client, "/accounts/password/reset/")
    pages = {
        client.post("/accounts/password/reset/", {"email": address}, follow=True).content.decode()
        for address in (alice.email, "nobody@club.example")
    }
    assert len(pages) == 1
    assert NO_MAIL in pages.pop()


def test_the_page_of_the_link_asks_before_it_confirms(client: Client) -> None:
    client.post("/accounts/signup/", NEW)
    link = link_in_mail(r"/accounts/confirm-email/\S+")
    assert "Is dora@club.example the e-mail address of Dora?" in text(client, link)
    assert not EmailAddress.objects.get().verified
    client.post(link)
    assert EmailAddress.objects.get().verified


def test_a_spoilt_link_says_so(client: Client) -> None:
    assert "This link doesn't work" in text(client, "/accounts/confirm-email/spoilt/")
    assert "This link doesn't work" in text(client, "/accounts/password/reset/key/1-spoilt/")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"username": "a b"}, "A name has 3 to 20 letters"),
        ({"username": "A-lice"}, "is already taken"),
        ({"username": "Moderator"}, "is already taken"),
        ({"email": "nowhere"}, "valid e-mail"),
        ({"password1": "password"}, "too common"),
        ({"password1": "12345678"}, "This password is too common."),
        ({"password1": "short"}, "too short"),
        ({"username": ""}, "required"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_made(
    client: Client, alice: User, change: dict[str, str], sentence: str
) -> None:
    page = client.post("/accounts/signup/", NEW | change)
    assert page.status_code == 200
    assert sentence in page.content.decode()
    assert list(User.objects.all()) == [alice]


def test_a_taken_address_looks_like_a_free_one(client: Client, alice: User) -> None:
    free = Client().post("/accounts/signup/", NEW)
    taken = client.post("/accounts/signup/", NEW | {"username": "Dorothy", "email": alice.email})
    assert (free.status_code, free["Location"]) == (taken.status_code, taken["Location"])


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@club.example", "Alice@Club.example"])
def test_one_signs_in_by_name_or_address(client: Client, alice: User, login: str) -> None:
    assert sign_in(client, login, PASSWORD)


def test_a_wrong_password_and_an_unknown_name_look_alike(client: Client, alice: User) -> None:
    pages = [
        client.post("/accounts/login/", {"login": login, "password": "wrong one"}).content.decode()
        for login in (alice.username, "nobody")
    ]
    wrong, unknown = (re.findall(r'role="alert">([^<]+)<', page) for page in pages)
    assert wrong == unknown == ["Wrong username or password."]


def test_guessing_a_password_is_stopped_after_some_tries(client: Client, alice: User) -> None:
    for _ in range(10):
        client.post("/accounts/login/", {"login": alice.username, "password": "a wrong guess"})
    assert not sign_in(client, alice.username, PASSWORD)


def test_one_signs_out_by_a_button(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert "Do you want to sign out?" in text(client, "/accounts/logout/")
    answer = client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session
    assert answer.headers["Clear-Site-Data"] == '"cache"'  # nobody goes back to what was shown
    assert "Clear-Site-Data" not in client.post("/accounts/logout/").headers


def test_changing_the_password_asks_for_the_one_in_use_and_keeps_one_signed_in(
    client: Client, alice: User
) -> None:
    sign_in(client, "alice", PASSWORD)
    body = {"oldpassword": "a wrong one", "password1": ANOTHER}
    client.post("/accounts/password/change/", body)
    assert not changed(alice)
    client.post("/accounts/password/change/", body | {"oldpassword": PASSWORD})
    assert changed(alice)
    assert "_auth_user_id" in client.session
    assert sign_in(Client(), "alice", ANOTHER)


def test_a_changed_password_ends_the_other_sessions(client: Client, alice: User) -> None:
    elsewhere = Client()
    sign_in(elsewhere, "alice", PASSWORD)
    sign_in(client, "alice", PASSWORD)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": ANOTHER})
    assert elsewhere.get("/accounts/email/").status_code == 302


def test_a_forgotten_password_is_reset_by_a_link_and_ends_the_tokens(
    client: Client, api: Api, alice: User
) -> None:
    api.as_(alice)
    client.post("/accounts/password/reset/", {"email": alice.email})
    page = client.get(link_in_mail(r"/accounts/password/reset/key/\S+"), follow=True)
    assert "Set a new password" in page.content.decode()
    done = client.post(page.request["PATH_INFO"], {"password1": ANOTHER}, follow=True)
    assert "Your password was changed" in done.content.decode()
    assert not alice.api_tokens.exists()
    assert sign_in(Client(), "alice", ANOTHER)


def test_the_link_works_once(client: Client, alice: User) -> None:
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = link_in_mail(r"/accounts/password/reset/key/\S+")
    page = client.get(link, follow=True)
    client.post(page.request["PATH_INFO"], {"password1": ANOTHER})
    assert "This link doesn't work" in Client().get(link, follow=True).content.decode()


def test_asking_for_a_reset_tells_nobody_whether_there_is_an_account(client: Client, alice: User) -> None:
    pages = [
        client.post("/accounts/password/reset/", {"email": address}, follow=True).content.decode()
        for address in (alice.email, "nobody@club.example")
    ]
    assert pages[0] == pages[1]
    assert "If there is an account with this address" in pages[0]


def test_a_new_address_counts_once_it_is_confirmed(client: Client, alice: User) -> None:
    sign_in(client, "alice", PASSWORD)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"action_add": "", "email": "new@club.example"})
    client.post(link_in_mail(r"/accounts/email/change/\S+"), {"agree": "1"})
    assert "new@club.example · not confirmed yet" in text(client, "/accounts/email/")
    alice.refresh_from_db()
    assert alice.email == "alice@club.example"
    client.post(link_in_mail(r"/accounts/confirm-email/\S+"))
    alice.refresh_from_db()
    assert alice.email == "new@club.example"


def test_too_many_sign_ups_from_one_address_get_a_page_that_says_so(
    client: Client, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/m/ip"}
    client.post("/accounts/signup/", NEW | {"username": "a b"})
    page = client.post("/accounts/signup/", NEW)
    assert page.status_code == 429
    assert "Too many requests" in page.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "signup/",
        "login/",
        "logout/",
        "password/reset/",
        "password/reset/done/",
        "confirm-email/",
        "inactive/",
    ],
)
def test_the_pages_of_guests_show_our_own_frame_without_inline_style_or_script(
    client: Client, path: str
) -> None:
    answer = client.get(f"/accounts/{path}", follow=True)
    page = answer.content.decode()
    assert '<main class="page"' in page
    assert not re.search(r'<script(?![^>]*\b(?:src=|type="application/json"))|<style|\sstyle=|\son\w+=', page)


@pytest.mark.parametrize("path", ["email/", "password/change/", "reauthenticate/", "logout/"])
def test_the_pages_of_members_show_our_own_frame(client: Client, alice: User, path: str) -> None:
    sign_in(client, alice.username, PASSWORD)
    answer = client.get(f"/accounts/{path}")
    assert answer.status_code == 200
    assert '<main class="page"' in answer.content.decode()


@pytest.mark.parametrize("path", ["email/", "password/change/", "reauthenticate/"])
def test_the_pages_of_members_send_guests_to_sign_in(client: Client, path: str) -> None:
    answer = client.get(f"/accounts/{path}")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")


LONG = "a" * 100_000


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/accounts/login/", {"login": LONG, "password": PASSWORD}),
        ("/accounts/login/", {"login": "alice", "password": LONG}),
        ("/accounts/signup/", NEW | {"password1": LONG}),
        ("/accounts/signup/", NEW | {"email": f"{LONG}@club.example"}),
        ("/accounts/password/reset/", {"email": LONG}),
    ],
)
def test_what_is_too_long_is_neither_hashed_nor_shown_again(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch, path: str, form: dict[str, str]
) -> None:
    def encode(_self: object, password: str, _salt: str) -> str:
        raise AssertionError(f"a password of {len(password)} characters was hashed")

    monkeypatch.setattr(club_hasher(), "encode", encode)
    page = client.post(path, form)
    assert page.status_code == 200
    text = page.content.decode()
    assert "a" * 300 not in text
    assert re.search(r"Use at most (254|1000) characters\.", text)


def club_hasher() -> type:
    """The class that hashes new passwords here."""
    return type(get_hasher())


def test_a_form_that_is_too_large_is_refused_unread(client: Client) -> None:
    body = "login=" + "%41" * 160_000
    page = client.post("/accounts/login/", body, content_type="application/x-www-form-urlencoded")
    assert page.status_code in {400, 413}
    assert len(page.content) < 20_000


def test_the_longest_news_fit_into_a_form() -> None:
    assert len(urlencode({"text": "駒" * LONGEST_NEWS})) + 5_000 < settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_the_form_with_the_most_fields_is_read_and_none_with_more(client: Client) -> None:
    of_a_group = Permission.objects.count() + 20
    assert of_a_group < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    fields = {f"field{number}": "1" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    body, form = urlencode(fields), "application/x-www-form-urlencoded"
    assert len(fields) == 501
    assert client.post("/accounts/login/", body, content_type=form).status_code == 400


NO_HOST = "dora@" + "é" * 60 + ".example"  # longer than a name of the net once it is in ASCII


def test_an_address_that_no_letter_can_bear_is_refused_like_any_other(client: Client, api: Api) -> None:
    sign_up = client.post("/accounts/signup/", NEW | {"email": NO_HOST})
    reset = client.post("/accounts/password/reset/", {"email": NO_HOST})
    assert "Enter a valid e-mail address." in sign_up.content.decode()
    assert "Enter a valid e-mail address." in reset.content.decode()
    answer = api.post("/accounts", {"username": "Dora", "email": NO_HOST, "password": PASSWORD})
    assert (answer.status_code, "Enter a valid e-mail address." in answer.content.decode()) == (422, True)
    assert client.post("/accounts/unlock/", {"login": NO_HOST}).status_code == 200
    assert not User.objects.exists()
    assert not mail.outbox


def test_an_account_with_such_an_address_gets_no_letter_and_its_pages_work(
    client: Client, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    User.objects.filter(pk=alice.pk).update(email=NO_HOST)
    assert client.post("/accounts/unlock/", {"login": "alice"}).status_code == 200
    assert "an e-mail could not be sent" in caplog.text


def sign_in(client: Client, login: str, password: str) -> bool:
    """Whether the page let the visitor in."""
    client.post("/accounts/login/", {"login": login, "password": password})
    return "_auth_user_id" in client.session


def changed(user: User) -> bool:
    """Whether the user's password is the other one now."""
    user.refresh_from_db()
    return user.check_password(ANOTHER)


def text(client: Client, path: str) -> str:
    """A page as text."""
    return client.get(path, follow=True).content.decode()


def link_in_mail(pattern: str) -> str:
    """The path of the link in the last letter."""
    found = re.search(f"http://testserver({pattern})", str(mail.outbox[-1].body))
    assert found, mail.outbox[-1].body
    return found[1]
