"""A server that was away, or whose clock jumped while it was, goes on without a game lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.club import Club, Player


def rows(club: Club, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """What a statement finds in the database of a club, or changes there."""
    with closing(sqlite3.connect(club.data / "db.sqlite3")) as database, database:
        return database.execute(statement, values).fetchall()


def test_a_game_whose_time_ran_out_while_the_server_was_away_goes_on(tmp_path: Path) -> None:
    club = Club(tmp_path / "club")
    club.start()
    alice, bobby = Player(club.port, "alice"), Player(club.port, "bobby")
    for player in (alice, bobby):
        player.register()
    game = alice.expect(201, "POST", "/games", {"variant": "american", "colour": "first", "days_per_move": 3})
    bobby.expect(200, "POST", f"/waiting-room/{game['id']}/join")
    club.kill()
    _let_days_pass(club, 5)
    club.start()
    found = alice.expect(200, "GET", f"/games/{game['id']}")
    assert found["status"] == "playing"
    alice.expect(200, "POST", f"/games/{game['id']}/moves", {"move": "11-15", "version": found["version"]})
    ((begins, ends),) = rows(club, "SELECT begins_at, ends_at FROM play_outagerow")
    assert datetime.fromisoformat(ends) - datetime.fromisoformat(begins) > timedelta(days=4)
    assert club.stop() == 0
    assert "Traceback" not in club.log()


def _let_days_pass(club: Club, days: int) -> None:
    """Move every moment of the club back, as if days had passed; on another start of the machine."""
    for column in ("turn_since", "deadline_at", "remind_at", "started_at", "last_moved_at", "created_at"):
        rows(club, f"UPDATE play_game SET {column} = datetime({column}, ?)", f"-{days} days")
    rows(club, "UPDATE play_heartbeat SET at = datetime(at, ?), boot = 'before'", f"-{days} days")
