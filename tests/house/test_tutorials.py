"""What the tutorial on bots builds works: its bot plays in a club."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.club import Club, Player
from tests.house.tree import HOUSE

PATIENCE = 60  # seconds

_T = TypeVar("_T")


def awaited(answer: Callable[[], _T | None]) -> _T:
    """The first answer that is something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = answer()
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came in time")


@contextmanager
def running(club: Club, *arguments: str) -> Iterator[None]:
    """The bot, while the block lasts."""
    bot = [sys.executable, str(HOUSE / "docs" / "files" / "bot.py"), club.address, *arguments]
    with subprocess.Popen(bot, stderr=subprocess.PIPE) as process:
        try:
            yield
            assert process.poll() is None, process.stderr and process.stderr.read().decode()
        finally:
            process.kill()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A club that is open."""
    club = Club(tmp_path / "data")
    club.start()
    yield club
    club.stop()


def test_the_bot_of_the_tutorial_keeps_a_game_open_and_plays_anyone_who_joins(club: Club) -> None:
    ada = Player(club.port, "ada")
    ada.register()

    def offered() -> dict[str, Any] | None:
        items: list[dict[str, Any]] = ada.expect(200, "GET", "/waiting-room")["items"]
        return items[0] if items else None

    def my_turn() -> dict[str, Any] | None:
        game: dict[str, Any] = ada.expect(200, "GET", f"/games/{game_id}")
        return game if game["turn"] == mine else None

    with running(club, "Deepling", "a long word for it", "russian"):
        game_id = awaited(offered)["id"]
        joined = ada.expect(200, "POST", f"/waiting-room/{game_id}/join")
        mine = "first" if joined["players"]["first"]["username"] == "ada" else "second"
        for _ in range(3):
            game = awaited(my_turn)
            move = {"move": game["legal_moves"][0]["notation"], "version": game["version"]}
            ada.expect(200, "POST", f"/games/{game_id}/moves", move)
        assert len(awaited(my_turn)["moves"]) >= 6
        ended = ada.expect(200, "POST", f"/games/{game_id}/resign")
        assert ended["outcome"]["winner"] != mine
        assert awaited(offered)["id"] != game_id
