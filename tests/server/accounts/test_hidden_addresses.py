"""Whether an address has an account is told to its mailbox alone: by no answer, by no amount of work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.addresses.selectors import has_use_of
from crownhead.server.accounts.models import Budget, User
from tests.server.conftest import PASSWORD, make_user

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "known@club.example", "other@club.example"  # of one length
MINE = "a quiet corner of my own"
WRONG = "neither of the passwords"

WRITES = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM) "account\w+"')

Action = Callable[[str], object]


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    count = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.count += 1
        return str(super().encode(password, salt))


@pytest.fixture(autouse=True, params=["confirming", "not confirming"])
def _club(request: pytest.FixtureRequest, settings: Settings) -> None:
    """Clubs that ask everybody to confirm their address, and clubs that do not."""
    settings.ACCOUNT_RATE_LIMITS = False
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    if request.param == "confirming":
        settings.CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"


@pytest.fixture(params=["confirmed", "unconfirmed"])
def owner(request: pytest.FixtureRequest) -> User:
    """Who has the known address."""
    user = make_user("Bartholomew")
    User.objects.filter(pk=user.pk).update(email=KNOWN)
    EmailAddress.objects.filter(user=user).update(email=KNOWN, verified=request.param == "confirmed")
    user.refresh_from_db()
    return user


def browser(name: str = "prober") -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": MINE})
    client.post("/accounts/reauthenticate/", {"password": MINE})
    return client


def seen(answer: object, address: str) -> object:
    """An answer without what differs between any two requests, or with the address."""
    text = answer.content.decode()  # type: ignore[attr-defined]
    text = re.sub(r'"csrfmiddlewaretoken" value="\w+"|"csrf": "\w+"|X-CSRFToken[^}]+', "", text)
    text = re.sub(r'data-(from|reader)="\d+"', "", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "moment", text).replace(address, "ADDRESS")
    return answer.status_code, answer.headers.get("Location"), text  # type: ignore[attr-defined]


def signed_up(address: str) -> object:
    client = Client()
    form = {"username": "prober", "email": address, "password1": MINE}
    answer = seen(client.post("/accounts/signup/", form), address)
    return answer, "_auth_user_id" in client.session, sorted(client.cookies)


def signed_up_by_program(address: str) -> object:
    body = {"username": "prober", "email": address, "password": MINE}
    return seen(Client().post("/api/v1/accounts", body, content_type="application/json"), address)


def the_name_afterwards(address: str) -> object:
    """Whether somebody has the name now, and whether they can sign in by it."""
    signed_up(address)
    profile = Client().get("/api/v1/players/prober").status_code
    again = Client().post(
        "/accounts/signup/", {"username": "prober", "email": "third@club.example", "password1": MINE}
    )
    by_name = Client().post("/accounts/login/", {"login": "prober", "password": MINE})
    return profile, again.status_code, seen(by_name, address)


def signed_in_by_the_address(address: str) -> object:
    """By the password that one has chosen oneself, and by a wrong one."""
    signed_up(address)
    client = Client()
    right = seen(client.post("/accounts/login/", {"login": address, "password": MINE}), address)
    name = client.session.get("_auth_user_id") and client.get("/api/v1/me").json()["username"]
    body = {"username": address, "password": MINE}
    token = Client().post("/api/v1/tokens", body, content_type="application/json").status_code
    wrong = seen(Client().post("/accounts/login/", {"login": address, "password": WRONG}), address)
    return right, name, token, wrong


def wrong_password(address: str) -> object:
    return seen(Client().post("/accounts/login/", {"login": address, "password": WRONG}), address)


def own_pages(address: str) -> object:
    """What one sees of one's own address after signing up with it."""
    signed_up(address)
    client = browser()
    pages = [seen(client.get(f"/accounts/{page}/"), address) for page in ("email", "security")]
    me = re.sub(r'"joined_at": "[^"]+"', "", client.get("/api/v1/me").content.decode())
    again = client.post("/accounts/email/", {"action_send": "", "email": address}, follow=True)
    return pages, me.replace(address, "ADDRESS"), seen(again, address)


def changed_to_it(address: str) -> object:
    """As a member without a confirmed address, who asks for one."""
    user = make_user("prober")
    user.set_password(MINE)
    user.save()
    EmailAddress.objects.filter(user=user).update(verified=False)
    client = Client()
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": MINE})
    answer = seen(client.post("/accounts/email/", {"action_add": "", "email": address}), address)
    return answer, seen(client.get("/accounts/email/"), address)


def reset(address: str) -> object:
    return seen(Client().post("/accounts/password/reset/", {"email": address}, follow=True), address)


def unlocked(address: str) -> object:
    return seen(Client().post("/accounts/unlock/", {"login": address}), address)


ALL: list[Action] = [
    signed_up,
    signed_up_by_program,
    the_name_afterwards,
    signed_in_by_the_address,
    wrong_password,
    own_pages,
    changed_to_it,
    reset,
    unlocked,
]


def traces(action: Action, address: str) -> tuple[object, object]:
    """What one sees, and what it costs: letters, password checks, queries that write."""
    mail.outbox.clear()
    CountingHasher.count = 0
    Budget.objects.all().delete()
    with CaptureQueriesContext(connection) as queries:
        answer = action(address)
    writes = Counter(match[0] for query in queries if (match := WRITES.match(query["sql"])))
    letters = [letter.to for letter in mail.outbox if letter.to == [address]]
    return answer, (len(letters), CountingHasher.count, writes)


@pytest.mark.parametrize("action", ALL, ids=lambda action: action.__name__)
@pytest.mark.usefixtures("owner")
def test_an_address_with_an_account_is_answered_like_any_other(action: Action) -> None:
    seen_of_unknown, cost_of_unknown = traces(action, UNKNOWN)
    User.objects.filter(username="prober").delete()
    seen_of_known, cost_of_known = traces(action, KNOWN)
    assert seen_of_known == seen_of_unknown
    assert cost_of_known == cost_of_unknown


def test_its_owner_is_told_by_a_letter_and_keeps_what_is_theirs(owner: User) -> None:
    signed_up(KNOWN)
    (letter,) = mail.outbox
    assert letter.to == [KNOWN]
    assert "already have an account" in letter.subject
    assert "/accounts/confirm-email/" not in str(letter.body)
    assert "/accounts/password/reset/" in str(letter.body)

    mail.outbox.clear()
    reset(KNOWN)
    assert [owner.username in str(letter.body) for letter in mail.outbox] == [True]
    client = Client()
    client.post("/accounts/login/", {"login": KNOWN, "password": PASSWORD})
    if EmailAddress.objects.get(user=owner).verified:
        assert client.session["_auth_user_id"] == str(owner.pk)


def test_an_account_that_gave_the_address_later_sets_no_password_by_it_and_gets_no_notifications(
    owner: User,
) -> None:
    signed_up(KNOWN)
    later = User.objects.get(username="prober")
    assert not has_use_of(later, KNOWN)
    assert has_use_of(owner, KNOWN)
    mail.outbox.clear()
    reset(KNOWN)
    assert ["prober" in str(letter.body) for letter in mail.outbox] == [False]


def test_it_uses_up_none_of_the_mails_that_warn_the_owner(owner: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"mails": "1/d"}
    EmailAddress.objects.filter(user=owner).update(verified=True)
    signed_up(KNOWN)
    body = {"username": "prober", "password": MINE}
    for _ in range(3):
        Client().post("/api/v1/tokens", body, content_type="application/json")
    mail.outbox.clear()
    body = {"username": owner.username, "password": PASSWORD}
    assert Client().post("/api/v1/tokens", body, content_type="application/json").status_code == 201
    assert [letter.to for letter in mail.outbox] == [[KNOWN]]


def by_program(login: str, password: str, *, at: str = "127.0.0.1") -> int:
    body = {"username": login, "password": password}
    return Client(REMOTE_ADDR=at).post("/api/v1/tokens", body, content_type="application/json").status_code


def test_wrong_passwords_for_the_address_count_for_the_names_and_tell_nothing_by_them(owner: User) -> None:
    signed_up(KNOWN)
    for _ in range(10):
        wrong_password(KNOWN)
    is_tried = EmailAddress.objects.filter(user=owner, verified=True).exists()
    for name, password in [("prober", MINE), (owner.username, PASSWORD)][: 1 + is_tried]:
        assert by_program(name, password) == 401, "no more is checked, and the answer is as for any other"
        assert by_program(name, password, at="192.0.2.77") != 401


@pytest.mark.usefixtures("owner")
def test_two_accounts_that_claim_an_address_do_not_tell_whether_somebody_was_there_before() -> None:
    answers = []
    for address in (UNKNOWN, KNOWN):
        User.objects.filter(username__startswith="prober").delete()
        for name, password in (("prober-one", MINE), ("prober-two", f"{MINE} too")):
            body = {"username": name, "email": address, "password": password}
            Client().post("/api/v1/accounts", body, content_type="application/json")
        answers.append([by_program(address, MINE), by_program(address, f"{MINE} too")])
    assert answers[0] == answers[1]
    assert answers[0][0] == 401


@pytest.mark.usefixtures("owner")
def test_names_whose_tries_are_used_up_tell_nothing_of_their_address() -> None:
    answers = []
    for address in (UNKNOWN, KNOWN):
        User.objects.filter(username="prober").delete()
        Budget.objects.all().delete()
        signed_up(address)
        tried = ("prober", "Bartholomew", address)
        answers.append([[by_program(who, f"wrong {number}") for number in range(11)] for who in tried])
    assert answers[0] == answers[1]
    assert answers[0][0][-2:] == [401, 429]
