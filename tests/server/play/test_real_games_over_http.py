"""Real games of American checkers, played through the API by two accounts each, and their records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from typing import Any

import pytest

import crownhead
from crownhead import pdn
from tests.notation.files import SAMPLE, data
from tests.server.conftest import PASSWORD, Api

pytestmark = pytest.mark.django_db
GAMES, EVERY = 200, 37  # from all over the file of 7,541


def test_some_of_the_sample_games_come_out_as_they_went_in() -> None:
    """Every third of them; the night plays two hundred of the archive."""
    games = list(islice(pdn.read(SAMPLE), 0, None, 3))
    assert len(games) == 7
    assert {game.tags["Result"] for game in games} == {"1-0", "0-1", "1/2-1/2"}
    _play_all(games)


@pytest.mark.nightly
def test_two_hundred_games_of_the_archive_come_out_as_they_went_in() -> None:
    archive = pdn.read(data("games", "american_1841-2004.pdn.gz"))
    games = list(islice(archive, 0, GAMES * EVERY, EVERY))
    assert len(games) == GAMES
    _play_all(games)


def _play_all(games: Iterable[crownhead.Game]) -> None:
    for number, source in enumerate(games):
        players = [_account(f"{side}-{number}") for side in ("first", "second")]
        game_id = _played(source, players)
        (record,) = _exported(players[0], game_id)
        assert record.moves == source.moves, source.tags
        assert record.tags["Result"] == source.tags["Result"], source.tags
        assert (record.tags["Black"], record.tags["White"]) == (f"first-{number}", f"second-{number}")


def _account(name: str) -> Api:
    guest = Api()
    account = {"username": name, "email": f"{name}@club.example", "password": PASSWORD}
    _body(201, guest.post("/accounts", account))
    token = _body(201, guest.post("/tokens", {"username": name, "password": PASSWORD}))["token"]
    return Api(token)


def _played(source: crownhead.Game, players: list[Api]) -> str:
    """Play a game to its result, resigning or agreeing to a draw where its moves leave it open."""
    first, second = players
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = _body(201, first.post("/games", terms))
    game_id: str = game["id"]
    game = _body(200, second.post(f"/waiting-room/{game_id}/join"))
    for position, move in zip(source.positions, source.moves, strict=False):
        mover = first if game["turn"] == "first" else second
        sent = {"move": position.notation(move), "version": game["version"]}
        game = _body(200, mover.post(f"/games/{game_id}/moves", sent))
    if game["status"] == "playing":
        game = _ended(game_id, source.tags["Result"], first, second)
    assert game["status"] == "finished"
    assert game["outcome"]["result"] == source.tags["Result"]
    return game_id


def _ended(game_id: str, result: str, first: Api, second: Api) -> dict[str, Any]:
    if result == "1/2-1/2":
        _body(200, first.post(f"/games/{game_id}/draw-offer"))
        return _body(200, second.post(f"/games/{game_id}/draw-offer/accept"))
    loser = second if result == "1-0" else first
    return _body(200, loser.post(f"/games/{game_id}/resign"))


def _exported(door: Api, game_id: str) -> Iterator[crownhead.Game]:
    answer = door.get(f"/games/{game_id}.pdn")
    assert answer.status_code == 200
    return pdn.read(StringIO(answer.content.decode()))


def _body(status: int, answer: Any) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    body: dict[str, Any] = json.loads(answer.content)
    return body
