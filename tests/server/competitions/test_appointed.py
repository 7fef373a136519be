"""Agreeing on a time for a live pairing: who is at fault when the round ends without a game."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round
from crownhead.server.competitions.services import appointments, rounds
from tests.server.competitions.factories import LIVE, make_running_tournament
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture
def pairing(alice: User) -> Pairing:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, appointment_days=5)
    rounds.advance(tournament_id=tournament.public_id, now=NOW)
    players = ("first__user", "second__user", "round__tournament")
    return Pairing.objects.select_related(*players).get(round__tournament=tournament, table=1)


def propose(pairing: Pairing, *, days: float, for_days: float) -> None:
    """The first player proposes some days after the start of the round a time within it."""
    appointments.propose(
        user=pairing.first.user,
        tournament_id=pairing.round.tournament.public_id,
        number=1,
        table=pairing.table,
        at=NOW + timedelta(days=for_days),
        now=NOW + timedelta(days=days),
    )


def ended(pairing: Pairing) -> PairingGame:
    """The game of the pairing after its deadline."""
    assert pairing.round.deadline == NOW + timedelta(days=5)
    rounds.advance(tournament_id=pairing.round.tournament.public_id, now=pairing.round.deadline + SECOND)
    return PairingGame.objects.get(pairing=pairing)


def test_who_never_proposed_a_time_loses(pairing: Pairing) -> None:
    propose(pairing, days=1, for_days=3)

    game = ended(pairing)

    assert (game.how, game.game_id) == ("forfeit", None)
    assert (game.first_points, game.second_points) == (2, 0)


@pytest.mark.parametrize(
    ("days", "for_days"), [(4.99999, 5), (1, 1.01), (4, 5)], ids=["at the end", "for soon", "too late"]
)
def test_who_had_no_time_to_answer_does_not_lose(pairing: Pairing, days: float, for_days: float) -> None:
    propose(pairing, days=days, for_days=for_days)

    game = ended(pairing)

    assert game.game_id is not None
    assert game.first_points is None


def test_a_round_that_was_held_or_extended_asks_no_longer_notice(pairing: Pairing) -> None:
    Round.objects.filter(pk=pairing.round_id).update(made_at=NOW - timedelta(days=30))
    propose(pairing, days=1, for_days=3)

    assert ended(pairing).how == "forfeit"


def test_what_somebody_proposed_who_was_replaced_is_no_proposal_of_the_substitute(
    bob: User, pairing: Pairing
) -> None:
    propose(pairing, days=1, for_days=3)
    Entrant.objects.filter(pk=pairing.first_id).update(user=bob)
    pairing.refresh_from_db()
    propose(pairing, days=4.9, for_days=5)

    assert ended(pairing).game_id is not None
