"""The short way to a stream says what the apps say, in a query or two."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.guests import services as guests
from crownhead.server.accounts.models import User
from crownhead.server.config import stream_access
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core import clock
from crownhead.server.play import selectors as play
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import DAY, NOW, make_game, make_offer

pytestmark = pytest.mark.django_db

BACKEND = "crownhead.server.accounts.backends.ClubBackend"


def open_session(user: User, *, until: timedelta = DAY) -> str:
    """The key of a session of a user."""
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.set_expiry(until)
    session.create()
    return session.session_key or ""


def games_of_every_kind(alice: User, bob: User) -> list[Game]:
    """Waiting, offered, running, over; public and hidden."""
    hidden_over = make_game(alice, bob, hidden=True)
    over = make_game(alice, bob)
    for game in (over, hidden_over):
        resign(user=bob, game_id=game.public_id, now=NOW)
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    offered = invitation_services.invite(
        creator=alice, opponent=bob.username, options=terms, message="", site="http://club.example", now=NOW
    )
    return [
        make_offer(alice),
        make_offer(alice, hidden=True),
        offered,
        make_game(alice, bob),
        make_game(bob, alice, hidden=True),
        over,
        hidden_over,
        make_game(alice, bob, now=NOW - 30 * DAY),  # the time is out, which nobody has noticed
    ]


def test_everybody_may_follow_what_they_may_see(alice: User, bob: User, charlie: User) -> None:
    access, keys = StreamAccess(), [game.public_id for game in games_of_every_kind(alice, bob)]
    staff = User.objects.create_user("helper", is_staff=True)
    with clock.stopped(NOW):
        for viewer in (None, alice, bob, charlie, staff):
            found = access.watchable(keys, viewer.pk if viewer else None)
            assert found == play.visible(viewer=viewer, public_ids=keys, now=NOW), viewer
            for key in keys:
                assert access.watchable([key], viewer.pk if viewer else None) == found & {key}


def test_a_game_is_found_by_one_query_and_a_session_by_two(alice: User, bob: User) -> None:
    access, key, game = StreamAccess(), open_session(alice), make_game(alice, bob, hidden=True).public_id
    with clock.stopped(NOW), CaptureQueriesContext(connection) as queries:
        assert access.watchable([game], alice.pk) == {game}
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        assert access.grant_of_session(key) == accounts.session_grant(key)
    assert len(queries) == 2 + 2


def test_a_game_is_not_taken_for_an_analysis(alice: User, bob: User) -> None:
    access, game = StreamAccess(), make_game(alice, bob).public_id
    with clock.stopped(NOW):
        access.watchable([game], None)
    with CaptureQueriesContext(connection) as queries:
        access.followed(game, here=True)
        access.followed("another", here=True)
    assert len(queries) == 1


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch, alice: User, bob: User) -> None:
    monkeypatch.setattr(stream_access, "_MAX_KNOWN", 2)
    access = StreamAccess()
    keys = [make_game(alice, bob).public_id for _ in range(3)]
    with clock.stopped(NOW):
        access.watchable(keys, None)
    with CaptureQueriesContext(connection) as queries:
        for key in keys:
            access.followed(key, here=True)
    assert len(queries) == 1


def test_a_session_opens_streams_as_long_as_it_opens_pages(
    alice: User, bob: User, settings: Settings
) -> None:
    access = StreamAccess()
    good, changed, gone, inactive, expired = (
        open_session(user) for user in (alice, alice, alice, bob, alice)
    )
    assert access.grant_of_session(good) is not None
    Session.objects.filter(session_key=gone).delete()
    Session.objects.filter(session_key=expired).update(expire_date=clock.now() - DAY)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    for key in (good, gone, inactive, expired, "nonsense", "\0", ""):
        assert access.grant_of_session(key) == accounts.session_grant(key) if "\0" not in key else True
        if key != good:
            assert access.grant_of_session(key) is None
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = (
        [settings.SECRET_KEY],
        "another one, long enough, of course",
    )
    assert access.grant_of_session(good) is not None
    alice.set_password("something else altogether")
    alice.save()
    assert access.grant_of_session(changed) is None


def test_a_session_that_ends_opens_nothing_from_then_on(alice: User) -> None:
    access, key = StreamAccess(), open_session(alice)
    assert access.grant_of_session(key) is not None
    SessionStore(key).delete()
    assert access.grant_of_session(key) is None


def test_a_guest_who_plays_follows_their_games_by_the_session_until_they_are_closed(alice: User) -> None:
    access, guest = StreamAccess(), make_guest()
    key = browser_of(guest).session.session_key or ""
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    offer = invitation_services.offer_by_link(creator=guest, options=terms, now=NOW).public_id
    private = make_game(alice, guest, hidden=True).public_id
    grant = access.grant_of_session(key)
    assert grant is not None
    assert grant.user_id == guest.pk
    with clock.stopped(NOW):
        assert access.watchable([offer, private], guest.pk) == {offer, private}
        assert access.watchable([offer, private], None) == set()
    guests.close(guest_id=guest.pk, now=NOW)
    assert access.grant_of_session(key) is None
