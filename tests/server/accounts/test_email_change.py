"""Changing one's e-mail address: the mailbox that the account had has the first and the last word."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts import jobs
from crownhead.server.accounts.addresses import services as address_services
from crownhead.server.accounts.models import ApiToken, EmailChange, User
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.core import clock
from crownhead.server.social.services.bans import ban
from tests.server.conftest import PASSWORD, make_user

pytestmark = pytest.mark.django_db

OLD, NEW = "alice@club.example", "new@club.example"


def signed_in(name: str = "alice", *, lately: bool = True) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    if lately:
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def link_to(address: str, pattern: str) -> str:
    """The link in the latest mail to an address."""
    letter = next(letter for letter in reversed(mail.outbox) if letter.to == [address])
    found = re.search(pattern, str(letter.body))
    assert found, letter.body
    return found[0]


def asked_at_old() -> str:
    return link_to(OLD, r"/accounts/email/change/\S+")


def confirmed_at_new(client: Client) -> None:
    client.post(link_to(NEW, r"/accounts/confirm-email/\S+"))


def ask(client: Client, **chosen: object) -> None:
    client.post("/accounts/email/", {"action_add": "", "email": NEW, **chosen})


def change(client: Client, **chosen: object) -> None:
    """All the way."""
    ask(client, **chosen)
    Client().post(asked_at_old(), {"agree": "1"})
    confirmed_at_new(Client())


def address_of(user: User) -> str:
    user.refresh_from_db()
    (row,) = EmailAddress.objects.filter(user=user, verified=True)
    assert row.email == user.email
    return user.email


def test_it_takes_the_password_again(alice: User) -> None:
    client = signed_in(lately=False)
    answer = client.post("/accounts/email/", {"action_add": "", "email": NEW})
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not mail.outbox
    client.post(answer["Location"], {"password": PASSWORD}, follow=True)
    assert [letter.to for letter in mail.outbox] == [[OLD]]


def test_the_old_address_is_asked_first_and_the_new_one_then(alice: User) -> None:
    client = signed_in()
    ask(client)
    assert [letter.to for letter in mail.outbox] == [[OLD]]
    page = client.get("/accounts/email/").content.decode()
    assert f"We sent an e-mail to {OLD}" in page

    link = asked_at_old()
    assert f"from {OLD} to {NEW}" in Client().get(link).content.decode()
    assert [letter.to for letter in mail.outbox] == [[OLD]], "looking at the link agrees to nothing"
    Client().post(link, {"agree": "1"})
    assert [letter.to for letter in mail.outbox] == [[OLD], [NEW]]
    assert address_of(alice) == OLD

    confirmed_at_new(Client())
    assert address_of(alice) == NEW
    assert mail.outbox[-1].to == [OLD]
    assert "you can undo this" in str(mail.outbox[-1].body)


def test_without_the_old_address_nothing_changes(alice: User) -> None:
    ask(signed_in())
    with clock.stopped(clock.now() + timedelta(days=4)):
        assert Client().post(asked_at_old(), {"agree": "1"}).status_code == 404
        jobs.forget_changes(clock.now())
        assert EmailChange.objects.exists()
        jobs.forget_changes(clock.now() + timedelta(days=4))
    assert not EmailChange.objects.exists()
    assert address_of(alice) == OLD


def test_the_owner_of_the_old_address_stops_it_and_shuts_the_thief_out(alice: User) -> None:
    thief = signed_in()
    ask(thief)

    answer = Client().post(asked_at_old(), {"take_back": "1"}, follow=True)

    assert "Now set a new password." in answer.content.decode()
    assert thief.get("/accounts/security/").status_code == 302
    assert "_auth_user_id" not in signed_in().session
    assert address_of(alice) == OLD


def test_a_change_is_undone_by_the_old_address_for_a_while(alice: User) -> None:
    thief = signed_in()
    change(thief)
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={})
    token_services.new_token(user=alice, now=clock.now(), with_factor=True)
    link = link_to(OLD, r"/accounts/email/change/\S+")
    assert thief.get("/accounts/security/").status_code == 200

    Client().post(link, {"take_back": "1"})

    assert address_of(alice) == OLD
    assert thief.get("/accounts/security/").status_code == 302
    assert "_auth_user_id" not in signed_in().session
    assert not ApiToken.objects.exists()
    assert not Authenticator.objects.exists()
    assert Client().post(link, {"take_back": "1"}).status_code == 404


@pytest.mark.parametrize(("days_before", "left"), [(1, 0), (13, 0), (15, 1)])
def test_what_was_added_before_an_undone_change_goes_too_unless_long_before(
    alice: User, days_before: int, left: int
) -> None:
    added = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    long_before = clock.now() - timedelta(days=days_before)
    Authenticator.objects.filter(pk=added.pk).update(created_at=long_before)
    user = User.objects.get(pk=alice.pk)
    change_row = EmailChange.objects.create(user=user, old=OLD, new=NEW, asked_at=clock.now())

    address_services.take_back(change=change_row)

    assert Authenticator.objects.filter(user=alice).count() == left


def test_after_the_days_of_the_club_it_cannot_be_undone(alice: User, settings: Settings) -> None:
    settings.EMAIL_UNDO_DAYS = 2
    change(signed_in())
    link = link_to(OLD, r"/accounts/email/change/\S+")
    with clock.stopped(clock.now() + timedelta(days=3)):
        assert Client().post(link, {"take_back": "1"}).status_code == 404
        jobs.forget_changes(clock.now())
    assert address_of(alice) == NEW
    assert not EmailChange.objects.exists()


def test_an_address_that_another_account_has_confirmed_since_is_not_taken_back(alice: User) -> None:
    change(signed_in())
    link = link_to(OLD, r"/accounts/email/change/\S+")
    EmailAddress.objects.create(user=make_user("eve"), email=OLD, verified=True)
    Client().post(link, {"take_back": "1"})
    assert address_of(alice) == NEW


def test_a_new_address_signs_out_everything_but_what_was_chosen(alice: User) -> None:
    here, phone = signed_in(), signed_in()
    kept = token_services.new_token(user=alice, now=clock.now(), name="bot")
    token_services.new_token(user=alice, now=clock.now(), name="old bot")
    key = ApiToken.objects.get(name="bot").pk

    change(here, kept_tokens=[str(key)])

    assert here.get("/accounts/security/").status_code == 200
    assert phone.get("/accounts/security/").status_code == 302
    assert [row.name for row in ApiToken.objects.all()] == ["bot"]
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {kept}"}).status_code == 200


def test_an_address_that_was_never_confirmed_has_no_say(db: None) -> None:
    dora = User.objects.create_user("dora", "typo@club.example", PASSWORD)
    EmailAddress.objects.create(user=dora, email="typo@club.example", primary=True, verified=False)
    ask(signed_in("dora"))
    assert [letter.to for letter in mail.outbox] == [[NEW]]
    confirmed_at_new(Client())
    assert address_of(dora) == NEW
    assert all(
        "typo@" not in address or "undo" not in str(letter.body)
        for letter in mail.outbox
        for address in letter.to
    )


def test_confirming_the_first_address_signs_nobody_out(client: Client) -> None:
    client.post("/accounts/signup/", {"username": "Dora", "email": NEW, "password1": PASSWORD})
    assert client.get("/accounts/security/").status_code == 200
    confirmed_at_new(client)
    assert client.get("/accounts/security/").status_code == 200


@pytest.mark.parametrize("token", ["nonsense", "MQ:1abc:xyz"])
def test_a_link_that_was_not_made_here_opens_nothing(client: Client, token: str) -> None:
    answer = client.get(f"/accounts/email/change/{token}/")
    assert answer.status_code == 404
    assert "This link doesn't work" in answer.content.decode()


@pytest.mark.parametrize("action", ["action_remove", "action_primary", "give_up", "anything"])
def test_the_page_takes_no_address_away(alice: User, action: str) -> None:
    thief = signed_in()
    thief.post("/accounts/email/", {action: "", "email": OLD})
    assert address_of(alice) == OLD
    ask(thief)
    assert [letter.to for letter in mail.outbox] == [[OLD]], "the old address is asked all the same"


def test_who_keeps_the_old_address_is_asked_at_no_other(alice: User) -> None:
    client = signed_in()
    ask(client)
    Client().post(asked_at_old(), {"agree": "1"})
    assert "Keep the old address" in client.get("/accounts/email/").content.decode()
    client.post("/accounts/email/", {"give_up": "", "email": NEW})
    confirmed_at_new(Client())
    assert address_of(alice) == OLD


def test_an_address_that_was_never_confirmed_stays_in_use_until_another_one_is(db: None) -> None:
    dora = User.objects.create_user("dora", "typo@club.example", PASSWORD)
    EmailAddress.objects.create(user=dora, email="typo@club.example", primary=True, verified=False)
    here, elsewhere = signed_in("dora"), signed_in("dora")

    ask(here)
    dora.refresh_from_db()
    assert dora.email == "typo@club.example"

    confirmed_at_new(Client())
    assert address_of(dora) == NEW
    assert here.get("/accounts/security/").status_code == 200
    assert elsewhere.get("/accounts/security/").status_code == 302
    assert {letter.to[0] for letter in mail.outbox} == {NEW}


def test_the_first_address_that_is_confirmed_finishes_a_change_that_was_asked_for(alice: User) -> None:
    EmailAddress.objects.filter(user=alice).delete()
    User.objects.filter(pk=alice.pk).update(email="")
    here, elsewhere = signed_in(), signed_in()
    ask(here)
    confirmed_at_new(Client())
    assert EmailChange.objects.get().done_at
    assert here.get("/accounts/security/").status_code == 200
    assert elsewhere.get("/accounts/security/").status_code == 302


def _new_password(user: User) -> None:
    user.set_password("another corner by the door")
    user.save()


def _ban(user: User) -> None:
    ban(staff=make_user("ada", is_staff=True), user=user, until=None, reason="Cheats", now=clock.now())


@pytest.mark.parametrize("end", [_new_password, _ban])
@pytest.mark.parametrize("confirmed", [True, False])
def test_what_ends_access_ends_a_change_that_waits(
    alice: User, end: Callable[[User], None], confirmed: bool
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=confirmed)
    ask(signed_in())
    if confirmed:
        Client().post(asked_at_old(), {"agree": "1"})
    alice.refresh_from_db()

    end(alice)

    assert not EmailChange.objects.exists()
    confirmed_at_new(Client())
    assert EmailAddress.objects.get(user=alice).email == OLD
    alice.refresh_from_db()
    assert alice.email == OLD
