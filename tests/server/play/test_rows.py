"""The database itself refuses rows that make no sense."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, make_game, make_offer

pytestmark = pytest.mark.django_db


def _refused(game: Game, **changes: Any) -> bool:
    try:
        with transaction.atomic():
            Game.objects.filter(pk=game.pk).update(**changes)
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "lost"},
        {"draw_rules": "mine"},
        {"days_per_move": 0},
        {"days_per_move": 15},
        {"pace": "live"},
        {"clock_bonus": timedelta(1)},
        {"turn_since": None},
        {"remind_of": "never"},
        {"turn": None},
        {"turn": "third"},
        {"deadline_at": None},
        {"second_player": None},
        {"ended_at": NOW},
        {"winner": "first"},
        {"termination": "time"},
        {"draw_offer_by": "nobody"},
        {"version": 5},
        {"moves": "11-15"},
        {"status": "finished"},
        {"status": "waiting"},
        {"adjudication_reason": "so"},
    ],
)
def test_a_game_in_progress_keeps_what_belongs_to_it(alice: User, bob: User, changes: dict[str, Any]) -> None:
    assert _refused(make_game(alice, bob), **changes)


def test_nobody_plays_against_themselves(alice: User, bob: User) -> None:
    assert _refused(make_game(alice, bob), second_player=alice)


def test_a_waiting_game_has_no_turn_and_no_offer(alice: User) -> None:
    game = make_offer(alice)
    assert _refused(game, turn="first")
    assert _refused(game, draw_offer_by="first")
    assert _refused(game, deadline_at=NOW)


def test_a_finished_game_keeps_why_it_ended(alice: User, bob: User) -> None:
    game = resign(user=alice, game_id=make_game(alice, bob).public_id, now=NOW)
    assert _refused(game, termination="")
    assert _refused(game, ended_at=None)
    assert _refused(game, termination="adjudication")


def test_two_games_never_share_an_identifier(alice: User) -> None:
    assert _refused(make_offer(alice), public_id=make_offer(alice).public_id)


def test_a_player_with_games_is_not_deleted(alice: User, bob: User) -> None:
    make_game(alice, bob)
    with pytest.raises(ProtectedError):
        bob.delete()


def test_identifiers_cannot_be_guessed_from_one_another(alice: User) -> None:
    names = {make_offer(alice).public_id for _ in range(20)}
    assert len(names) == 20
    assert {len(name) for name in names} == {12}
