"""A network that is cut or slow: nothing is lost, nobody waits for ever, and all goes on by itself."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.club import Club
from tests.faults.network import CLUB, DATABASE, HERE, Network, network
from tests.faults.storm import storm
from tests.faults.test_kills import LIMITS, MATCHES, needs_postgres, stopped_at_the_end
from tests.faults.waiting import SOON, go_on, wait_until
from tests.postgres import Cluster, new_cluster

pytestmark = [pytest.mark.slow, needs_postgres]

SILENCE = 4  # seconds after which a connection is given up, here
TIMEOUTS = {"CROWNHEAD_DATABASE_SILENCE_SECONDS": str(SILENCE), "CROWNHEAD_DATABASE_CONNECT_SECONDS": "2"}


@dataclass(slots=True)
class Hosts:
    """A club and its database, each on a host of its own."""

    network: Network
    cluster: Cluster
    club: Club

    def is_up(self) -> bool:
        """Whether a page is answered."""
        return self.club.asked("/")[0] == 200

    def sessions(self, condition: str = "true") -> list[str]:
        """The processes of the database for clients over the network."""
        sql = f"SELECT pid FROM pg_stat_activity WHERE client_addr IS NOT NULL AND {condition} ORDER BY pid"
        return self.cluster.ask(sql).split()


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Hosts]:
    """A club that runs."""
    with network() as made:
        place = {"host": made.address(DATABASE), "through": made.on(DATABASE)}
        with new_cluster(is_durable=True, **place) as cluster:  # type: ignore[arg-type]
            folder = tmp_path / "club"
            folder.mkdir()
            (folder / "settings.toml").write_text(LIMITS)
            club = Club(
                folder,
                host=made.address(CLUB),
                through=made.on(CLUB),
                environment={"DATABASE_URL": cluster.url, **TIMEOUTS},
            )
            club.start()
            with stopped_at_the_end(club):
                yield Hosts(made, cluster, club)


def test_a_database_behind_a_cut_line_is_away_and_comes_back(hosts: Hosts) -> None:
    with storm(hosts.club, matches=MATCHES, seed=6) as matches:
        go_on(matches)
        listening = hosts.sessions("query LIKE 'LISTEN%'")
        assert len(listening) == 1
        hosts.network.cut(CLUB, DATABASE)
        begun = time.monotonic()
        wait_until(lambda: not hosts.is_up())  # the first connections have to be given up
        assert time.monotonic() - begun < SILENCE + SOON
        for _ in range(5):
            begun = time.monotonic()
            assert hosts.club.asked("/") == (503, "5")
            assert time.monotonic() - begun < 5, "a page waited for a database that is away"
            assert hosts.club.asked("/health/live", patience=2)[0] == 200
        wait_until(lambda: not hosts.sessions())  # nor does the database hold locks of a club that is gone
        hosts.network.mend(CLUB, DATABASE)
        wait_until(hosts.is_up)
        go_on(matches)
        wait_until(lambda: hosts.sessions("query LIKE 'LISTEN%'") not in ([], listening))
    for match in matches:
        match.expect_caught_up()


@pytest.mark.nightly
@pytest.mark.parametrize("action", ["blackhole", "unreachable"])
def test_a_line_to_the_database_that_is_cut_again_and_again(hosts: Hosts, action: str) -> None:
    with storm(hosts.club, matches=MATCHES, seed=7) as matches:
        for seconds in (0.3, 1, 3, 2 * SILENCE, 45):
            go_on(matches)
            hosts.network.cut(CLUB, DATABASE, action=action)
            time.sleep(seconds)
            hosts.network.mend(CLUB, DATABASE, action=action)
            wait_until(hosts.is_up)
        go_on(matches)
    for match in matches:
        match.expect_caught_up()


@pytest.mark.nightly
def test_a_line_between_members_and_club_that_is_cut(hosts: Hosts) -> None:
    with storm(hosts.club, matches=MATCHES, seed=8, patience=3) as matches:
        for seconds in (0.3, 1, 5, 30):
            go_on(matches)
            hosts.network.cut(HERE, CLUB)
            time.sleep(seconds)
            hosts.network.mend(HERE, CLUB)
        go_on(matches)
    for match in matches:
        match.expect_caught_up()


@pytest.mark.nightly
def test_slow_lines(hosts: Hosts) -> None:
    with storm(hosts.club, matches=MATCHES, seed=9) as matches:
        for host in (DATABASE, HERE):
            hosts.network.slow_down(host, rate="256kbit")
            for _ in range(3):
                go_on(matches)
    for match in matches:
        match.expect_caught_up()


@pytest.mark.nightly
def test_members_that_vanish_do_not_keep_their_streams(hosts: Hosts) -> None:
    with storm(hosts.club, matches=MATCHES, seed=10, patience=3) as matches:
        go_on(matches)
        open_before = connections_of(hosts)
        assert open_before >= MATCHES
        hosts.network.cut(HERE, CLUB)
        try:
            wait_until(lambda: connections_of(hosts) == 0, seconds=75)
        finally:
            hosts.network.mend(HERE, CLUB)
        go_on(matches)
    for match in matches:
        match.expect_caught_up()


def connections_of(hosts: Hosts) -> int:
    """How many connections of members the club holds."""
    command = [
        *hosts.network.on(CLUB),
        "ss",
        "-Htn",
        "state",
        "established",
        f"( sport = :{hosts.club.port} )",
    ]
    return len(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines())
