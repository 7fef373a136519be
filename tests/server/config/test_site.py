"""What holds for every answer of the site: security headers, problems, health."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages.storage.cookie import CookieStorage
from django.core import mail
from django.db import OperationalError, connection
from django.test import Client
from django.utils.module_loading import import_string
from pytest_django import DjangoAssertNumQueries, Settings

from crownhead.server.accounts.models import User
from tests.server.conftest import PASSWORD, Api, make_user

pytestmark = pytest.mark.django_db


def test_nothing_inline_is_allowed_on_a_page(client: Client) -> None:
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == rules["connect-src"] == rules["worker-src"] == "'self'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert rules["img-src"] == "'self' data:"
    assert rules["frame-ancestors"] == rules["object-src"] == "'none'"
    assert rules["base-uri"] == rules["form-action"] == "'self'"
    assert "unsafe" not in policy.replace("wasm-unsafe-eval", "")


def test_a_page_carries_the_other_headers_too(client: Client) -> None:
    answer = client.get("/accounts/login/")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_page_says_what_it_uses_of_the_browser(client: Client) -> None:
    allowed = dict(
        part.split("=") for part in client.get("/accounts/login/")["Permissions-Policy"].split(", ")
    )
    assert allowed["camera"] == allowed["microphone"] == allowed["geolocation"] == allowed["payment"] == "()"
    assert not {"publickey-credentials-get", "publickey-credentials-create", "clipboard-write"} & set(allowed)


@pytest.mark.parametrize("path", ["/", "/api/v1/variants", "/api/v1/nothing", "/nowhere", "/health"])
def test_no_other_site_embeds_what_is_not_made_for_it(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    is_page = answer["Content-Type"].startswith("text/html")
    for name in ("Permissions-Policy", "Cross-Origin-Opener-Policy"):
        assert (name in answer) == is_page, "it is for pages, and weighs on everything else"


def test_pictures_of_positions_may_be_embedded(client: Client) -> None:
    answer = client.get("/diagram.svg?variant=american&fen=W:W21-32:B1-12")
    assert (answer.status_code, answer["Cross-Origin-Resource-Policy"]) == (200, "cross-origin")


@pytest.mark.parametrize(
    "path",
    [
        *(f"/api/v1/variants/russian/{part}" for part in ("rules", "weights", "tables", "openings")),
        "/static/crownhead/js/rules/engine.js",
        "/static/crownhead/wasm/crownhead.wasm",
    ],
)
def test_other_sites_may_use_rules_and_engine(client: Client, path: str) -> None:
    with closing(client.get(path)) as answer:
        headers = answer.headers
    assert answer.status_code == 200
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("path", ["/static/crownhead/js/site.js", "/api/v1/variants", "/"])
def test_nothing_else_is_shared(client: Client, path: str) -> None:
    with closing(client.get(path)) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("https://club.example", "__Host-"),
        ("https://club.example/", "__Host-"),
        ("https://club.example/checkers", ""),
        ("http://club.example", ""),
        ("", ""),
    ],
)
def test_cookies_are_bound_to_the_host_where_browsers_can_do_that(
    tmp_path: Path, address: str, prefix: str
) -> None:
    code = (
        "from crownhead.server.config import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.DEVICE_COOKIE_NAME, s.MESSAGE_COOKIE_NAME,"
        "s.SESSION_COOKIE_SECURE)"
    )
    variables = os.environ | {"CROWNHEAD_DATA": str(tmp_path), "CROWNHEAD_ADDRESS": address}
    done = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True
    )
    secure = str(address.startswith("https"))
    names = [f"{prefix}{name}" for name in ("sessionid", "csrftoken", "device", "messages")]
    assert done.stdout.split() == [*names, secure]


def test_messages_wait_in_the_cookie_that_the_settings_name(settings: Settings) -> None:
    storage: Any = import_string(settings.MESSAGE_STORAGE)
    assert [kind.cookie_name for kind in storage.storage_classes if issubclass(kind, CookieStorage)] == [
        settings.MESSAGE_COOKIE_NAME
    ]


def test_a_forged_host_name_writes_nothing_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    assert Client(headers={"Host": "forged.example"}).get("/").status_code == 400
    assert caplog.records == []


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("localhost", "http://localhost"),
        ("localhost:80", "http://localhost:80"),
        ("localhost:31337", "http://club.example:8000"),
        ("127.0.0.1:1", "http://club.example:8000"),
    ],
)
def test_no_port_of_a_request_gets_into_the_links_of_a_mail(
    alice: User, settings: Settings, host: str, site: str
) -> None:
    settings.ALLOWED_HOSTS, settings.SERVED_AT = ["localhost", "127.0.0.1"], "http://club.example:8000"
    client = Client(headers={"Host": host})
    client.post("/accounts/password/reset/", {"email": alice.email})
    client.post("/accounts/password/reset/", {"email": "nobody@elsewhere.example"})
    client.post(
        "/accounts/signup/", {"username": "dora", "email": "d@elsewhere.example", "password1": PASSWORD}
    )
    bodies = [str(letter.body) for letter in mail.outbox]
    assert len(bodies) == 3
    for body in bodies:
        assert set(re.findall(r"https?://[^/\s]+", body)) <= {site}, body
        assert site in body


def test_the_links_of_a_mail_have_the_public_address(alice: User, settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.PUBLIC_ADDRESS = ["club.example"], "https://club.example"
    Client(headers={"Host": "club.example:31337"}).post("/accounts/password/reset/", {"email": alice.email})
    assert re.findall(r"https?://[^/\s]+", str(mail.outbox[0].body)) == ["https://club.example"]


def test_a_form_without_the_csrf_token_is_refused() -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "alice", "password": "x"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing",
        "/api/v2/me",
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v1/me/",
        "/api/v1/games/x/y/z",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_an_address_that_is_none_of_the_api_is_a_problem(client: Client, path: str, method: str) -> None:
    answer = client.generic(method, path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "allowed"), [("/api/v1/me", "GET HEAD PATCH"), ("/api/v1/openapi.json", "GET HEAD")]
)
def test_a_wrong_method_is_a_problem_that_names_the_right_ones(
    client: Client, path: str, allowed: str
) -> None:
    answer = client.put(path)
    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"
    assert set(answer["Allow"].split(", ")) == set(allowed.split())


def test_a_nul_in_an_address_is_a_problem(client: Client) -> None:
    for path in ("/api/v1/games/a%00b", "/api/v1/games?cursor=%00"):
        answer = client.get(path)
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"


def test_a_nul_in_a_form_or_a_cookie_is_a_problem(client: Client, alice: User) -> None:
    assert client.post("/accounts/unlock/", {"login": "a\0b"}).status_code == 400
    assert client.get("/", headers={"Cookie": r'sessionid="\000aaaaaaaaaaaaaaa"'}).status_code == 400
    client.force_login(alice)
    for path, name in (("/notices/preferences/", "forget"), ("/messages/new/", "to"), ("/new/", "opponent")):
        assert client.post(path, {name: "a\0b"}).status_code == 400
        assert client.post(path, {f"{name}\0": "a"}).status_code == 400


def test_what_nobody_expected_is_logged_and_reported_without_a_trace(
    api: Api, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_user: User) -> bool:
        raise OSError("the secret path /srv/club")

    monkeypatch.setattr("crownhead.server.accounts.selectors.email_is_confirmed", fail)
    with caplog.at_level(logging.ERROR):
        answer = api.as_(alice).get("/me")
    assert answer.status_code == 500
    assert answer["Content-Type"] == "application/problem+json"
    assert b"secret" not in answer.content
    assert "the secret path /srv/club" in caplog.text


def test_the_api_counts_requests_of_everybody_apart(
    api: Api, alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"api": "3/h"}
    as_alice, as_bob = api.as_(alice), api.as_(bob)
    assert [as_alice.get("/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert as_bob.get("/me").status_code == 200
    refused = as_alice.get("/me")
    assert refused["Content-Type"] == "application/problem+json"
    assert int(refused["Retry-After"]) > 0


@pytest.mark.django_db
def test_what_no_operation_of_the_api_counts_counts_all_the_same(client: Client, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"api": "4/h"}
    wrong = {"authorization": "Bearer nobodys"}
    asked = [("/api/v1/me", wrong), ("/api/v1/me", {}), ("/api/v1/nope", {}), ("/api/v1/variants", {})]
    assert [client.get(path, headers=headers).status_code for path, headers in asked] == [401, 401, 404, 200]
    refused = client.get("/api/v1/me", headers=wrong)
    assert (refused.status_code, refused.json()["type"]) == (429, client.get("/api/v1/nope").json()["type"])
    assert refused.headers["Retry-After"]


def test_an_api_request_with_a_token_costs_one_query_to_know_whose_it_is(
    api: Api, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    as_alice = api.as_(alice)
    as_alice.get("/me")  # notes that she is here, for a minute
    with django_assert_num_queries(3):  # the token with its user; the address and the profile of /me
        as_alice.get("/me")


def test_health_is_good_while_the_database_answers(client: Client) -> None:
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_health_is_bad_when_the_database_does_not_answer(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(connection, "cursor", fail)
    assert client.get("/health").status_code == 503


def test_the_back_office_sends_guests_to_sign_in_and_players_away(client: Client, alice: User) -> None:
    guest = client.get("/staff/", follow=True)
    assert guest.redirect_chain[-1][0].startswith("/accounts/login/")
    client.force_login(alice)
    assert client.get("/staff/", follow=True).status_code == 403


def test_staff_find_players_in_the_back_office(client: Client, alice: User) -> None:
    client.force_login(make_user("warden", is_staff=True, is_superuser=True))
    assert client.get("/staff/").status_code == 200
    page = client.get("/staff/accounts/user/", {"q": "alice"})
    assert page.status_code == 200
    assert "alice@club.example" in page.content.decode()
    assert client.get(f"/staff/accounts/user/{alice.pk}/change/").status_code == 200
    assert client.get("/staff/accounts/user/add/").status_code == 200


def test_the_user_model_is_ours() -> None:
    assert get_user_model() is User


def test_a_host_name_that_is_not_the_clubs_is_refused(client: Client) -> None:
    answer = client.get("/accounts/login/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "add the name to `hosts` in settings.toml" in answer.content.decode()
    assert "evil" not in answer.content.decode()


def test_a_host_name_that_is_not_the_clubs_is_a_problem_of_the_api(client: Client) -> None:
    answer = client.get("/api/v1/me", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_the_headings_of_the_back_office_are_distinct_and_its_plurals_english(client: Client) -> None:
    host = make_user("hugo", is_staff=True, is_superuser=True)
    client.force_login(host)
    apps = client.get("/staff/").context["app_list"]
    headings = [str(app["name"]) for app in apps]
    assert len(headings) == len(set(headings))
    assert {"Games", "Notifications", "Second factors", "Background tasks"} <= set(headings)
    names = {str(model["name"]) for app in apps for model in app["models"]}
    assert {"Deliveries", "Matches", "Trophies", "Team matches"} <= names
