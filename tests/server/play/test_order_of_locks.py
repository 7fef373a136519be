"""Players are held before games, on PostgreSQL: both of one with vacation, and who joins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

import pytest
from django.db import transaction

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games import endings
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.models import Appeal, Game, Invitation
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.presence.services import note_left
from crownhead.server.play.staff import services as staffs
from tests.server.conftest import make_user
from tests.server.held_rows import PATIENCE, beside, needs_held_rows, until_somebody_waits
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves

pytestmark = [needs_held_rows, pytest.mark.django_db(transaction=True)]

TERMS = GameOptions(variant="american", colour="second", days_per_move=3)


def joins(alice: User, bob: User) -> tuple[Game, Callable[[], Any]]:
    game = make_offer(alice)
    return game, partial(game_services.join, user=bob, game_id=game.public_id, now=NOW)


def accepts(alice: User, bob: User) -> tuple[Game, Callable[[], Any]]:
    game = invitations.invite(creator=alice, opponent="bob", options=TERMS, message="", site="", now=NOW)
    return game, partial(invitations.accept, user=bob, game_id=game.public_id, now=NOW)


def accepts_a_link(alice: User, bob: User) -> tuple[Game, Callable[[], Any]]:
    game = invitations.offer_by_link(creator=alice, options=TERMS, now=NOW)
    token = Invitation.objects.get(game=game).token
    return game, partial(invitations.accept_link, user=bob, token=token, now=NOW)


def looks_for_a_game(alice: User, bob: User) -> tuple[Game, Callable[[], Any]]:
    game = make_offer(alice)
    return game, partial(game_services.auto_match, user=bob, options=TERMS, now=NOW)


def plays_again(alice: User, bob: User) -> tuple[Game, Callable[[], Any]]:
    before = make_game(alice, bob)
    resign(user=alice, game_id=before.public_id, now=NOW)
    again = partial(invitations.invite_again, game_id=before.public_id, message="", now=NOW)
    return again(user=alice), partial(again, user=bob)


def is_free(game: Game) -> bool:
    """Whether nobody holds the row of a game."""
    rows = Game.objects.select_for_update(skip_locked=True, no_key=True)
    return rows.filter(pk=game.pk).exists()


@pytest.mark.parametrize("way", [joins, accepts, accepts_a_link, looks_for_a_game, plays_again])
def test_who_begins_a_game_is_held_before_it(
    alice: User, bob: User, way: Callable[[User, User], tuple[Game, Callable[[], Any]]]
) -> None:
    game, act = way(alice, bob)
    with beside(act) as start, transaction.atomic():
        hold_user(bob.pk)
        start()
        until_somebody_waits()
        assert is_free(game)
    assert fresh(game).status == "playing"


@pytest.mark.parametrize("held", ["alice", "bob"])
def test_both_players_are_held_before_a_game_with_vacation(alice: User, bob: User, held: str) -> None:
    game = make_game(alice, bob, vacation=True)
    move = partial(play_move, user=alice, game_id=game.public_id, move="11-15", version=0, now=NOW)
    with beside(move) as start, transaction.atomic():
        hold_user({"alice": alice, "bob": bob}[held].pk)
        start()
        until_somebody_waits()
        assert is_free(game)
    assert fresh(game).moves == "11-15"


def test_a_game_with_vacation_is_locked_twice_though_its_opponent_is_on_turn_then(
    alice: User, bob: User
) -> None:
    game = make_game(alice, bob, vacation=True)
    answer = partial(play_move, user=bob, game_id=game.public_id, move="22-18", version=1, now=NOW)
    with beside(answer) as start, transaction.atomic():
        endings.lock_game(game.public_id)
        play_moves(game, "11-15")
        start()
        until_somebody_waits()
        endings.lock_game(game.public_id)
    assert fresh(game).moves == "11-15 22-18"


def test_both_players_are_held_before_the_game_of_an_appeal(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    staffs.appeal(user=alice, game_id=game.public_id, claim="draw", reason="Two kings each.", now=NOW)
    dora = make_user("dora", is_staff=True, is_superuser=True)
    key = Appeal.objects.get().pk
    answer = partial(
        staffs.answer_appeal, staff=dora, appeal_id=key, granted=False, answer="Play on.", now=NOW
    )
    with beside(answer) as start, transaction.atomic():
        hold_user(alice.pk)
        start()
        until_somebody_waits()
        assert is_free(game)
    assert Appeal.objects.get().granted is False


def test_who_leaves_holds_no_offer_while_another_is_waited_for(alice: User) -> None:
    first, second = (make_offer(alice, days_per_move=None, clock=LiveClock(initial=300)) for _ in range(2))
    with beside(partial(note_left, user_id=alice.pk, since=NOW, now=NOW)) as start, transaction.atomic():
        endings.lock_game(second.public_id)
        start()
        until_somebody_waits()
        assert fresh(first).status == "withdrawn"
    assert fresh(second).status == "withdrawn"


def test_who_looks_for_a_game_does_not_hold_one_that_another_has_taken(
    alice: User, bob: User, charlie: User
) -> None:
    first, second = (make_offer(alice, now=NOW + timedelta(minutes=minute)) for minute in (0, 1))
    is_taken, may_end = Event(), Event()

    @transaction.atomic
    def take() -> None:
        game_services.join(user=bob, game_id=first.public_id, now=NOW)
        is_taken.set()
        assert may_end.wait(PATIENCE)

    look = partial(game_services.auto_match, user=charlie, options=TERMS, now=NOW + timedelta(minutes=2))
    with beside(look) as start_looking, transaction.atomic():
        endings.lock_game(second.public_id)
        with beside(take) as start_taking:
            start_taking()
            assert is_taken.wait(PATIENCE)
            start_looking()
            until_somebody_waits()
            may_end.set()
        until_somebody_waits()
        assert is_free(first)
    assert fresh(second).second_player == charlie


def test_who_closes_an_account_waits_for_no_other_player(alice: User, bob: User) -> None:
    for first, second in ((alice, bob), (bob, alice)):
        make_game(first, second, vacation=True, days_per_move=1)
    with transaction.atomic():
        hold_user(bob.pk)
        with beside(partial(closing.close, user=alice, now=NOW)) as start:
            start()
    alice.refresh_from_db()
    assert alice.closed_at == NOW
