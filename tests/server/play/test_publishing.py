"""Open pages get every change, in the transaction of the change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db.models import QuerySet

from crownhead.server.accounts.models import User
from crownhead.server.live.models import Outbox
from crownhead.server.play import problems
from crownhead.server.play.draws.services import decline_draw, offer_draw, resign
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.deadlines import end_overdue_games, expire_waiting
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from tests.server.play.factories import DAY, NOW, make_game, make_game_from, make_offer, play_moves

pytestmark = pytest.mark.django_db


def _published(action: Callable[[], Any]) -> list[tuple[str, str]]:
    before = _of_games().count()
    action()
    return [(row.topic, row.payload["status"]) for row in _of_games()[before:]]


def _of_games() -> QuerySet[Outbox]:
    """The events of games alone; notifications have events of their own."""
    return Outbox.objects.filter(kind__in=["game", "me"]).order_by("id")


def _topics(game: Game, *users: User) -> list[str]:
    return [f"game:{game.public_id}", *(f"user:{user.pk}" for user in users)]


def test_a_move_is_sent_to_the_watchers_and_both_players(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    events = _published(lambda: play_moves(game, "11-15"))
    assert events == [(topic, "playing") for topic in _topics(game, alice, bob)]
    assert _of_games().last().payload == {  # type: ignore[union-attr]
        "id": game.public_id,
        "version": 1,
        "status": "playing",
        "turn": "second",
    }


def test_a_move_sent_twice_is_reported_once(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    again: dict[str, Any] = {
        "user": alice,
        "game_id": game.public_id,
        "move": "11-15",
        "version": 0,
        "now": NOW,
    }
    assert _published(lambda: play_move(**again)) == []


def test_a_refused_move_is_sent_to_nobody(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    before = _of_games().count()
    with pytest.raises(problems.IllegalMove):
        play_moves(game, "11-14")
    assert _of_games().count() == before


def test_every_other_change_is_reported_too(alice: User, bob: User) -> None:
    changes: list[tuple[Callable[[Game], Any], str]] = [
        (lambda game: offer_draw(user=alice, game_id=game.public_id, now=NOW), "playing"),
        (lambda game: decline_draw(user=bob, game_id=game.public_id, now=NOW), "playing"),
        (lambda game: resign(user=bob, game_id=game.public_id, now=NOW), "finished"),
    ]
    game = make_game(alice, bob)
    for change, status in changes:
        published = _published(partial(change, game))
        assert set(published) == {(topic, status) for topic in _topics(game, alice, bob)}


def test_a_move_that_ends_the_game_announces_the_end(alice: User, bob: User) -> None:
    game = make_game_from("W:W22,30:B18", alice, bob)
    assert {status for _, status in _published(lambda: play_moves(game, "22x15"))} == {"finished"}


def test_what_happens_in_the_waiting_room_is_sent_to_those_it_concerns(alice: User, bob: User) -> None:
    game = make_offer(alice)
    started = _published(lambda: game_services.join(user=bob, game_id=game.public_id, now=NOW))
    assert set(started) == {(topic, "playing") for topic in _topics(game, alice, bob)}
    other = make_offer(alice)
    withdrawn = _published(
        lambda: game_services.withdraw_waiting(user=alice, game_id=other.public_id, now=NOW)
    )
    assert set(withdrawn) == {(topic, "withdrawn") for topic in _topics(other, alice)}
    third = make_offer(alice)
    expired = _published(lambda: expire_waiting(now=NOW + 14 * DAY))
    assert set(expired) == {(topic, "expired") for topic in _topics(third, alice)}


def test_a_loss_on_time_is_reported(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    events = _published(lambda: end_overdue_games(now=NOW + 3 * DAY))
    assert set(events) == {(topic, "finished") for topic in _topics(game, alice, bob)}
