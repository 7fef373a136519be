"""Results of a bracket can be corrected until its next round is paired."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.problems import Conflict
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import end, fresh, make_running_tournament, open_rows, opponents
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db
GONE_ON = "The bracket has gone on since round 1"


def ended(host: User, **changes: Any) -> tuple[Tournament, PairingGame, dict[str, Any]]:
    """A tournament whose first round is over, a game of it, and what decisions about it have in common."""
    tournament, _users = make_running_tournament(host, 4, **changes)
    rows = open_rows(tournament)
    for row in rows:
        end(row.game_id or "", winner=Seat.FIRST, by=host)
    where = {"user": host, "tournament_id": tournament.public_id, "game_id": rows[0].game_id, "now": NOW}
    return tournament, rows[0], where | {"reason": "A mistake."}


@pytest.mark.parametrize("name", ["single-elimination", "double-elimination"])
def test_a_result_on_which_a_bracket_has_built_stays(alice: User, name: str) -> None:
    tournament, row, where = ended(alice, format=name)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2

    loser = opponents(row)[1].username
    with pytest.raises(Conflict, match=GONE_ON):
        services.adjudicate(result=loser, **where)
    with pytest.raises(Conflict, match=GONE_ON):
        services.annul(again=True, **where)
    path = f"/tournaments/{tournament.public_id}/games/{row.game_id}/adjudicate"
    assert api_of(alice).post(path, {"result": loser, "reason": "A mistake."}).status_code == 409
    row.refresh_from_db()
    assert (row.first_points, row.second_points, row.replaced) == (2, 0, False)


def test_a_result_of_the_latest_round_of_a_bracket_is_corrected(alice: User) -> None:
    _tournament, row, where = ended(alice, format="single-elimination")
    services.adjudicate(result=opponents(row)[1].username, **where)
    row.refresh_from_db()
    assert (row.first_points, row.second_points) == (0, 2)
    services.annul(again=True, **where)
    row.refresh_from_db()
    assert row.replaced


def test_a_result_of_an_earlier_round_of_a_swiss_tournament_is_corrected(alice: User) -> None:
    tournament, row, where = ended(alice, format="swiss")
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    services.adjudicate(result=opponents(row)[1].username, **where)
    row.refresh_from_db()
    assert (row.first_points, row.second_points) == (0, 2)
