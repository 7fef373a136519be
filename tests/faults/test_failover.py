"""A database whose primary dies: the club goes on with the standby that takes over, and nothing is lost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.club import free_port
from tests.faults.storm import storm
from tests.faults.test_kills import MATCHES, needs_postgres, new_club, stopped_at_the_end
from tests.faults.waiting import go_on, wait_until
from tests.postgres import Cluster, new_cluster, standby_of

pytestmark = [pytest.mark.nightly, needs_postgres]

HERE = "127.0.0.1"


def follow_synchronously(primary: Cluster, standby: str) -> None:
    """From now on nothing is acknowledged that the standby does not have."""
    primary.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
    primary.ask("SELECT pg_reload_conf()")
    wait_until(lambda: primary.ask("SELECT sync_state FROM pg_stat_replication") == "sync")


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_acknowledged_is_on_the_standby_that_takes_over(tmp_path: Path, workers: int) -> None:
    with (
        new_cluster(is_durable=True, host=HERE, port=free_port()) as primary,
        standby_of(primary, port=free_port(), name="second") as standby,
    ):
        follow_synchronously(primary, "second")
        url = f"postgres://club@{HERE}:{primary.port},{HERE}:{standby.port}/postgres"
        club = new_club(tmp_path / "club", workers=workers, environment={"DATABASE_URL": url})
        with stopped_at_the_end(club):
            with storm(club, matches=MATCHES, seed=11) as matches:
                go_on(matches)
                primary.kill()
                time.sleep(2)  # nobody has noticed yet
                standby.promote()
                go_on(matches)
                go_on(matches)
            for match in matches:
                match.expect_caught_up()
