"""However many sessions somebody had, they cost a sign-in, the list of them and their end next to nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.security.sessions import CHALLENGE_LASTS, MAX_SESSIONS, SessionStore
from crownhead.server.accounts.services.closing import close
from crownhead.server.accounts.services.locking import lock
from crownhead.server.accounts.tokens.services import end_tokens
from crownhead.server.core import clock
from tests.server.accounts.test_revocation import FRESH, is_ended, key_of, program_of, signed_in, stream_of
from tests.server.conftest import PASSWORD
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db


def give_sessions(user: User, many: int) -> list[str]:
    """Have the user signed in elsewhere, yesterday; the keys of these sessions, the least used first."""
    data = SessionStore().encode({"_auth_user_id": str(user.pk)})
    keys = [f"k{i:031}" for i in range(many)]
    now = clock.now()
    Session.objects.bulk_create(
        [Session(session_key=key, session_data=data, expire_date=now + timedelta(days=29)) for key in keys]
    )
    UserSession.objects.bulk_create(
        [
            UserSession(
                user=user,
                session_key=key,
                ip="192.0.2.1",
                user_agent="Firefox",
                last_seen_at=now - timedelta(days=1, seconds=many - place),
            )
            for place, key in enumerate(keys)
        ]
    )
    return keys


def test_a_sign_in_ends_the_sessions_used_least_of_too_many(alice: User) -> None:
    first = signed_in(alice)
    keys = give_sessions(alice, MAX_SESSIONS + 9)
    UserSession.objects.filter(session_key=key_of(first)).update(last_seen_at=clock.now() - timedelta(days=9))
    page = stream_of(first)

    browser = signed_in(alice)

    left = set(UserSession.objects.values_list("session_key", flat=True))
    assert left == {key_of(browser), *keys[-(MAX_SESSIONS - 1) :]}
    assert set(Session.objects.values_list("session_key", flat=True)) == left
    assert is_ended(page)
    assert not is_ended(stream_of(browser))
    assert first.get("/accounts/security/").status_code == 302


def queries_with(user: User, many: int, what: str) -> int:
    UserSession.objects.all().delete()
    Session.objects.all().delete()
    browser = Client() if what == "sign in" else signed_in(user)
    give_sessions(user, many)
    with counted() as statements:
        if what == "sign in":
            browser.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
        elif what == "list":
            assert browser.get("/accounts/sessions/").status_code == 200
        elif what == "overview":
            assert browser.get("/accounts/security/").status_code == 200
        elif what == "end others":
            browser.post("/accounts/sessions/", {"others": "1"})
        else:
            body = {"oldpassword": PASSWORD, "password1": FRESH, "password2": FRESH}
            assert browser.post("/accounts/password/change/", body).status_code == 302
    return len(statements)


@pytest.mark.parametrize("what", ["sign in", "list", "overview", "end others", "new password"])
def test_many_sessions_cost_no_more_queries_than_one(alice: User, what: str) -> None:
    few = queries_with(alice, MAX_SESSIONS + 1, what)
    if what == "new password":
        alice.set_password(PASSWORD)
        alice.save()
    assert queries_with(alice, 4 * MAX_SESSIONS, what) <= few + 1


@pytest.mark.parametrize("end", ["close", "lock", "end tokens"])
def test_many_tokens_end_by_as_many_queries_as_two(alice: User, bob: User, end: str) -> None:
    counts = []
    for user, many in ((alice, 2), (bob, 40)):
        programs = [program_of(user, f"{number}")[1] for number in range(many)]
        held = User.objects.get(pk=user.pk)
        with counted() as statements:
            if end == "close":
                close(user=held, now=clock.now())
            elif end == "lock":
                lock(user=held)
            else:
                end_tokens(user=held)
        assert all(map(is_ended, programs))
        assert not ApiToken.objects.filter(user=user).exists()
        counts.append(len(statements))
    assert counts[0] == counts[1]


ASKING = {"Accept": "application/json"}


def test_the_challenge_of_a_passkey_that_anybody_gets_is_kept_for_minutes(alice: User) -> None:
    browser = Client()
    answer = browser.get("/accounts/passkeys/login/", headers=ASKING)
    assert answer.json()["request_options"]
    assert answer.cookies["sessionid"]["max-age"] == CHALLENGE_LASTS
    left = Session.objects.get().expire_date - clock.now()
    assert left <= timedelta(seconds=CHALLENGE_LASTS)

    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert Session.objects.get().expire_date - clock.now() > timedelta(days=29)


def test_an_address_gets_only_so_many_challenges(db: None, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"pages": "80/d"}
    with clock.stopped(clock.now().replace(hour=12)):
        answers = [Client().get("/accounts/passkeys/login/", headers=ASKING).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]
    assert Session.objects.count() == 3


def test_a_session_that_is_over_is_not_listed(alice: User) -> None:
    browser = signed_in(alice)
    [key] = give_sessions(alice, 1)
    assert "Firefox" in browser.get("/accounts/sessions/").content.decode()
    Session.objects.filter(session_key=key).update(expire_date=clock.now() - timedelta(seconds=1))
    assert "Firefox" not in browser.get("/accounts/sessions/").content.decode()
