"""Agreeing on a time for a live pairing: who is at fault when the round ends without a game."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import Appointment, Entrant, Pairing, PairingGame, Round
from crownhead.server.competitions.services import appointments
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from crownhead.server.live import signs
from crownhead.server.notices.selectors.reading import notices_of
from tests.server.competitions.factories import LIVE, advance, invite_substitute, make_running_tournament
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture
def pairing(alice: User) -> Pairing:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, appointment_days=5)
    advance(tournament, now=NOW)
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
    advance(pairing.round.tournament, now=pairing.round.deadline + SECOND)
    return PairingGame.objects.get(pairing=pairing)


def test_who_never_proposed_a_time_loses(pairing: Pairing) -> None:
    propose(pairing, days=1, for_days=3)

    game = ended(pairing)

    assert (game.how, game.game_id) == ("forfeit", None)
    assert (game.first_points, game.second_points) == (2, 0)


@pytest.mark.parametrize(
    ("days", "for_days"),
    [(4.9, 4.95), (1, 1.01), (4, 4.9), (1, 5), (1, 4.99)],
    ids=["at the end", "for soon", "too late", "for the deadline", "right before it"],
)
def test_who_had_no_time_to_answer_does_not_lose(pairing: Pairing, days: float, for_days: float) -> None:
    propose(pairing, days=days, for_days=for_days)

    game = ended(pairing)

    assert game.game_id is not None
    assert game.first_points is None


def test_who_proposes_the_deadline_in_answer_has_proposed_a_time(pairing: Pairing) -> None:
    assert pairing.second is not None
    propose(pairing, days=1, for_days=3)
    appointments.propose(
        user=pairing.second.user,
        tournament_id=pairing.round.tournament.public_id,
        number=1,
        table=pairing.table,
        at=NOW + timedelta(days=5),
        now=NOW + timedelta(days=1),
    )

    assert ended(pairing).game_id is not None


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


def test_a_proposal_that_was_replaced_at_once_left_no_time_to_answer(pairing: Pairing) -> None:
    propose(pairing, days=0, for_days=3)
    propose(pairing, days=0.0001, for_days=0.001)

    assert ended(pairing).game_id is not None


def test_a_proposal_counts_until_it_was_replaced(pairing: Pairing) -> None:
    propose(pairing, days=0, for_days=3)
    propose(pairing, days=2, for_days=2.001)

    assert ended(pairing).how == "forfeit"


def test_who_declines_at_once_and_proposes_nothing_loses(pairing: Pairing) -> None:
    propose(pairing, days=0, for_days=3)
    answer(pairing, agreed=False)

    assert ended(pairing).how == "forfeit"


def answer(pairing: Pairing, **facts: Any) -> None:
    """The second player answers at the start of the round."""
    assert pairing.second is not None
    appointments.answer(
        user=pairing.second.user,
        tournament_id=pairing.round.tournament.public_id,
        number=1,
        table=pairing.table,
        now=NOW,
        **facts,
    )


def test_only_the_time_that_was_read_is_agreed_to(pairing: Pairing) -> None:
    read = NOW + timedelta(days=2)
    propose(pairing, days=0, for_days=2)
    propose(pairing, days=0, for_days=0.001)

    for agreed in (True, False):
        with pytest.raises(Conflict, match=r"Your opponent proposes .* now"):
            answer(pairing, agreed=agreed, at=read)
    pairing.refresh_from_db()
    assert pairing.starts_at is None
    propose(pairing, days=0, for_days=2)
    answer(pairing, agreed=True, at=read)
    pairing.refresh_from_db()
    assert pairing.starts_at == read


@pytest.mark.parametrize("how", ["answer", "propose"])
def test_a_time_that_is_near_is_agreed_to_only_while_who_proposed_it_is_there(
    pairing: Pairing, how: str
) -> None:
    assert pairing.second is not None
    at = NOW + timedelta(days=1)
    propose(pairing, days=0, for_days=1)
    soon = at - timedelta(minutes=10)
    facts: dict[str, Any] = {"user": pairing.second.user, "number": 1, "table": pairing.table, "at": at}
    facts |= {"tournament_id": pairing.round.tournament.public_id, "now": soon}
    agree = partial(appointments.answer, agreed=True) if how == "answer" else appointments.propose

    with clock.stopped(soon), pytest.raises(Conflict, match="your opponent isn't here"):
        agree(**facts)
    pairing.refresh_from_db()
    assert pairing.starts_at is None

    with clock.stopped(soon):
        signs.note_heard(pairing.first.user_id)
        agree(**facts)
    pairing.refresh_from_db()
    assert pairing.starts_at == at


def test_the_page_agrees_to_the_time_that_it_shows(pairing: Pairing) -> None:
    assert pairing.second is not None
    path = f"/tournaments/{pairing.round.tournament.public_id}/"
    propose(pairing, days=0, for_days=2)
    client = Client()
    client.force_login(pairing.second.user)
    shown = re.findall(r'type="hidden" name="at" value="(.+?)"', client.get(path).content.decode())
    propose(pairing, days=0, for_days=0.001)
    where, form = f"{path}rounds/1/{pairing.table}/appointment/", {"do": "agree", "at": shown[0]}
    html = client.post(where, form, follow=True).content.decode()
    assert "Read it again, then answer." in html
    pairing.refresh_from_db()
    assert pairing.starts_at is None
    propose(pairing, days=0, for_days=2)
    client.post(where, form)
    pairing.refresh_from_db()
    assert pairing.starts_at == NOW + timedelta(days=2)


def test_a_program_names_the_time_that_it_agrees_to(pairing: Pairing) -> None:
    assert pairing.second is not None
    propose(pairing, days=0, for_days=2)
    api = api_of(pairing.second.user)
    table = f"/tournaments/{pairing.round.tournament.public_id}/rounds/1/tables/{pairing.table}"
    path = f"{table}/appointment/answer"
    nameless = api.post(path, {"agreed": True})
    assert (nameless.status_code, nameless.json()["field"]) == (422, "at")
    wrong = api.post(path, {"agreed": True, "at": (NOW + timedelta(days=1)).isoformat()})
    assert (wrong.status_code, wrong.json()["field"]) == (409, "at")
    assert api.post(path, {"agreed": True, "at": "2026-03-03T13:00:00+01:00"}).status_code == 204
    pairing.refresh_from_db()
    assert pairing.starts_at == NOW + timedelta(days=2)


def test_a_substitute_agrees_on_times_themselves(bob: User, pairing: Pairing) -> None:
    assert pairing.second is not None
    tournament, opponent = pairing.round.tournament, pairing.second.user
    propose(pairing, days=0, for_days=2)
    answer(pairing, agreed=True, at=NOW + timedelta(days=2))
    invite_substitute(tournament, pairing.first.user, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW + timedelta(days=1))

    pairing.refresh_from_db()
    assert pairing.starts_at is None
    assert notices_of(opponent).filter(subject__startswith="A player was replaced in Spring cup").exists()
    assert ended(pairing).game_id is not None


@pytest.mark.parametrize(("days", "loses"), [(1, True), (3.9, False)])
def test_a_substitute_has_time_to_answer_from_when_they_came(
    bob: User, pairing: Pairing, days: float, loses: bool
) -> None:
    assert pairing.second is not None
    tournament, opponent = pairing.round.tournament, pairing.second.user
    appointments.propose(
        user=opponent,
        tournament_id=tournament.public_id,
        number=1,
        table=pairing.table,
        at=NOW + timedelta(days=4),
        now=NOW,
    )
    invite_substitute(tournament, pairing.first.user, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW + timedelta(days=days))

    assert Appointment.objects.get(pairing=pairing).by == opponent
    assert (ended(pairing).game_id is None) == loses
