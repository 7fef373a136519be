"""What keeps an account safe: second factor, recovery codes, sessions, tokens, and mail on every change."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import ApiToken, Budget, User
from crownhead.server.accounts.security import sessions
from crownhead.server.accounts.services import closing
from crownhead.server.accounts.tokens import selectors
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound
from tests.server.conftest import PASSWORD, Api

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)


def code_of(secret: str, *, steps: int = 0) -> str:
    """What an authenticator app shows for a secret (RFC 6238), or showed some steps ago."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def signed_in(user: User, agent: str = FIREFOX) -> Client:
    """A browser in which somebody has just entered their password."""
    client = Client(headers={"User-Agent": agent})
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def text(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


def with_password(client: Client, path: str) -> str:
    """A page that asks for the password again."""
    client.get(path)
    page = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": path}, follow=True)
    return page.content.decode()


def switch_on(client: Client, *, forget: bool = True) -> str:
    """Switch the authenticator app on; its secret."""
    page = with_password(client, "/accounts/second-factor/app/")
    found = re.search(r'<code class="secret">([A-Z2-7]+)</code>', page)
    assert found, page
    client.post("/accounts/second-factor/app/", {"code": code_of(found[1])})
    cache.clear()  # a code counts once; what follows may come within its thirty seconds
    if forget:
        Budget.objects.filter(scope="used_code").delete()
    return found[1]


def test_the_overview_tells_how_the_account_is_stored(alice: User) -> None:
    page = text(signed_in(alice), "/accounts/security/")
    for part in ("Password", "alice@club.example", "Passkeys", "Authenticator app", "Sessions", "API tokens"):
        assert part in page
    assert "Recovery codes" not in page


def test_guests_are_led_to_sign_in(client: Client) -> None:
    for path in ("security", "sessions", "tokens", "second-factor/app", "passkeys/add", "recovery-codes"):
        answer = client.get(f"/accounts/{path}/")
        assert answer["Location"].startswith(("/accounts/login/?next=", "/accounts/reauthenticate/"))


def test_switching_the_app_on_asks_for_the_password_first(alice: User) -> None:
    client = signed_in(alice)
    page = with_password(client, "/accounts/second-factor/app/")
    assert "data:image/svg+xml;base64," in page
    assert not Authenticator.objects.exists()


def test_a_wrong_code_switches_nothing_on(alice: User) -> None:
    client = signed_in(alice)
    with_password(client, "/accounts/second-factor/app/")
    page = client.post("/accounts/second-factor/app/", {"code": "000000"}).content.decode()
    assert "Wrong code" in page
    assert not Authenticator.objects.exists()


def test_with_the_app_on_a_password_is_not_enough(alice: User) -> None:
    secret = switch_on(signed_in(alice))
    other = Client()
    answer = other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert answer["Location"] == "/accounts/second-factor/"
    assert "_auth_user_id" not in other.session
    assert "Wrong code" in other.post("/accounts/second-factor/", {"code": "123"}).content.decode()
    other.post("/accounts/second-factor/", {"code": code_of(secret)})
    assert other.session["_auth_user_id"] == str(alice.pk)


def test_a_recovery_code_lets_one_in_once(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    codes = re.findall(r"<li><code>(\d{8})</code></li>", text(client, "/accounts/recovery-codes/"))
    assert len(codes) == 10
    outcomes = []
    for _ in range(2):
        other = Client()
        other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        other.post("/accounts/second-factor/", {"code": codes[0]})
        outcomes.append("_auth_user_id" in other.session)
    assert outcomes == [True, False]
    assert "9 of 10 are left" in text(client, "/accounts/recovery-codes/")


def test_recovery_codes_can_be_kept_in_a_file_and_made_again(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    file = client.get("/accounts/recovery-codes/file/")
    before = re.findall(r"^\d{8}$", file.content.decode(), re.MULTILINE)
    assert len(before) == 10
    assert "alice at Crownhead" in file.content.decode()
    client.post("/accounts/recovery-codes/new/")
    after = re.findall(r"<code>(\d{8})</code>", text(client, "/accounts/recovery-codes/"))
    assert len(after) == 10
    assert not set(before) & set(after)


def test_the_app_can_be_switched_off(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    client.post("/accounts/second-factor/app/off/")
    assert not Authenticator.objects.exists()
    assert "_auth_user_id" in signed_in(alice).session


def test_the_address_can_be_changed_with_a_second_factor_on(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    client.post("/accounts/email/", {"email": "new@club.example", "action_add": ""})
    found = re.search(r"/accounts/email/change/\S+", str(mail.outbox[-1].body))
    assert found
    client.post(found[0], {"agree": "1"})
    assert EmailAddress.objects.filter(user=alice, email="new@club.example", verified=False).exists()


@pytest.mark.django_db(transaction=True)
def test_every_change_is_announced_by_mail_in_the_words_of_the_club(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    for path in ("recovery-codes/new", "second-factor/app/off", "tokens/new"):
        client.post(f"/accounts/{path}/", {"scopes": "play"})
    assert [letter.subject for letter in mail.outbox] == [
        "[Crownhead] Two-factor authentication is on",
        "[Crownhead] You have new recovery codes",
        "[Crownhead] Two-factor authentication is off",
        "[Crownhead] A new API token",
    ]
    assert all("If it wasn't you, change your password right away" in letter.body for letter in mail.outbox)


@pytest.mark.django_db(transaction=True)
def test_a_mail_about_a_change_says_when_and_from_which_browser_it_was_made(alice: User) -> None:
    switch_on(signed_in(alice))
    (letter,) = mail.outbox
    assert re.search(r"done on .+\d\d:\d\d UTC from Firefox on Linux \(127\.0\.0\.1\)\.", str(letter.body))


def test_the_secret_is_unreadable_in_the_database(alice: User) -> None:
    secret = switch_on(signed_in(alice))
    assert all(secret not in str(row.data) for row in Authenticator.objects.all())


def test_under_another_secret_key_no_code_fits_and_nothing_breaks(alice: User, settings: Settings) -> None:
    secret = switch_on(signed_in(alice))
    settings.SECRET_KEY = "another"
    other = Client()
    other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    for code in (code_of(secret), "000000"):
        answer = other.post("/accounts/second-factor/", {"code": code})
        assert "Wrong code" in answer.content.decode()


def test_a_secret_kept_under_a_former_key_is_read_still(alice: User, settings: Settings) -> None:
    secret = switch_on(signed_in(alice))
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "a new one"
    security_code = code_of(secret)
    other = Client()
    other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    other.post("/accounts/second-factor/", {"code": security_code})
    assert "_auth_user_id" in other.session


def test_over_the_api_the_second_factor_is_asked_for_too(alice: User, api: Api) -> None:
    secret = switch_on(signed_in(alice))
    body = {"username": "alice", "password": PASSWORD}
    bare = api.post("/tokens", body)
    assert (bare.status_code, bare.json()["type"]) == (401, "urn:crownhead:problem:second-factor-needed")
    assert api.post("/tokens", body | {"code": "000000"}).status_code == 401
    assert api.post("/tokens", body | {"code": code_of(secret)}).status_code == 201


def test_a_code_counts_once_over_the_api(alice: User, api: Api) -> None:
    secret = switch_on(signed_in(alice))
    body = {"username": "alice", "password": PASSWORD, "code": code_of(secret)}
    assert [api.post("/tokens", body).status_code for _ in range(2)] == [201, 401]


def test_guessing_codes_over_the_api_is_stopped(alice: User, api: Api) -> None:
    secret = switch_on(signed_in(alice))
    body = {"username": "alice", "password": PASSWORD}
    for number in range(10):
        api.post("/tokens", body | {"code": f"{number:06}"})
    assert api.post("/tokens", body | {"code": code_of(secret)}).status_code == 429


def test_a_wrong_password_does_not_reveal_the_second_factor(alice: User, api: Api) -> None:
    switch_on(signed_in(alice))
    answer = api.post("/tokens", {"username": "alice", "password": "a wrong one"})
    assert answer.json()["type"] == "urn:crownhead:problem:not-signed-in"


def test_sessions_are_listed_with_their_browsers(alice: User) -> None:
    client = signed_in(alice)
    signed_in(alice, PHONE)
    page = text(client, "/accounts/sessions/")
    assert "Firefox on Linux" in page
    assert "Safari on iOS" in page
    assert page.count("this browser") == 1


def test_one_session_is_ended_and_the_browser_signed_out(alice: User) -> None:
    client, phone = signed_in(alice), signed_in(alice, PHONE)
    there = UserSession.objects.get(user_agent=PHONE)
    client.post("/accounts/sessions/", {"end": str(there.pk)})
    assert phone.get("/accounts/security/").status_code == 302
    assert client.get("/accounts/security/").status_code == 200


def test_all_other_sessions_are_ended_at_once(alice: User) -> None:
    client, others = signed_in(alice), [signed_in(alice, PHONE) for _ in range(2)]
    page = client.post("/accounts/sessions/", {"others": "1"}, follow=True).content.decode()
    assert "2 other sessions were ended" in page
    assert [other.get("/accounts/security/").status_code for other in others] == [302, 302]


def test_nobody_ends_the_session_of_somebody_else(alice: User, bob: User) -> None:
    client, other = signed_in(alice), signed_in(bob)
    there = UserSession.objects.get(user=bob)
    client.post("/accounts/sessions/", {"end": str(there.pk)})
    assert other.get("/accounts/security/").status_code == 200
    for nonsense in ("", "x", "9" * 40, "-1"):
        assert client.post("/accounts/sessions/", {"end": nonsense}).status_code == 302


def test_a_new_password_ends_the_other_sessions(alice: User) -> None:
    client, phone = signed_in(alice), signed_in(alice, PHONE)
    body = {"oldpassword": PASSWORD, "password1": "another quiet corner"}
    client.post("/accounts/password/change/", body)
    assert phone.get("/accounts/security/").status_code == 302
    assert len(sessions.sessions_of(user=alice, key="")) == 1


def test_an_answer_to_the_session_before_does_not_take_the_new_one_away(alice: User) -> None:
    browser = signed_in(alice)
    overtaken = Client()
    overtaken.cookies.load({"sessionid": browser.cookies["sessionid"].value})
    fresh = "another corner by the door"
    browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": fresh})

    answer = overtaken.get("/")

    assert "My games" not in answer.content.decode()
    assert "sessionid" not in answer.cookies
    assert text(browser, "/accounts/sessions/").count("Firefox on Linux") == 1


def test_an_answer_while_the_password_changes_takes_no_cookie_away_either(alice: User) -> None:
    browser = signed_in(alice)
    alice.set_password("another corner by the door")
    alice.save()

    answer = browser.get("/")

    assert "My games" not in answer.content.decode()
    assert "sessionid" not in answer.cookies
    assert not UserSession.objects.purge_and_list(alice)


def test_a_player_who_signs_out_keeps_no_cookie(alice: User) -> None:
    browser = signed_in(alice)

    answer = browser.post("/accounts/logout/")

    assert answer.cookies["sessionid"].value == ""
    assert answer.cookies["sessionid"]["max-age"] == 0


def test_it_is_noted_now_and_then_when_a_session_was_used(alice: User) -> None:
    client = signed_in(alice)
    for passed, noted in ((timedelta(minutes=5), False), (timedelta(minutes=20), True)):
        row = UserSession.objects.get()
        later = row.last_seen_at + passed
        if noted:
            cache.clear()
        with clock.stopped(later):
            client.get("/rules/")
        assert (UserSession.objects.get().last_seen_at == later) is noted


def test_a_session_from_before_the_list_was_stored_appears_in_it(alice: User) -> None:
    client = signed_in(alice)
    UserSession.objects.all().delete()
    cache.clear()
    client.get("/rules/")
    assert UserSession.objects.get().user == alice


def test_sessions_whose_time_is_over_are_forgotten(alice: User) -> None:
    signed_in(alice)
    now = clock.now()
    assert sessions.delete_ended(now=now) == 0
    assert UserSession.objects.count() == 1
    assert sessions.delete_ended(now=now + timedelta(days=31)) == 1
    assert not UserSession.objects.exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("unknown", "0.0.0.0"),
        ("1.2.3.4:5", "0.0.0.0"),
    ],
)
def test_an_address_is_stored_as_a_database_takes_it(given: str, kept: str) -> None:
    assert sessions.plain_address(given) == kept


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (PHONE, "Safari on iOS"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", ""),
        ("", ""),
    ],
)
def test_browsers_are_named_in_two_words(agent: str, name: str) -> None:
    assert sessions.browser_of(agent) == name


def test_a_mail_repeats_nothing_that_a_browser_says_of_itself(alice: User) -> None:
    client = Client(headers={"user-agent": "A prize: https://evil.example/win"})
    client.post(
        "/api/v1/tokens", {"username": "alice", "password": PASSWORD}, content_type="application/json"
    )
    (letter,) = mail.outbox
    assert "from an unknown browser (127.0.0.1)" in letter.body
    assert "evil.example" not in letter.body


def test_a_token_is_shown_once_and_works(alice: User, api: Api) -> None:
    client = signed_in(alice)
    with_password(client, "/accounts/tokens/new/")
    page = client.post(
        "/accounts/tokens/new/", {"name": "  my\nbot ", "scopes": ["read", "play"]}, follow=True
    ).content.decode()
    found = re.search(r'<code class="secret">([\w-]{43})</code>', page)
    assert found
    assert Api(found[1], api.client).get("/me").json()["username"] == "alice"
    assert found[1] not in text(client, "/accounts/tokens/")
    assert "<b>my bot</b>" in text(client, "/accounts/tokens/")


def test_a_token_is_made_once_the_password_was_given_again(alice: User) -> None:
    client = Client()
    client.force_login(alice)
    asked = client.post("/accounts/tokens/new/", {"name": "my bot", "scopes": ["read"]})
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()
    page = client.post(asked["Location"], {"password": PASSWORD}, follow=True).content.decode()
    assert "Copy it now" in page
    assert ApiToken.objects.get().name == "my bot"


def test_tokens_are_ended_one_by_one_or_all(alice: User, bob: User) -> None:
    client = signed_in(alice)
    for user in (alice, alice, alice, bob):
        token_services.new_token(user=user, now=clock.now())
    newest = selectors.tokens_of(alice)[0]
    client.post("/accounts/tokens/end/", {"end": str(newest.pk)})
    assert selectors.tokens_of(alice).count() == 2
    client.post("/accounts/tokens/end/", {"end": str(selectors.tokens_of(bob)[0].pk)})
    client.post("/accounts/tokens/end/", {"all": "1"})
    assert (selectors.tokens_of(alice).count(), selectors.tokens_of(bob).count()) == (0, 1)
    with pytest.raises(NotFound):
        token_services.end_token(user=alice, token_id=newest.pk)


def test_tokens_are_named_listed_and_ended_over_the_api(alice: User, bob: User, api: Api) -> None:
    body = {"username": "alice", "password": PASSWORD, "name": "my bot", "scopes": ["manage"]}
    program = Api(api.post("/tokens", body).json()["token"], api.client)
    (token,) = program.get("/tokens").json()
    assert token["name"] == "my bot"
    assert api.as_(bob).delete(f"/tokens/{token['id']}").status_code == 404
    assert program.delete(f"/tokens/{token['id']}").status_code == 204
    assert program.get("/tokens").status_code == 401


def test_nobody_has_tokens_without_number(alice: User) -> None:
    for _ in range(token_services.MAX_TOKENS):
        token_services.new_token(user=alice, now=clock.now())
    with pytest.raises(Conflict, match="50 tokens"):
        token_services.new_token(user=alice, now=clock.now())


def test_closing_an_account_takes_its_keys_and_sessions_along(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    closing.close(user=alice, now=clock.now())
    assert not Authenticator.objects.exists()
    assert not UserSession.objects.exists()
    assert client.get("/accounts/security/").status_code == 302


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "/accounts/email/"),
        ("post", "/accounts/tokens/new/"),
        ("get", "/accounts/password/set/"),
        ("get", "/accounts/second-factor/app/"),
        ("get", "/accounts/second-factor/app/off/"),
        ("get", "/accounts/recovery-codes/"),
        ("get", "/accounts/recovery-codes/new/"),
        ("get", "/accounts/recovery-codes/file/"),
        ("get", "/accounts/passkeys/add/"),
        ("get", "/accounts/passkeys/{key}/remove/"),
        ("post", "/my-data/"),
        ("get", "/my-data/x.zip"),
        ("post", "/close-account/"),
    ],
)
def test_a_browser_found_signed_in_is_not_enough(alice: User, method: str, path: str) -> None:
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={})
    Authenticator.objects.create(user=alice, type=Authenticator.Type.RECOVERY_CODES, data={})
    row = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={"credential": {}})
    client = Client()
    client.force_login(alice)
    answer = client.generic(method.upper(), path.format(key=row.pk))
    assert answer.status_code == 302
    assert answer["Location"].startswith(("/accounts/reauthenticate/", "/accounts/second-factor/again/"))
    assert User.objects.get(pk=alice.pk).is_active


def test_the_name_of_a_key_is_a_short_line(alice: User) -> None:
    client = signed_in(alice)
    switch_on(client)
    row = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={"name": "phone"})
    path = f"/accounts/passkeys/{row.pk}/name/"
    with_password(client, path)
    for name, error in (("x" * 61, "at most 60 characters"), ("a\u202eb", "only visible characters")):
        assert error in client.post(path, {"name": name}).content.decode()
        assert Authenticator.objects.get(pk=row.pk).wrap().name == "phone"
    assert client.post(path, {"name": "x" * 60}).status_code == 302
