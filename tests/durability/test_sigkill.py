"""Killing the server at any time loses no acknowledged move."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club import Club, Player

pytestmark = pytest.mark.slow

GAMES = 3
KILLS = 4


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    running = Club(tmp_path / "club")
    running.start()
    yield running
    if running.process is not None:
        running.kill()


class Match(threading.Thread):
    """Two accounts play random legal moves for as long as the server answers.

    ``acknowledged`` holds the moves that the server has confirmed; ``pending`` the one that was in flight
    when the server died, which may or may not be stored.
    """

    def __init__(self, players: tuple[Player, Player], game_id: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.players = players
        self.game_id = game_id
        self.random = random.Random(seed)
        self.acknowledged: list[str] = []
        self.pending: str | None = None
        self.state = players[0].expect(200, "GET", f"/games/{game_id}")
        self.failure: AssertionError | None = None

    def run(self) -> None:
        try:
            while self.state["status"] == "playing":
                self._move()
        except (OSError, http.client.HTTPException):
            return
        except AssertionError as failure:
            self.failure = failure

    def _move(self) -> None:
        mover = self.players[0 if self.state["turn"] == "first" else 1]
        move = self.random.choice(self.state["legal_moves"])["notation"]
        self.pending = move
        body = {"move": move, "version": self.state["version"]}
        self.state = mover.expect(200, "POST", f"/games/{self.game_id}/moves", body)
        self.acknowledged = list(self.state["moves"])
        self.pending = None


def test_a_killed_server_keeps_every_acknowledged_move(club: Club) -> None:
    chance = random.Random(20261121)
    pairs = [_pair(club, f"pair{number}") for number in range(GAMES)]
    for kill in range(KILLS):
        matches = [_match(pair, seed=kill * 100 + number) for number, pair in enumerate(pairs)]
        for match in matches:
            match.start()
        time.sleep(chance.uniform(0.3, 1.5))
        club.kill()
        for match in matches:
            match.join(timeout=60)
            assert not match.is_alive()
        club.start()
        assert sum(len(match.acknowledged) for match in matches) > 0
        for match in matches:
            _assert_stored(match)


def test_games_can_be_continued_after_the_kill(club: Club) -> None:
    match = _match(_pair(club, "again"), seed=7)
    match.start()
    time.sleep(0.7)
    club.kill()
    match.join(timeout=60)
    club.start()
    state = match.players[0].expect(200, "GET", f"/games/{match.game_id}")
    assert state["status"] in ("playing", "finished")
    if state["status"] == "playing":
        mover = match.players[0 if state["turn"] == "first" else 1]
        body = {"move": state["legal_moves"][0]["notation"], "version": state["version"]}
        after = mover.expect(200, "POST", f"/games/{match.game_id}/moves", body)
        assert len(after["moves"]) == len(state["moves"]) + 1


def _pair(club: Club, name: str) -> tuple[Player, Player]:
    pair = Player(club.port, f"{name}-one"), Player(club.port, f"{name}-two")
    for player in pair:
        player.register()
    return pair


def _match(pair: tuple[Player, Player], *, seed: int) -> Match:
    options = {"variant": "american", "colour": "first", "days_per_move": 3, "draw_rules": "itsyourturn"}
    game_id = pair[0].expect(201, "POST", "/games", options)["id"]
    pair[1].expect(200, "POST", f"/waiting-room/{game_id}/join")
    return Match(pair, game_id, seed)


def _assert_stored(match: Match) -> None:
    assert match.failure is None, match.failure
    stored = match.players[0].expect(200, "GET", f"/games/{match.game_id}")["moves"]
    known = match.acknowledged
    assert stored[: len(known)] == known
    beyond = stored[len(known) :]
    assert beyond in ([], [match.pending])
