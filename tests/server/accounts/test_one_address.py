"""Many accounts on one address: a stranger gets no flood of mail, and a sign-in costs one password check."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.mail.message import sanitize_address
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from crownhead.server.accounts.addresses import selectors, services
from crownhead.server.accounts.addresses.selectors import has_use_of, holders
from crownhead.server.accounts.models import EmailChange, User
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from tests.server.conftest import PASSWORD, Api

pytestmark = pytest.mark.django_db

STRANGER = "stranger@elsewhere.example"


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    count = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.count += 1
        return str(super().encode(password, salt))


@pytest.fixture
def _counting(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]


def claim(name: str, *, verified: bool = False) -> User:
    """An account from before, with the address."""
    user = User.objects.create_user(name, STRANGER, PASSWORD)
    EmailAddress.objects.create(user=user, email=STRANGER, primary=True, verified=verified)
    return user


@pytest.mark.parametrize("by", ["api", "page"])
@pytest.mark.parametrize("most", [1, 3])
def test_only_so_many_accounts_have_the_use_of_an_unconfirmed_address(
    api: Api, settings: Settings, by: str, most: int
) -> None:
    settings.ACCOUNTS_PER_ADDRESS = most
    settings.ACCOUNT_RATE_LIMITS = False
    for number in range(6):
        name = f"player-{number}"
        if by == "api":
            answer = api.post(
                "/accounts", {"username": name, "email": STRANGER.title(), "password": PASSWORD}
            )
            assert (answer.status_code, answer.json()) == (201, {"username": name})
        else:
            Client().post("/accounts/signup/", {"username": name, "email": STRANGER, "password1": PASSWORD})
    assert [User.objects.get(pk=key).username for key in holders(STRANGER)] == [
        f"player-{number}" for number in range(most)
    ]
    asked = ["confirm-email" in str(letter.body) for letter in mail.outbox]
    assert asked == [True] * most + [False] * (6 - most)


def test_a_closed_account_gives_its_claim_up(api: Api) -> None:
    claim("first")
    User.objects.update(is_active=False)
    api.post("/accounts", {"username": "second", "email": STRANGER, "password": PASSWORD})
    assert [User.objects.get(pk=key).username for key in holders(STRANGER)] == ["second"]


def test_an_address_of_a_change_is_claimed_only_so_often(alice: User) -> None:
    claim("first")
    EmailAddress.objects.filter(user=alice).update(verified=False)
    browser = Client()
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    browser.post("/accounts/email/", {"action_add": "", "email": STRANGER})
    assert not has_use_of(alice, STRANGER)
    assert "already have an account" in mail.outbox[-1].subject


def test_a_reset_sends_one_mail_whatever_was_made_before(client: Client) -> None:
    for number in range(20):
        claim(f"player-{number}")
    client.post("/accounts/password/reset/", {"email": STRANGER})
    assert len(mail.outbox) == 1
    assert "player-0" in str(mail.outbox[0].body)


def test_who_confirmed_the_address_is_meant(client: Client) -> None:
    claim("first")
    claim("owner", verified=True)
    client.post("/accounts/password/reset/", {"email": STRANGER})
    assert ["owner" in str(letter.body) for letter in mail.outbox] == [True]
    assert client.post("/accounts/login/", {"login": STRANGER, "password": PASSWORD}).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="owner").pk)


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize(
    ("login", "checks"),
    [("player-1", 1), ("nobody", 1), (STRANGER, 2), ("nobody@elsewhere.example", 2)],
)
def test_an_attempt_costs_one_password_check_by_name_and_two_by_address(
    client: Client, login: str, checks: int
) -> None:
    for number in range(10):
        claim(f"player-{number}")
    CountingHasher.count = 0
    client.post("/accounts/login/", {"login": login, "password": "a wrong one"})
    assert CountingHasher.count == checks


@pytest.mark.usefixtures("_counting")
def test_entering_the_password_again_costs_one_check_too(alice: User, client: Client) -> None:
    client.force_login(alice)
    CountingHasher.count = 0
    client.post("/accounts/reauthenticate/", {"password": "a wrong one"})
    assert CountingHasher.count == 1


def test_nobody_gets_more_mails_than_the_budget(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "4/d"}
    settings.ACCOUNT_RATE_LIMITS = {}
    claim("first")
    now = clock.now().replace(hour=12)
    with clock.stopped(now):
        for number, name in enumerate(["annette", "boris", "clara", "dmitri"]):
            address = f"203.0.113.{number}"
            client = Client(REMOTE_ADDR=address)
            client.post("/accounts/password/reset/", {"email": STRANGER})
            client.post("/accounts/unlock/", {"login": "first"})
            form = {"username": name, "email": STRANGER, "password1": PASSWORD}
            client.post("/accounts/signup/", form)
    assert [letter.to for letter in mail.outbox] == [[STRANGER]] * (4 + 1)  # one to confirm it in 3 minutes
    with clock.stopped(now + timedelta(days=1)):
        Client().post("/accounts/password/reset/", {"email": STRANGER})
    assert len(mail.outbox) == 4 + 1 + 1


@pytest.mark.parametrize("path", ["password/reset/", "unlock/"])
def test_who_asks_for_new_passwords_keeps_nobody_from_confirming_their_address(
    settings: Settings, path: str
) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "4/d"}
    settings.ACCOUNT_RATE_LIMITS = {}
    for number in range(6):
        address = f"stranger+{number}@elsewhere.example"
        Client(REMOTE_ADDR=f"203.0.113.{number}").post(
            f"/accounts/{path}", {"email": address, "login": address}
        )
    assert len(mail.outbox) == 4
    mail.outbox.clear()
    form = {"username": "stranger", "email": "stranger@elsewhere.example", "password1": PASSWORD}
    Client().post("/accounts/signup/", form)
    (letter,) = mail.outbox
    assert "/accounts/confirm-email/" in str(letter.body)


def test_a_plus_sign_makes_no_other_mailbox(settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "4/d"}
    settings.ACCOUNT_RATE_LIMITS = {}
    for number in range(6):
        address = f"stranger+{number}@elsewhere.example"
        Client().post(
            "/accounts/signup/", {"username": f"stranger{number}", "email": address, "password1": PASSWORD}
        )
    assert len(mail.outbox) == 4


@pytest.mark.parametrize(
    ("address", "box"),
    [
        ("Eve+club@Stranger.example ", "eve@stranger.example"),
        ("eve+a+b@stranger.example", "eve@stranger.example"),
        ("+eve@stranger.example", "+eve@stranger.example"),
        ("e.v.e+club@gmail.com", "eve@gmail.com"),
        ("E.ve@GoogleMail.com", "eve@gmail.com"),
        ("e.ve@stranger.example", "e.ve@stranger.example"),
        ("...@gmail.com", "...@gmail.com"),
        ("eve@b\u00fccher.example", "eve@xn--bcher-kva.example"),
        ("eve@XN--bcher-kva.example", "eve@xn--bcher-kva.example"),
        ("eve@b\u00fc..example", "eve@b\u00fc..example"),
        ('"eve"@stranger.example', "eve@stranger.example"),
        ('"e\\ve"@stranger.example', "eve@stranger.example"),
        ('"\\e\\v\\e+club"@stranger.example', "eve@stranger.example"),
        ('"e.ve"@gmail.com', "eve@gmail.com"),
        ('"@stranger.example', '"@stranger.example'),
        ("eve", "eve"),
        ("", ""),
    ],
)
def test_whose_mail_an_address_is(address: str, box: str) -> None:
    assert selectors.mailbox(address) == box


@pytest.mark.parametrize("path", ["password/reset/", "unlock/", "signup/"])
def test_a_stranger_gets_no_more_mails_by_quotation_marks(settings: Settings, path: str) -> None:
    """What a letter carries is the same, however often a character is escaped."""
    settings.LIMITS = settings.LIMITS | {"asked_mails": "4/d"}
    settings.ACCOUNT_RATE_LIMITS = {}
    for number, spelled in enumerate(["eve", '"eve"', '"\\eve"', '"e\\ve"', '"ev\\e"', '"\\e\\v\\e"']):
        address = f"{spelled}@stranger.example"
        form = {"username": f"eve-{number}", "password1": PASSWORD, "login": address, "email": address}
        Client().post(f"/accounts/{path}", form)
    assert len(mail.outbox) in range(1, 5)
    assert {sanitize_address(letter.to[0], "utf-8") for letter in mail.outbox} == {"eve@stranger.example"}


def test_who_asks_for_many_mails_keeps_the_owner_from_no_link(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "2/d"}
    with clock.stopped(clock.now().replace(hour=12)):
        for _ in range(3):
            Client(REMOTE_ADDR="203.0.113.1").post("/accounts/unlock/", {"login": "alice"})
        assert len(mail.outbox) == 2
        Client(REMOTE_ADDR="198.51.100.1").post("/accounts/unlock/", {"login": "alice"})
    assert len(mail.outbox) == 3


@pytest.mark.parametrize(
    ("path", "field"), [("/accounts/unlock/", "login"), ("/accounts/password/reset/", "email")]
)
def test_all_strangers_together_have_so_many_mails_sent_and_the_owner_more(
    alice: User, bob: User, settings: Settings, path: str, field: str
) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "2/d", "mails": "5/d", "reserved_mails": "0/h"}
    with clock.stopped(clock.now().replace(hour=12)):
        other_member = Client(REMOTE_ADDR="203.0.113.9")
        other_member.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
        other_member.post("/accounts/logout/")
        home = Client(REMOTE_ADDR="2001:db8:1::1")
        home.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        home.post("/accounts/logout/")
        EmailAddress.objects.update_or_create(user=alice, email=alice.email, defaults={"verified": True})

        def ask(browser: Client) -> int:
            browser.post(path, {field: alice.email})
            return len(mail.outbox)

        assert [ask(Client(REMOTE_ADDR=f"2001:db8:77:{house:x}::1")) for house in range(4)] == [1, 2, 2, 2]
        assert [ask(Client(REMOTE_ADDR=f"198.51.100.{host}")) for host in range(5)] == [3, 4, 5, 5, 5]
        assert ask(other_member) == 5, "who has an account is a stranger all the same"
        assert ask(home) == 6


def test_strangers_who_ask_for_all_mails_of_a_day_keep_the_owner_with_a_new_browser_from_no_link(
    alice: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"mails": "2/d"}
    settings.ACCOUNT_RATE_LIMITS = {}
    EmailAddress.objects.update_or_create(user=alice, email=alice.email, defaults={"verified": True})
    paths = {"/accounts/unlock/": "login", "/accounts/password/reset/": "email"}

    def ask(path: str, host: int) -> int:
        Client(REMOTE_ADDR=f"198.51.100.{host}").post(path, {paths[path]: alice.email})
        return len(mail.outbox)

    now = clock.now().replace(hour=12, minute=0)
    with clock.stopped(now):
        assert [ask("/accounts/unlock/", host) for host in range(5)] == [1, 2, 3, 3, 3]
        assert [ask("/accounts/password/reset/", host) for host in range(5, 7)] == [4, 4]
    with clock.stopped(now + timedelta(hours=1)):
        assert [ask("/accounts/password/reset/", host) for host in range(7, 9)] == [5, 5]


def test_a_flood_of_such_mails_keeps_no_warning_from_the_owner(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"asked_mails": "0/d"}
    browser = Client()
    browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": "another quiet corner"})
    assert [letter.to for letter in mail.outbox] == [["alice@club.example"]]


def test_an_address_that_another_account_confirms_at_this_moment_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = claim("first"), claim("second")
    row = EmailAddress.objects.get(user=second)
    link = reverse("account_confirm_email", args=[get_emailconfirmation_model().create(row).key])
    original = EmailAddress.can_set_verified

    def late(self: EmailAddress) -> bool:
        is_free = bool(original(self))
        monkeypatch.setattr(EmailAddress, "can_set_verified", original)
        EmailAddress.objects.filter(user=first).update(verified=True)
        return is_free

    monkeypatch.setattr(EmailAddress, "can_set_verified", late)
    browser = Client()
    assert browser.post(link).status_code == 302

    assert not EmailAddress.objects.get(user=second).verified
    assert "another account already uses it" in browser.get("/accounts/login/").content.decode()


def test_an_address_that_another_account_has_confirmed_is_not_taken_back(alice: User) -> None:
    change = EmailChange.objects.create(user=alice, old=STRANGER, new=alice.email, asked_at=clock.now())
    claim("first", verified=True)

    with pytest.raises(Conflict, match="Another account uses this address now"):
        services.take_back(change=change)

    assert [row.email for row in EmailAddress.objects.filter(user=alice)] == [alice.email]
