"""Buddies, blocked players, and who is online."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts import jobs, selectors
from crownhead.server.accounts.access import hold_member
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import Buddy, Ignored, User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from tests.server.conftest import Api, make_user

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def test_a_buddy_is_stored_with_a_note_that_can_be_changed(alice: User, bob: User) -> None:
    contact_services.add_buddy(user=alice, other=bob, note=" from the  club ", now=NOW)
    contact_services.add_buddy(user=alice, other=bob, now=NOW)
    (row,) = selectors.buddies_of(alice)
    assert (row.buddy, row.note, row.created_at) == (bob, "from the  club", NOW)
    assert contact_services.write_note(user=alice, other=bob, note="").note == ""
    assert not selectors.buddies_of(bob)


def test_a_note_is_for_buddies_only(alice: User, bob: User) -> None:
    with pytest.raises(NotFound, match="bob is not one of your buddies"):
        contact_services.write_note(user=alice, other=bob, note="?")
    with pytest.raises(Unprocessable, match="at most 500 characters, not 501"):
        contact_services.add_buddy(user=alice, other=bob, note="x" * 501, now=NOW)


def test_a_player_who_is_blocked_is_no_buddy(alice: User, bob: User) -> None:
    contact_services.add_buddy(user=alice, other=bob, now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW)
    assert not selectors.buddies_of(alice)
    with pytest.raises(Conflict, match="You have blocked bob"):
        contact_services.add_buddy(user=alice, other=bob, now=NOW)
    contact_services.unblock(user=alice, other=bob)
    assert contact_services.add_buddy(user=alice, other=bob, now=NOW).buddy == bob


def test_blocking_goes_one_way(alice: User, bob: User, charlie: User) -> None:
    contact_services.block(user=alice, other=bob, now=NOW)
    assert selectors.has_blocked(alice.pk, bob.pk)
    assert not selectors.has_blocked(bob.pk, alice.pk)
    assert selectors.blocked_ids(alice.pk) == {bob.pk}
    assert selectors.blocked_ids(charlie.pk) == frozenset()


def test_nobody_keeps_themselves_near_or_away(alice: User) -> None:
    for verb in (contact_services.add_buddy, contact_services.block):
        with pytest.raises(Unprocessable, match="can't choose yourself"):
            verb(user=alice, other=alice, now=NOW)


def test_a_list_has_an_end(alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_services, "MOST", 1)
    for verb in (contact_services.add_buddy, contact_services.block):
        verb(user=alice, other=bob, now=NOW)
        with pytest.raises(Unprocessable, match="at most 1 "):
            verb(user=alice, other=charlie, now=NOW)
    assert not Buddy.objects.exists()


def test_a_player_who_made_a_request_is_here_for_five_minutes(alice: User, api: Api, client: Client) -> None:
    assert selectors.is_away(alice, NOW)
    with clock.stopped(NOW):
        api.as_(alice).get("/me")
    alice.refresh_from_db()
    assert alice.last_seen_at == NOW
    assert not selectors.is_away(alice, NOW + timedelta(minutes=4, seconds=59))
    assert selectors.is_away(alice, NOW + timedelta(minutes=5))
    client.force_login(alice)
    with clock.stopped(NOW + timedelta(hours=1)):
        client.get("/")
        assert list(selectors.players_online(clock.now())) == [alice]


def test_being_here_is_written_once_a_minute(alice: User, api: Api) -> None:
    for seconds, noted in ((0, 0), (59, 0), (60, 60), (100, 60)):
        with clock.stopped(NOW + timedelta(seconds=seconds)):
            api.as_(alice).get("/me")
        alice.refresh_from_db()
        assert alice.last_seen_at == NOW + timedelta(seconds=noted)


def test_a_guest_is_nobody_who_is_here(alice: User, client: Client, settings: Settings) -> None:
    client.get("/")
    assert not selectors.players_online(clock.now()).exists()


def test_a_player_who_does_not_want_to_be_seen_is_not(alice: User, bob: User) -> None:
    User.objects.update(last_seen_at=NOW)
    set_preferences(user=alice, changes={"show_here": False})
    set_preferences(user=bob, changes={"show_here": True})
    assert list(selectors.players_online(NOW)) == [bob]


def test_names_are_found_by_how_they_begin_in_whatever_case(db: None) -> None:
    for name in ("Anna", "anneke", "AN-9", "Ann_x", "Bert", "Zoe"):
        make_user(name)
    make_user("annabel", is_active=False)
    assert [user.username for user in selectors.players_by_prefix("aN")] == [
        "AN-9",
        "Ann_x",
        "Anna",
        "anneke",
    ]
    assert [user.username for user in selectors.players_by_prefix(" ann_")] == ["Ann_x"]
    assert not selectors.players_by_prefix("%").exists()
    assert not selectors.players_by_prefix("é" * 100).exists()


def test_what_is_added_while_an_account_is_closed_is_deleted_soon(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who acts is held: the other may close their account at this moment."""

    def late(user: User) -> None:
        hold_member(user)
        monkeypatch.undo()
        close(user=bob, now=NOW)

    for act in (contact_services.add_buddy, contact_services.block):
        User.objects.filter(pk=bob.pk).update(closed_at=None)
        monkeypatch.setattr(f"{contact_services.__name__}.hold_member", late)
        act(user=alice, other=bob, now=NOW)
        act(user=alice, other=charlie, now=NOW)
    Buddy.objects.create(user=bob, buddy=charlie, created_at=NOW)
    Ignored.objects.create(user=bob, ignored=charlie, created_at=NOW)

    jobs.forget_contacts(NOW + timedelta(hours=1))

    assert [row.buddy for row in Buddy.objects.all()] == []
    assert [row.ignored for row in Ignored.objects.all()] == [charlie]
