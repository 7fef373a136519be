"""Hours of play and streams take no more memory, threads and file descriptors than minutes.

`make faults PLAY_HOURS=8` plays that long, `make nightly` two hours; half of it on each database.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from tests.club import Club
from tests.faults.figures import report
from tests.faults.storm import Match, storm
from tests.faults.test_kills import MATCHES, needs_postgres, new_club, processes_of, stopped_at_the_end
from tests.postgres import new_cluster

HOURS = float(os.environ.get("PLAY_HOURS", "0.2"))
pytestmark = [pytest.mark.nightly, pytest.mark.timeout(HOURS * 3600 + 1200)]

ROUND = 20.0  # seconds of play by the same members
MORE_MEMORY = 1.1  # times what it was after a third of the time, and
SOME = 6 << 20  # bytes, and
MORE_HANDLES = 8


@dataclass(frozen=True, slots=True)
class Use:
    """What the processes of a club take together; the one for tasks, which comes and goes, is left out."""

    memory: int
    threads: int
    files: int


def use_of(club: Club) -> Use:
    """What is taken now."""
    assert club.process is not None
    processes = [club.process.pid, *(pid for pid in processes_of(club) if not _is_for_tasks(pid))]
    words = [_words(pid) for pid in processes]
    return Use(
        memory=sum(1024 * int(its["VmRSS"]) for its in words),
        threads=sum(int(its["Threads"]) for its in words),
        files=sum(sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()) for pid in processes),
    )


def _words(process: int) -> dict[str, str]:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return {
        name: rest.split()[0] for name, _, rest in (line.partition(":") for line in lines) if rest.split()
    }


def _is_for_tasks(process: int) -> bool:
    return b"--child" in Path(f"/proc/{process}/cmdline").read_bytes()


def play(club: Club, *, seconds: float) -> list[Use]:
    """Play round after round with new members; what the club took after each."""
    until, uses = time.monotonic() + seconds, list[Use]()
    while time.monotonic() < until:
        with storm(club, matches=MATCHES, seed=1000 + len(uses)) as matches:
            time.sleep(ROUND)
        _leave(matches)
        uses.append(use_of(club))
    return uses


def _leave(matches: Sequence[Match]) -> None:
    for match in matches:
        match.expect_caught_up()
        for watcher in match.watchers:
            watcher.join(60)
            assert not watcher.is_alive()


def expect_flat(uses: Sequence[Use]) -> None:
    """The last third of the time took what the second one took."""
    third = len(uses) // 3
    assert third >= 1, f"expected at least three rounds, got {len(uses)}"
    before, after = uses[third : 2 * third], uses[-third:]
    told = "\n".join(map(str, uses))
    memory = median(use.memory for use in before)
    assert median(use.memory for use in after) < MORE_MEMORY * memory + SOME, told
    for name in ("threads", "files"):
        then, now = (median(getattr(use, name) for use in some) for some in (before, after))
        assert now <= then + MORE_HANDLES, f"{name}:\n{told}"
    report(f"{uses[third]} after a third, {uses[-1]} at the end, of {len(uses)} rounds")


def test_use_stays_flat_on_sqlite(tmp_path: Path) -> None:
    with stopped_at_the_end(new_club(tmp_path / "club", workers=2)) as club:
        expect_flat(play(club, seconds=HOURS * 1800))


@needs_postgres
def test_use_stays_flat_on_postgresql(tmp_path: Path) -> None:
    with new_cluster(is_durable=True) as cluster:
        club = new_club(tmp_path / "club", workers=2, environment={"DATABASE_URL": cluster.url})
        with stopped_at_the_end(club):
            expect_flat(play(club, seconds=HOURS * 1800))
