"""What pages have buffered is written by the timekeeper of their process, at the latest when it stops."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.presence import note_presence
from crownhead.server.ops.processes.timekeeper import Timekeeper
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def seen(user: User) -> object:
    return User.objects.get(pk=user.pk).last_seen_at


def test_an_ordinary_stop_writes_what_is_left() -> None:
    alice = make_user("alice")
    timekeeper = Timekeeper(beats=True)
    timekeeper.start()
    try:
        note_presence(user=alice, now=NOW)
    finally:
        timekeeper.stop()
    assert seen(alice) == NOW


def test_a_sign_of_life_writes_it_and_after_the_stop_nothing_is_buffered() -> None:
    alice, bob = make_user("alice"), make_user("bob")
    timekeeper = Timekeeper(beats=True)
    timekeeper.start()
    try:
        note_presence(user=alice, now=NOW)
        assert timekeeper.tick()
        assert seen(alice) == NOW
    finally:
        timekeeper.stop()
    note_presence(user=bob, now=NOW)
    assert seen(bob) == NOW
