"""Open pages get every change, in the transaction of the change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models import QuerySet

from crownhead.server.accounts.models import User
from crownhead.server.live.models import Outbox
from crownhead.server.play import problems
from crownhead.server.play.draws.services import decline_draw, offer_draw, resign
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from tests.server.play.factories import (
    DAY,
    NOW,
    api_of,
    make_game,
    make_game_from,
    make_offer,
    play_moves,
)

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
    assert {name: value for name, value in last_told(f"user:{bob.pk}").items() if name != "move"} == {
        "id": game.public_id,
        "version": 1,
        "status": "playing",
        "turn": "second",
    }


def last_told(topic: str) -> Any:
    """The payload of the latest event of a game on a topic."""
    return _of_games().filter(topic=topic).order_by("-id")[0].payload


def test_a_move_is_told_with_all_that_it_changes(alice: User, bob: User) -> None:
    game = make_game_from("W:W22,30,32:B18,1,2", alice, bob)
    play_moves(game, "22x15")
    game.refresh_from_db()
    move = last_told(f"game:{game.public_id}")["move"]
    assert move == {
        "path": [22, 15],
        "captures": [18],
        "kinds": "MM",
        "ply": 1,
        "notation": "22x15",
        "crowned": False,
        "colour": "white",
        "to_move": "black",
        "fen": "B:W15,30,32:B1,2",
        "time_left": {"first": 3 * 24 * 3600 * 1000, "second": 3 * 24 * 3600 * 1000},
        "waits": 0,
        "deadline": (NOW + 3 * DAY).isoformat(),
        "complete": True,
    }


def test_only_the_player_on_turn_is_told_the_legal_moves_and_only_players_what_they_may_do(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    watched, mover, next_ = (last_told(topic)["move"] for topic in _topics(game, alice, bob))
    assert next_["legal"][0] == {"path": [21, 17], "captures": [], "kinds": "MM", "notation": "21-17"}
    assert mover.keys() - watched.keys() == {"may"}
    assert next_.keys() - watched.keys() == {"may", "legal", "barred"}
    assert (mover["may"], next_["may"]) == (["offer", "ask-take-back"], ["offer"])


def test_watchers_of_a_hidden_game_are_told_nothing(alice: User, bob: User) -> None:
    game = make_game(alice, bob, hidden=True)
    before = Outbox.objects.filter(topic=f"game:{game.public_id}").count()
    play_moves(game, "11-15")
    assert Outbox.objects.filter(topic=f"game:{game.public_id}").count() == before
    assert last_told(f"user:{bob.pk}")["move"]["notation"] == "11-15"


def test_a_plan_is_not_told_with_the_move_that_it_made(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    body = {"version": 0, "game_version": 0, "lines": [["11-15", "22-18", "15x22", "25x18"]]}
    assert api_of(bob).put(f"/games/{game.public_id}/plan", body).status_code == 200
    play_moves(game, "11-15")
    rows = _of_games().filter(topic__in=_topics(game, alice))
    told = [row.payload for row in rows if "move" in row.payload]
    assert sorted(payload["move"]["notation"] for payload in told) == ["11-15"] * 2 + ["22-18"] * 2
    assert "25x18" not in str([payload["move"] for payload in told if "legal" not in payload["move"]])
    assert "plan" not in str(told)


def test_a_live_move_is_told_with_both_clocks(alice: User, bob: User) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300, increment=3))
    play_moves(game, "11-15", now=NOW + timedelta(seconds=30))
    move = last_told(f"game:{game.public_id}")["move"]
    assert (move["time_left"], move["complete"]) == ({"first": 293_000, "second": 300_000}, True)
    assert (move["waits"], move["deadline"]) == (20_000, (NOW + timedelta(seconds=350)).isoformat())
    play_moves(game, "22-18", now=NOW + timedelta(seconds=60))
    move = last_told(f"game:{game.public_id}")["move"]
    assert (move["time_left"]["second"], move["waits"], move["complete"]) == (293_000, 0, True)


def test_lists_of_games_are_told_that_one_has_come_or_gone(alice: User, bob: User) -> None:
    def told(name: str) -> int:
        return Outbox.objects.filter(topic=f"game:{name}", kind="list").count()

    offered = make_offer(alice)
    assert (told("waiting-room"), told("watch")) == (1, 0)
    game_services.join(user=bob, game_id=offered.public_id, now=NOW)
    assert (told("waiting-room"), told("watch")) == (2, 1)
    resign(user=bob, game_id=offered.public_id, now=NOW)
    assert (told("waiting-room"), told("watch")) == (2, 2)


def test_the_players_are_told_the_pace_of_a_game_that_starts(alice: User, bob: User) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300))
    assert [last_told(topic)["began"] for topic in _topics(game, alice, bob)] == ["live"] * 3


def test_the_last_move_is_told_before_the_result(alice: User, bob: User) -> None:
    game = make_game_from("W:W22,30:B18", alice, bob)
    play_moves(game, "22x15")
    told = [row.payload for row in _of_games().filter(topic=f"game:{game.public_id}")][-2:]
    assert [payload["status"] for payload in told] == ["finished", "finished"]
    move = told[0]["move"]
    assert (move["to_move"], move["complete"], "move" in told[1]) == (None, False, False)
    assert last_told(f"user:{alice.pk}").keys() == {"id", "version", "status", "turn"}


def test_pages_are_sent_for_where_a_move_changes_more_than_it_tells(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    play_moves(game, "11-15")  # the offer still stands
    assert last_told(f"game:{game.public_id}")["move"]["complete"] is False
    weekend = make_game(alice, bob, weekends_off=True)
    assert NOW.weekday() == 6
    play_moves(weekend, "11-15")
    assert last_told(f"game:{weekend.public_id}")["move"]["complete"] is False


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
