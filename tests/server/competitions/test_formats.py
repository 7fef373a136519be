"""Every format goes through the server to its end."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead.contest.formats import FORMATS
from crownhead.server.accounts.models import User
from crownhead.server.competitions.models import Entrant, Round, Trophy
from crownhead.server.play.models import Game
from tests.server.competitions.hall import LIVE, Hall, begun, check_invariants, fresh

pytestmark = pytest.mark.django_db


def terms(key: str) -> dict[str, Any]:
    """What a format needs besides players."""
    return {"format": key} | ({"game": LIVE, "minutes": 30} if FORMATS[key].live else {})


@pytest.mark.parametrize("key", FORMATS)
def test_eight_players_play_to_the_end(alice: User, key: str) -> None:
    tournament, _users = begun(alice, 8, prizes=("Gold", "Silver"), **terms(key))
    assert tournament.status == "running"
    assert tournament.rounds_made >= 1
    Hall(tournament).play()
    assert fresh(tournament).status == "finished"
    check_invariants(tournament)
    assert not Game.objects.filter(status="playing").exists()
    places = list(Entrant.objects.filter(tournament=tournament).values_list("place", flat=True))
    assert 1 in places
    assert None not in places
    assert Trophy.objects.filter(tournament=tournament, place=1).exists()
    numbers = list(Round.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
