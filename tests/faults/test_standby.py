"""Visitors read from a real standby: one that lags, stops replaying, dies and comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.club import Club, Player, free_port
from tests.faults.figures import report
from tests.faults.test_kills import needs_postgres, new_club, stopped_at_the_end
from tests.faults.waiting import wait_until
from tests.postgres import Cluster, new_cluster, standby_of

pytestmark = [pytest.mark.nightly, needs_postgres]

HERE = "127.0.0.1"
BEHIND = 10  # seconds that the standby may be behind, the fewest that the setting takes
_OFFER = {"variant": "american", "colour": "first", "days_per_move": 3}


@dataclass(frozen=True, slots=True)
class Ground:
    """A club that reads pages for visitors from the standby of its database, and two members of it."""

    club: Club
    standby: Cluster
    players: tuple[Player, Player]

    def new_game(self) -> str:
        """The id of a game that has just begun."""
        first, second = self.players
        game: str = first.expect(201, "POST", "/games", _OFFER)["id"]
        second.expect(200, "POST", f"/waiting-room/{game}/join")
        state = first.expect(200, "GET", f"/games/{game}")
        move = {"move": state["legal_moves"][0]["notation"], "version": state["version"]}
        first.expect(200, "POST", f"/games/{game}/moves", move)
        return game

    def visitor_sees(self, game: str) -> bool:
        """Whether the list of running games names it to somebody without a session."""
        return game in self.club.page("/watch/")


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    """A club of two processes, its database and a standby that follows by streaming replication."""
    with ExitStack() as stack:
        primary = stack.enter_context(new_cluster(is_durable=True, host=HERE, port=free_port()))
        standby = stack.enter_context(standby_of(primary, port=free_port(), name="second"))
        environment = {
            "DATABASE_URL": f"postgres://club@{HERE}:{primary.port}/postgres",
            "DATABASE_REPLICA_URL": f"postgres://club@{HERE}:{standby.port}/postgres",
            "CROWNHEAD_DATABASE_REPLICA_SECONDS": str(BEHIND),
        }
        club = new_club(tmp_path / "club", workers=2, environment=environment)
        stack.enter_context(stopped_at_the_end(club))
        players = (Player(club.port, "first"), Player(club.port, "second"))
        for player in players:
            player.register()
        yield Ground(club, standby, players)


def test_visitors_read_from_a_standby_while_it_keeps_up(ground: Ground) -> None:
    game = ground.new_game()
    wait_until(lambda: ground.visitor_sees(game))

    ground.standby.ask("SELECT pg_wal_replay_pause()")
    wait_until(lambda: ground.standby.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")
    late = ground.new_game()
    stopped = time.monotonic()
    assert not ground.visitor_sees(late), "expected the list as the standby has it"
    assert late in ground.club.page(f"/games/{late}/"), "expected the primary to have been asked again"
    wait_until(lambda: ground.visitor_sees(late), seconds=3 * BEHIND)
    left_alone = time.monotonic() - stopped

    ground.standby.ask("SELECT pg_wal_replay_resume()")
    later = ground.new_game()
    wait_until(lambda: ground.visitor_sees(later))

    ground.standby.kill()
    latest = ground.new_game()
    pages = 0
    until = time.monotonic() + 5
    while time.monotonic() < until:
        assert ground.visitor_sees(latest)
        pages += 1

    ground.standby.start()
    read = "SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_user_tables WHERE relname = 'play_game'"

    def is_read_again() -> bool:
        before = ground.standby.ask(read)
        ground.club.page("/watch/")
        time.sleep(1.5)  # until the standby has counted what was read
        return ground.standby.ask(read) != before

    wait_until(is_read_again, seconds=3 * BEHIND)
    report(
        f"a standby that stands still was left alone after {left_alone:.0f} s; "
        f"{pages} pages while it was dead, none failed"
    )
