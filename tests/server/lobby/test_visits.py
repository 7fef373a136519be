"""When somebody was here before, as the home page reckons it."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock, exports
from crownhead.server.core.background import write_buffers
from crownhead.server.lobby.models import Visit
from crownhead.server.lobby.services.visits import last_visit
from crownhead.server.play.draws.services import resign
from crownhead.server.play.moves.services import play_move
from tests.server.conftest import PASSWORD
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_the_first_visit_comes_after_none(alice: User) -> None:
    assert last_visit(alice, NOW) is None
    assert last_visit(alice, NOW + 20 * MINUTE) is None


def test_a_visit_ends_with_half_an_hour_of_absence(alice: User) -> None:
    last_visit(alice, NOW)
    last_visit(alice, NOW + 10 * MINUTE)
    assert last_visit(alice, NOW + 41 * MINUTE) == NOW + 10 * MINUTE
    assert last_visit(alice, NOW + 60 * MINUTE) == NOW + 10 * MINUTE
    assert last_visit(alice, NOW + 600 * MINUTE) == NOW + 60 * MINUTE


def test_looking_again_within_some_minutes_costs_no_row(alice: User) -> None:
    last_visit(alice, NOW)
    last_visit(alice, NOW + 4 * MINUTE)
    assert Visit.objects.get(user=alice).seen_at == NOW


def test_what_ended_since_is_new_on_another_device_too(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    telephone, desk = Client(), Client()
    for device in (telephone, desk):
        device.login(username="alice", password=PASSWORD)
    with clock.stopped(NOW):
        telephone.get("/")
    resign(user=bob, game_id=game.public_id, now=NOW + 60 * MINUTE)
    with clock.stopped(NOW + 90 * MINUTE):
        assert 'class="turn-mark">new</span>' in desk.get("/").content.decode()
    with clock.stopped(NOW + 300 * MINUTE):
        assert 'class="turn-mark">new</span>' not in desk.get("/").content.decode()


def test_where_to_go_after_a_move_is_offered_again_on_another_device(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=2)
    telephone, desk = Client(), Client()
    for device in (telephone, desk):
        device.login(username="alice", password=PASSWORD)
    path = f"/games/{game.public_id}/"
    with clock.stopped(NOW):
        move = {"do": "move", "move": "11-15", "version": "0", "then": "games"}
        assert telephone.post(path, move).headers["Location"] == "/"
        chosen = '<option value="games" selected>'
        play_move(user=bob, game_id=game.public_id, move="22-18", version=1, now=NOW)
        assert chosen in desk.get(path).content.decode()


@pytest.mark.parametrize("buffered", [False, True])
def test_no_visit_outlasts_a_closed_account(alice: User, buffered: bool) -> None:
    with write_buffers.buffering() if buffered else nullcontext():
        last_visit(alice, NOW)
        closing.close(user=User.objects.get(pk=alice.pk), now=NOW)
    assert not Visit.objects.exists()


def test_the_archive_says_when_a_member_was_here(alice: User) -> None:
    assert json.loads(b"".join(exports.pieces("visits.json", alice))) is None
    last_visit(alice, NOW)
    told = json.loads(b"".join(exports.pieces("visits.json", alice)))
    assert told == {"seen_at": NOW.isoformat(), "before_at": None}
