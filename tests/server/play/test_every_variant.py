"""Every variant of the table over the HTTP API: offered, taken, played by random legal moves, exported."""

from __future__ import annotations

import json
from io import StringIO
from random import Random
from typing import Any

import pytest

from crownhead import VARIANTS, Game, pdn
from crownhead.server.accounts.models import User
from tests.server.conftest import Api
from tests.server.play.factories import api_of

MANY = 36  # plies of the quick course
LONGEST = 300  # plies after which a game without an end is given up


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_is_created_played_and_exported(alice: User, bob: User, key: str) -> None:
    course = play_at_random(alice, bob, key, plies=MANY)

    assert_exported(course)


@pytest.mark.nightly
@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_is_played_to_its_end(alice: User, bob: User, key: str) -> None:
    course = play_at_random(alice, bob, key, plies=LONGEST)

    assert course["status"] == "finished"
    assert_exported(course)


def play_at_random(first: User, second: User, key: str, *, plies: int) -> dict[str, Any]:
    """The game as the API shows it once it is over; after ``plies`` moves the side to move resigns."""
    dice = Random(key)
    doors = {"first": api_of(first), "second": api_of(second)}
    offer = {"variant": key, "colour": "first", "days_per_move": 3}
    game = body(201, doors["first"].post("/games", offer))
    game = body(200, doors["second"].post(f"/waiting-room/{game['id']}/join"))
    while game["status"] == "playing" and game["version"] < plies:
        move = dice.choice(game["legal_moves"])["notation"]
        answer = doors[game["turn"]].post(
            f"/games/{game['id']}/moves", {"move": move, "version": game["version"]}
        )
        game = body(200, answer)
    if game["status"] == "playing":
        game = body(200, doors[game["turn"]].post(f"/games/{game['id']}/resign"))
    return game


def assert_exported(course: dict[str, Any]) -> None:
    """The record that the door hands out holds the same moves, position and result."""
    answer = Api().get(f"/games/{course['id']}.pdn")
    assert answer.status_code == 200
    (record,) = pdn.read(StringIO(answer.content.decode()), variant=course["variant"])
    assert isinstance(record, Game)
    assert len(record.moves) == course["version"]
    assert record.position.fen() == course["fen"]
    assert record.result == course["outcome"]["result"]


def body(status: int, answer: Any) -> dict[str, Any]:
    """What an answer holds that must have this status."""
    assert answer.status_code == status, answer.content
    found: dict[str, Any] = json.loads(answer.content)
    return found
