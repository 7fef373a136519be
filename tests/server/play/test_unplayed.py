"""Offers that came to nothing are deleted some weeks later, and nothing else is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play.choices import Status
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.games.services.unplayed import KEPT, delete_old
from crownhead.server.play.invitations.services import decline, invite, invite_again
from crownhead.server.play.models import Game, Invitation
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db
LATER = NOW + KEPT + timedelta(minutes=1)
TERMS = GameOptions(variant="american", colour="first", days_per_move=3)


def withdrawn(creator: User) -> Game:
    game = make_offer(creator)
    return withdraw_waiting(user=creator, game_id=game.public_id, now=NOW)


def declined(creator: User, opponent: User) -> Game:
    game = invite(
        creator=creator,
        opponent=opponent.username,
        options=TERMS,
        message="A game?",
        site="http://x",
        now=NOW,
    )
    return decline(user=opponent, game_id=game.public_id, now=NOW)


def test_an_offer_that_ended_is_deleted_after_some_weeks(alice: User, bob: User) -> None:
    withdrawn(alice)
    declined(alice, bob)
    assert delete_old(now=NOW + KEPT) == 0
    assert Game.objects.count() == 2
    assert delete_old(now=LATER) == 2
    assert not Game.objects.exists()
    assert not Invitation.objects.exists()


def test_an_offer_that_waits_and_a_game_that_was_played_stay(alice: User, bob: User) -> None:
    waiting = make_offer(alice)
    playing = play_moves(make_game(alice, bob), "11-15")
    over = resign(user=bob, game_id=make_game(alice, bob).public_id, now=NOW)
    assert delete_old(now=LATER) == 0
    assert [fresh(game).status for game in (waiting, playing, over)] == [
        Status.WAITING,
        Status.PLAYING,
        Status.FINISHED,
    ]


def test_a_rematch_that_was_declined_is_remembered(alice: User, bob: User) -> None:
    over = resign(user=bob, game_id=make_game(alice, bob).public_id, now=NOW)
    again = invite_again(user=alice, game_id=over.public_id, message="", now=NOW)
    decline(user=bob, game_id=again.public_id, now=NOW)
    assert delete_old(now=LATER) == 0
    assert fresh(again).status == Status.DECLINED
