"""What holds of every club from its first start: cookies, sessions, passwords, codes, headers, documents."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings as site
from django.contrib.auth.hashers import identify_hasher, make_password
from django.core import signing
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.api.accounts import Credentials, NewAccount
from crownhead.server.accounts.forms import SignupForm
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security import throttle
from crownhead.server.accounts.services.computers import computer
from crownhead.server.config.limits import limits
from crownhead.server.core import clock
from crownhead.server.core.monitoring.security import SecurityEvent
from tests.house.tree import HOUSE
from tests.server.accounts.test_security import code_of
from tests.server.conftest import PASSWORD, Api
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db

OPERATING = (HOUSE / "docs" / "operating.md").read_text("utf-8")
DAYS_30 = 60 * 60 * 24 * 30


# ------------------------------------------------------------------------------------ sessions, cookies


def test_the_session_cookie_is_kept_from_scripts_and_from_forms_of_other_sites(alice: User) -> None:
    browser = Client()
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    session, form = browser.cookies[site.SESSION_COOKIE_NAME], browser.cookies[site.CSRF_COOKIE_NAME]
    assert (session["httponly"], session["samesite"], form["samesite"]) == (True, "Lax", "Lax")
    assert session["max-age"] == DAYS_30
    assert session["domain"] == form["domain"] == ""
    assert alice.pk


def test_a_sign_in_makes_a_new_session_with_a_name_by_chance(alice: User) -> None:
    names = set()
    for _ in range(3):
        browser = Client()
        browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        first = browser.session.session_key
        browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        names |= {first, browser.session.session_key}
    assert len(names) >= 3
    assert all(name is not None and re.fullmatch("[a-z0-9]{32}", name) for name in names)  # 165 bits
    assert alice.pk


def test_nobody_is_signed_in_by_an_address(alice: User) -> None:
    browser = Client()
    browser.get(f"/accounts/login/?login=alice&password={PASSWORD}")
    browser.get(f"/?sessionid={signed_in_key(alice)}")
    assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//evil.example",
        "https:evil.example",
        "http:///evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
    ],
)
def test_no_address_redirects_to_another_site(alice: User, elsewhere: str) -> None:
    browser = Client()
    browser.force_login(alice)
    assert browser.get("/accounts/login/", {"next": elsewhere}).headers["Location"] == "/"


def signed_in_key(user: User) -> str:
    browser = Client()
    browser.force_login(user)
    return browser.session.session_key or ""


# -------------------------------------------------------------------------------------- passwords, codes


def test_passwords_are_hashed_by_argon2id_with_the_parameters_of_owasp(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["crownhead.server.accounts.hashers.ClubHasher"]
    kept = make_password(PASSWORD)
    assert kept.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert identify_hasher(kept).verify(PASSWORD, kept)


def test_no_account_is_there_before_somebody_makes_one() -> None:
    assert not User.objects.exists()
    level = computer(3)
    assert (level.is_active, level.is_staff, level.has_usable_password()) == (False, False, False)


def test_an_account_has_no_hint_and_no_secret_question() -> None:
    assert set(SignupForm().fields) == {"username", "email", "password1", "time_zone"}
    assert set(NewAccount.model_fields) == {"username", "email", "password"}
    names = {field.name for field in User._meta.get_fields()} | set(Credentials.model_fields)
    assert not [name for name in names if re.search("hint|question|answer", name)]


def test_codes_of_an_app_have_six_digits_for_half_a_minute_and_a_seed_by_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds = {totp.generate_totp_secret() for _ in range(20)}
    assert len(seeds) == 20
    assert all(len(seed) * 5 >= 160 for seed in seeds)
    seed = seeds.pop()
    noon = 1_800_000_000.0
    monkeypatch.setattr(time, "time", lambda: noon)
    codes = {steps: code_of(seed, steps=steps) for steps in (-2, -1, 0, 1, 2)}
    assert all(re.fullmatch("[0-9]{6}", code) for code in codes.values())
    taken = {steps for steps, code in codes.items() if totp.validate_totp_code(seed, code)}
    assert taken == {-1, 0, 1}


def test_a_secret_that_was_changed_in_the_database_fits_no_code() -> None:
    adapter = get_adapter()
    kept = adapter.encrypt("JBSWY3DPEHPK3PXP")
    assert adapter.decrypt(kept) == "JBSWY3DPEHPK3PXP"
    middle = len(kept) // 2
    spoilt = kept[:middle] + ("A" if kept[middle] != "A" else "B") + kept[middle + 1 :]
    assert adapter.decrypt(spoilt) != "JBSWY3DPEHPK3PXP"


def test_a_link_of_a_mail_is_refused_once_a_sign_of_it_is_changed(alice: User) -> None:
    token = throttle.unlock_token(alice)
    assert throttle.user_of_unlock(token) == alice
    for place in (3, len(token) - 3):
        spoilt = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert throttle.user_of_unlock(spoilt) is None
    other_use = signing.dumps([alice.pk, ""], salt="crownhead.email-change")
    assert throttle.user_of_unlock(other_use) is None


# ------------------------------------------------------------------------------------------------ answers


@pytest.mark.parametrize("path", ["/", "/rules/", "/api/v1/variants", "/games/", "/accounts/login/"])
def test_no_answer_allows_another_origin(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Origin": "https://other.example"})
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("path", ["/", "/rules/", "/accounts/login/", "/api/v1/variants", "/static/"])
def test_no_request_is_sent_back_and_no_folder_listed(client: Client, path: str) -> None:
    answer = client.generic("TRACE", path, headers={"X-Secret": "hunter2"})
    assert answer.status_code in {400, 403, 404, 405}
    assert b"hunter2" not in answer.content
    for folder in ("/static/", "/static/crownhead/", "/static/crownhead/js/"):
        assert client.get(folder).status_code == 404


def test_what_stands_in_an_address_is_no_part_of_a_body(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    program = Api().as_(alice)
    with clock.stopped(NOW):
        answer = program.post(f"/games/{game.public_id}/moves?move=11-15&version=0", {})
    assert answer.status_code == 422
    browser = Client()
    browser.force_login(alice)
    with clock.stopped(NOW):
        browser.post(f"/games/{game.public_id}/?do=resign", {})
    game.refresh_from_db()
    assert game.status == "playing"


# ---------------------------------------------------------------------------------------------- documents


def test_every_limit_is_on_the_page_for_hosts_with_its_value() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| `([\w/]+)` \|", OPERATING, re.MULTILINE))
    assert {name: rate for name, rate in told.items() if name in limits({})} == limits({})


def test_every_event_of_the_security_log_is_on_the_page_for_hosts() -> None:
    part = OPERATING.partition("### The security log")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", part)) >= {event.value for event in SecurityEvent}
