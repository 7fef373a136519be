"""The invariants hold for what the simulated members do too seldom for every run."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import abort
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.staff.services import forfeit
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, make_game
from tests.server.simulation.invariants import games_follow_from_their_records

pytestmark = pytest.mark.django_db


def test_games_that_both_lost_or_that_were_aborted_follow_from_their_records(alice: User, bob: User) -> None:
    live = LiveClock(initial=300)
    lost, aborted = (make_game(alice, bob, days_per_move=None, clock=live) for _ in range(2))
    dora = make_user("dora", is_staff=True, is_superuser=True)
    forfeit(by=dora, game_id=lost.public_id, loser=None, reason="Nobody came.", now=NOW)
    abort(user=alice, game_id=aborted.public_id, now=NOW)
    games_follow_from_their_records()
