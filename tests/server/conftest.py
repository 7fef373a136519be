"""Users and API clients for the server tests: Alice owns, Bob plays, Charlie must see nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import caches
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.services import digest
from crownhead.server.core import clock
from crownhead.server.core.rates import Rate
from crownhead.server.web import page_cache
from tests.server.contract import expect_declared
from tests.server.databases import ASKS_NOTHING, ON_POSTGRESQL

PASSWORD = "a quiet corner"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what CI runs on PostgreSQL, too."""
    here = Path(__file__).parent
    for item in items:
        rows = item.get_closest_marker("django_db")
        own_connections = rows is not None and rows.kwargs.get("transaction", False)
        file = item.path.relative_to(here).as_posix() if item.path.is_relative_to(here) else ""
        if (own_connections and file not in ASKS_NOTHING) or file in ON_POSTGRESQL:
            item.add_marker(pytest.mark.database)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Close connections left by threads of the stream: a database with connections can't be dropped."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Every client loads the middleware again, which took most of its time to look for the same files."""
    found: dict[str, Any] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def add_found(middleware: WhiteNoiseMiddleware) -> None:
        collected = middleware.files
        if not found:
            middleware.files = found
            look(middleware)
        middleware.files = collected | found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_found)
        yield


@dataclass(slots=True)
class Api:
    """A client of the API; `api.as_(user)` sends the token of a user."""

    token: str = ""
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def as_(self, user: User) -> Api:
        """The same client with a token of `user`."""
        token = f"token of {user.username}"
        ApiToken.objects.get_or_create(
            digest=digest(token),
            defaults={"user": user, "created_at": clock.now(), "last_used_at": clock.now()},
        )
        return Api(token, self.client)

    def get(self, path: str, **query: Any) -> Any:
        """GET /api/v1<path>."""
        return self._checked("GET", path, self.client.get(f"/api/v1{path}", query, headers=self._headers()))

    def post(self, path: str, body: Any = None) -> Any:
        """POST a JSON body, or none."""
        return self.send("POST", path, b"" if body is None else json.dumps(body).encode())

    def patch(self, path: str, body: Any) -> Any:
        """PATCH with a JSON body."""
        return self.send("PATCH", path, json.dumps(body).encode())

    def put(self, path: str, body: Any) -> Any:
        """PUT a JSON body."""
        return self.send("PUT", path, json.dumps(body).encode())

    def delete(self, path: str) -> Any:
        """DELETE /api/v1<path>."""
        return self.send("DELETE", path, b"")

    def send(self, method: str, path: str, body: bytes, *, content_type: str = "application/json") -> Any:
        """Any method with any bytes."""
        answer = self.client.generic(
            method, f"/api/v1{path}", body, content_type=content_type, headers=self._headers()
        )
        return self._checked(method, path, answer)

    def _checked(self, method: str, path: str, answer: Any) -> Any:
        """The response, after checking that the OpenAPI document declares it."""
        expect_declared(answer, method=method, path=f"/api/v1{path.partition('?')[0]}")
        return answer

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


_numbers = count()


@pytest.fixture(autouse=True)
def _fast_and_isolated(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A fast password hasher, an empty cache, a mail folder, and any number of games, per test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # The first mail makes the folder; hardly any test writes one.
    settings.EMAIL_FILE_PATH = tmp_path_factory.getbasetemp() / f"mail-{next(_numbers)}"
    invitations = ("named_invitations", "repeated_invitations", "contest_invitations")
    settings.LIMITS = settings.LIMITS | dict.fromkeys(
        ("offers", *invitations), "none"
    )  # test_offer_limits.py
    settings.RATED_GAMES_PER_PAIR = settings.EARLY_LEAVES_PER_DAY = 10_000  # play/test_rated_limits.py
    settings.EARLY_WINS_PER_DAY = settings.EARLY_WINS_PER_MONTH = 10_000  # play/test_early_wins.py
    _forget()
    yield
    _forget()


@pytest.fixture(autouse=True)
def _rates_count_from_the_start_of_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a limit begins again in the middle of a test that meets the end of a minute or an hour."""
    begun, of_the_clock = int(clock.now().timestamp()), Rate.span

    def span(rate: Rate, now: datetime) -> tuple[int, datetime]:
        stands_still = clock.now() is clock.now()  # a moment that the test has chosen
        number = (int(now.timestamp()) - begun) // rate.seconds
        if stands_still or number < 0:
            return of_the_clock(rate, now)
        return number, datetime.fromtimestamp(begun + (number + 1) * rate.seconds, UTC)

    monkeypatch.setattr(Rate, "span", span)


def clear_caches() -> None:
    """All that is cached, and what counts for limits."""
    for kept in caches.all():
        kept.clear()


def _forget() -> None:
    """Everything that a process keeps."""
    clear_caches()
    page_cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return make_user("charlie")


@pytest.fixture
def api() -> Api:
    return Api()


def make_user(name: str, **fields: Any) -> User:
    """A user with the password `PASSWORD` and a confirmed address."""
    user = User.objects.create_user(name, f"{name}@club.example", PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
