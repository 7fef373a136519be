"""Games that go on while processes are killed, with readers of their streams; each notes what it was told."""

from __future__ import annotations

import http.client
import random
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.club import Answer, Club, Player

PATIENCE = 60.0  # seconds for which a club may be away
AWAY = (OSError, http.client.HTTPException)
_OPTIONS = {"variant": "american", "colour": "first", "days_per_move": 3, "draw_rules": "itsyourturn"}


def insist(player: Player, method: str, path: str, body: object = None) -> Answer:
    """Send a request until a club that is there answers; the answer may thus be to the second try."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            answer = player.call(method, path, body)
        except AWAY:
            answer = None
        if answer is not None and answer.status not in {502, 503}:
            return answer
        assert time.monotonic() < until, f"{method} {path} was not answered for {PATIENCE} seconds"
        time.sleep(0.02)


@dataclass(eq=False)
class Watcher(threading.Thread):
    """A reader of a game's stream that comes back with its last event; it must see every version."""

    port: int
    game: str
    host: str = "127.0.0.1"
    last: str = ""
    seen: set[int] = field(default_factory=set)
    _over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        threading.Thread.__init__(self, daemon=True)

    def run(self) -> None:
        """Read until told to finish."""
        while not self._over.is_set():
            try:
                self._read()
            except AWAY:
                time.sleep(0.05)

    def expect(self, version: int) -> None:
        """Wait until the stream has sent a version, and end; before the first move there is none to send."""
        self.seen.add(0)
        until = time.monotonic() + PATIENCE
        while version not in self.seen:
            assert time.monotonic() < until, f"{version} of {self.game} was not sent: {sorted(self.seen)}"
            time.sleep(0.05)
        self._over.set()

    def _read(self) -> None:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        headers = {"Last-Event-ID": self.last} if self.last else {}
        try:
            connection.request("GET", f"/api/v1/events?game={self.game}", headers=headers)
            with connection.getresponse() as response:
                while not self._over.is_set() and (line := response.fp.readline().decode()):
                    if line.startswith("id: "):
                        self.last = line[4:].strip()
                    elif found := re.search(r'"version":\s?(\d+)', line):
                        self.seen.add(int(found[1]))
        finally:
            connection.close()


@dataclass(eq=False)
class Match(threading.Thread):
    """Two players with one game after the other, through whatever happens."""

    players: tuple[Player, Player]
    dice: random.Random
    acknowledged: int = 0
    retried: int = 0
    games: list[str] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    failure: BaseException | None = None
    _over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        threading.Thread.__init__(self, daemon=True)

    def expect_caught_up(self) -> None:
        """The streams of all games have sent their last version."""
        for watcher in self.watchers:
            watcher.expect(insist(self.players[0], "GET", f"/games/{watcher.game}").body["version"])

    def finish(self) -> None:
        """End after the current move."""
        self._over.set()
        self.join(PATIENCE + 10)
        assert not self.is_alive()
        if self.failure is not None:
            raise self.failure

    def run(self) -> None:
        """Play until told to finish."""
        try:
            while not self._over.is_set():
                self._play()
        except BaseException as failure:
            self.failure = failure

    def _play(self) -> None:
        state = self._begin()
        known: list[str] = []
        while state["status"] == "playing" and not self._over.is_set():
            state = self._move(state)
            moves = state["moves"]
            assert moves[: len(known)] == known, f"an acknowledged move is gone: {known} became {moves}"
            known = moves

    def _begin(self) -> dict[str, Any]:
        first, second = self.players
        offer = insist(first, "POST", "/games", _OPTIONS)
        assert offer.status == 201, offer
        path = f"/games/{offer.body['id']}"
        joined = insist(second, "POST", f"/waiting-room/{offer.body['id']}/join")
        state = insist(first, "GET", path).body
        assert state["status"] == "playing", (joined, state)
        self.games.append(offer.body["id"])
        self.watchers.append(Watcher(first.port, offer.body["id"], first.host))
        self.watchers[-1].start()
        return dict(state)

    def _move(self, state: dict[str, Any]) -> dict[str, Any]:
        """Make one move, again where no answer came; it must be stored once and nothing else."""
        mover = self.players[0 if state["turn"] == "first" else 1]
        move = self.dice.choice(state["legal_moves"])["notation"]
        path, body = f"/games/{state['id']}", {"move": move, "version": state["version"]}
        try:
            answer = mover.call("POST", f"{path}/moves", body)
        except AWAY:
            answer = None
        if answer is None or answer.status in {502, 503}:
            self.retried += 1
            answer = insist(mover, "POST", f"{path}/moves", body)
        after = dict(insist(mover, "GET", path).body)
        assert after["moves"] == [*state["moves"], move], f"{answer} led from {state} to {after}"
        assert answer.status == 200 or "version" in str(answer.body), answer
        self.acknowledged += 1
        return after


@contextmanager
def storm(club: Club, *, matches: int, seed: int, patience: float = 30) -> Iterator[list[Match]]:
    """Matches that go on while the block runs. Afterwards every game is as its players know it.

    ``patience``: seconds that players wait for an answer before they ask again.
    """
    playing = []
    for number in range(matches):
        players = (
            Player(club.port, f"s{seed}-{number}-a", host=club.host, patience=patience),
            Player(club.port, f"s{seed}-{number}-b", host=club.host, patience=patience),
        )
        for player in players:
            player.register()
        playing.append(Match(players, random.Random(seed + number)))
    for match in playing:
        match.start()
    try:
        yield playing
    finally:
        for match in playing:
            match.finish()
