"""Renamed and closed accounts: who had which name, and what remains of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client

from crownhead.server.accounts import selectors
from crownhead.server.accounts.admin import NamedForm
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.events import AccountClosed, PlayerRenamed
from crownhead.server.accounts.models import ApiToken, Buddy, Ignored, Preferences, Profile, User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock, events
from crownhead.server.core.admin import as_shown
from crownhead.server.core.problems import Conflict, Unprocessable
from tests.server.conftest import PASSWORD, Api

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
WAIT = timedelta(days=30)


_received: list[object] = []
events.on(AccountClosed)(_received.append)
events.on(PlayerRenamed)(_received.append)


@pytest.fixture
def emitted() -> list[object]:
    """What is told inside the transaction."""
    _received.clear()
    return _received


def test_a_new_name_holds_at_once_and_the_old_one_leads_to_it(alice: User, emitted: list[object]) -> None:
    closing.rename(user=alice, name=" Alicia ", now=NOW)
    found = selectors.player("ALICIA")
    assert found == alice
    assert found.username == "Alicia"
    assert selectors.player("alice") is None
    assert selectors.former_player("Alice", NOW) == alice
    assert selectors.former_player("Alice", NOW + WAIT) is None
    assert emitted == [PlayerRenamed(user_id=alice.pk, before="alice", name="Alicia", at=NOW)]


def test_a_name_in_another_case_is_the_same_name(alice: User) -> None:
    closing.rename(user=alice, name="Alice", now=NOW)
    assert selectors.former_player("alice", NOW) is None
    assert User.objects.get().username == "Alice"


def test_a_name_given_up_is_stored_for_thirty_days_and_can_be_taken_back(alice: User, bob: User) -> None:
    closing.rename(user=alice, name="Alicia", now=NOW)
    with pytest.raises(Conflict, match="is already taken"):
        closing.rename(user=bob, name="a-l1ce", now=NOW + WAIT - timedelta(seconds=1))
    assert closing.rename(user=alice, name="alice", now=NOW).username == "alice"
    closing.rename(user=alice, name="Alicia", now=NOW)
    assert closing.rename(user=bob, name="alice", now=NOW + WAIT).username == "alice"


@pytest.mark.parametrize("name", ["bob", "B0B", "staff", "closed-account-2", "Closed_Account"])
def test_nobody_is_given_a_name_that_is_anothers_or_the_clubs(alice: User, bob: User, name: str) -> None:
    with pytest.raises(Conflict, match="is already taken"):
        closing.rename(user=alice, name=name, now=NOW)
    assert User.objects.get(pk=alice.pk).username == "alice"


def test_what_is_no_name_is_refused(alice: User) -> None:
    with pytest.raises(Unprocessable, match="name: A name has 3 to 20 letters"):
        closing.rename(user=alice, name="a b", now=NOW)


def test_names_are_let_go_when_their_wait_is_over(alice: User) -> None:
    closing.rename(user=alice, name="Alicia", now=NOW)
    assert closing.free_names(now=NOW + WAIT - timedelta(seconds=1)) == 0
    assert closing.free_names(now=NOW + WAIT) == 1


def test_the_staff_rename_a_player_in_the_back_office(alice: User, admin_client: Client) -> None:
    address = f"/staff/accounts/user/{alice.pk}/change/"
    form = {"username": "Alicia", "email": alice.email, "is_active": "on", **_NO_INLINES}
    form["as_shown"] = as_shown(alice, NamedForm.shown)
    admin_client.post("/accounts/reauthenticate/", {"password": "password"})
    with clock.stopped(NOW):
        assert admin_client.post(address, form | {"username": "admin2/"}).status_code == 200
        assert admin_client.post(address, form | {"username": "moderator"}).status_code == 200
        assert admin_client.post(address, form).status_code == 302
    assert User.objects.get(pk=alice.pk).username == "Alicia"
    assert selectors.former_player("alice", NOW) == alice


def test_closing_leaves_a_row_that_nobody_can_use(
    api: Api, alice: User, client: Client, emitted: list[object]
) -> None:
    as_alice = api.as_(alice)
    client.force_login(alice)
    closing.close(user=alice, now=NOW)
    closing.close(user=alice, now=NOW + WAIT)
    gone = User.objects.get()
    assert gone.username.startswith("closed-account-")
    assert (gone.email, gone.is_active, gone.closed_at) == ("", False, NOW)
    assert not gone.has_usable_password()
    assert as_alice.get("/me").status_code == 401
    assert client.get("/api/v1/me").status_code == 401
    assert api.post("/tokens", {"username": "alice", "password": PASSWORD}).status_code == 401
    assert emitted == [AccountClosed(user_id=alice.pk, name="alice", at=NOW)]


def test_closing_forgets_what_was_private(alice: User, bob: User, charlie: User) -> None:
    preferences_services.set_preferences(user=alice, changes={"theme": "wood"})
    preferences_services.set_profile(now=NOW, user=alice, text="I was here")
    contact_services.add_buddy(user=alice, other=bob, now=NOW)
    contact_services.add_buddy(user=bob, other=alice, note="a rival", now=NOW)
    contact_services.block(user=alice, other=charlie, now=NOW)
    contact_services.block(user=charlie, other=alice, now=NOW)
    alice.groups.add(Group.objects.create(name="directors"))
    closing.close(user=alice, now=NOW)
    kinds: tuple[Any, ...] = (Buddy, Ignored, Profile, Preferences, ApiToken)
    assert not any(kind.objects.exists() for kind in kinds)
    assert not EmailAddress.objects.filter(user=alice).exists()
    assert not alice.groups.exists()


def test_the_name_of_a_closed_account_is_free_after_thirty_days(api: Api, alice: User) -> None:
    closing.close(user=alice, now=NOW)
    assert selectors.former_player("alice", NOW) is None
    body = {"username": "Alice", "email": "new@club.example", "password": PASSWORD}
    with clock.stopped(NOW + WAIT - timedelta(seconds=1)):
        assert api.post("/accounts", body).status_code == 409
    with clock.stopped(NOW + WAIT):
        assert api.post("/accounts", body).status_code == 201


def test_the_address_of_a_closed_account_can_be_used_again(api: Api, alice: User) -> None:
    closing.close(user=alice, now=NOW)
    body = {"username": "Alison", "email": "alice@club.example", "password": PASSWORD}
    assert api.post("/accounts", body).status_code == 201
    assert api.post("/tokens", {"username": "alice@club.example", "password": PASSWORD}).status_code == 201


def test_closed_accounts_have_names_that_differ(alice: User, bob: User) -> None:
    for user in (alice, bob):
        closing.close(user=user, now=NOW)
    assert len(set(User.objects.values_list("likeness", flat=True))) == 2


_NO_INLINES = {
    "former_names-TOTAL_FORMS": "0",
    "former_names-INITIAL_FORMS": "0",
    "date_joined_0": "2026-01-01",
    "date_joined_1": "00:00:00",
}
