"""Answers that are lost on their way and requests that arrive twice: each move is made once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.figures import report_matches
from tests.faults.proxy import Proxy
from tests.faults.storm import storm
from tests.faults.test_kills import KILLS, MATCHES, new_club, stopped_at_the_end
from tests.faults.waiting import go_on

pytestmark = pytest.mark.slow


def test_answers_that_are_lost_and_requests_that_come_twice(tmp_path: Path) -> None:
    with stopped_at_the_end(new_club(tmp_path / "club")) as club:
        proxy = Proxy([club.port], seed=14)
        try:
            with storm(replace(club, port=proxy.port), matches=MATCHES, seed=14) as matches:
                proxy.loses = proxy.doubles = 30
                while min(proxy.lost, proxy.doubled) < max(10, KILLS):
                    go_on(matches)
                proxy.loses = proxy.doubles = 0
            for match in matches:
                match.expect_caught_up()
            report_matches(proxy.lost + proxy.doubled, matches)
        finally:
            proxy.stop()
