"""What a run of faults has come through, told at its end."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tests.faults.storm import Match

REPORTED: list[str] = []


def report(what: str) -> None:
    """Keep a sentence about the test that runs."""
    name = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].partition(" ")[0]
    REPORTED.append(f"{name}: {what}")


def report_matches(faults: int, matches: Sequence[Match]) -> None:
    """Keep what a test has come through that has passed, so that nothing was lost or made twice."""
    games = sum(len(match.games) for match in matches)
    moves = sum(match.acknowledged for match in matches)
    again = sum(match.retried for match in matches)
    events = sum(len(watcher.seen) for match in matches for watcher in match.watchers)
    report(
        f"{faults} faults; {games} games, {moves} moves acknowledged, {again} asked for again, "
        f"{events} events; none lost, none doubled"
    )
