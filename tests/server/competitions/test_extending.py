"""Directors who give more time: never less, and not for their own games."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Director, Pairing, PairingGame, Round, Tournament
from crownhead.server.competitions.services import appointments
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from tests.server.competitions.factories import (
    LIVE,
    advance,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
)
from tests.server.play.factories import DAY, NOW, api_of
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db
WHY = "Because it is so."
MINUTE = timedelta(minutes=1)
ARENA: dict[str, Any] = {"game": LIVE, "format": "arena", "minutes": 120}


def extend(user: User, tournament: Tournament, until: datetime, now: datetime = NOW) -> None:
    services.extend(user=user, tournament_id=tournament.public_id, until=until, reason=WHY, now=now)


def by_appointment(host: User, *, plays: bool = False) -> Tournament:
    """A round with five days for appointments, in which the host may play themselves."""
    tournament = make_tournament(host, game=LIVE, appointment_days=5)
    if plays:
        services.enter(user=host, tournament_id=tournament.public_id, now=NOW)
    enter_players(tournament, 3 if plays else 4)
    services.start(user=host, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    return fresh(tournament)


def deadline(tournament: Tournament) -> datetime | None:
    return Round.objects.get(tournament=tournament).deadline


def pairing_of(user: User) -> Pairing:
    rows = Pairing.objects.select_related("first__user", "second__user", "round")
    return rows.get(Q(first__user=user) | Q(second__user=user))


def propose(tournament: Tournament, pairing: Pairing, user: User, *, at: datetime, now: datetime) -> None:
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "number": 1, "table": pairing.table}
    appointments.propose(user=user, at=at, now=now, **where)


def test_extending_a_round_does_not_shorten_it(alice: User) -> None:
    tournament = by_appointment(alice)
    path = f"/tournaments/{tournament.public_id}/extend"
    answer = api_of(alice).post(path, {"until": (NOW + MINUTE).isoformat(), "reason": WHY})
    assert answer.status_code == 422
    assert answer.json()["field"] == "until"
    assert "6 March 2026, 12:00" in answer.json()["detail"]
    assert "1 March 2026, 12:01" in answer.json()["detail"]
    assert deadline(tournament) == NOW + 5 * DAY
    jobs.advance_due(NOW + 2 * MINUTE)
    assert not PairingGame.objects.exists()
    extend(alice, tournament, NOW + 6 * DAY)
    assert deadline(tournament) == NOW + 6 * DAY


@pytest.mark.parametrize(("extended", "released", "ends"), [(30, 1, 30), (6, 2, 7)])
def test_a_round_that_was_extended_on_hold_does_not_become_shorter_by_its_release(
    alice: User, extended: int, released: int, ends: int
) -> None:
    terms: dict[str, Any] = {"game": LIVE, "appointment_days": 5, "held_rounds": True}
    tournament, _users = make_running_tournament(alice, 4, **terms)
    extend(alice, tournament, NOW + extended * DAY)
    services.release(user=alice, tournament_id=tournament.public_id, now=NOW + released * DAY)
    assert deadline(tournament) == NOW + ends * DAY


def test_extending_an_arena_does_not_shorten_it(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3, **ARENA)
    with pytest.raises(Unprocessable, match=r"^until: There is time until"):
        extend(alice, tournament, NOW + MINUTE)
    extend(alice, tournament, NOW + 121 * MINUTE)
    assert fresh(tournament).ends_at == NOW + 121 * MINUTE


def test_extending_the_time_to_enter_does_not_shorten_it(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + 3 * DAY)
    with pytest.raises(Unprocessable, match=r"^until: There is time until"):
        extend(alice, tournament, NOW + 2 * DAY)
    extend(alice, tournament, NOW + 4 * DAY)
    assert fresh(tournament).starts_at == NOW + 4 * DAY


def test_a_date_of_the_club_that_is_extended_is_the_directors(alice: User) -> None:
    tournament = make_tournament(alice, start="full", starts_at=NOW + DAY)
    Tournament.objects.filter(pk=tournament.pk).update(date_by_club=True)
    extend(alice, tournament, NOW + DAY)
    assert fresh(tournament).date_by_club
    extend(alice, tournament, NOW + 2 * DAY)
    assert not fresh(tournament).date_by_club


def test_a_director_does_not_extend_a_round_in_which_they_are_to_play(alice: User) -> None:
    tournament = by_appointment(alice, plays=True)
    pairing = pairing_of(alice)
    assert pairing.second is not None
    opponent = pairing.second.user if pairing.first.user == alice else pairing.first.user
    propose(tournament, pairing, opponent, at=NOW + 3 * DAY, now=NOW)
    late = NOW + 5 * DAY - MINUTE
    with pytest.raises(Forbidden, match="still to play yourself"):
        extend(alice, tournament, late + 30 * DAY, now=late)
    jobs.advance_due(NOW + 5 * DAY + MINUTE)
    assert PairingGame.objects.get(pairing=pairing).how == "forfeit"
    extend(alice, tournament, NOW + 7 * DAY, now=NOW + 6 * DAY)  # their own pairing is decided


def test_a_director_does_not_end_a_tournament_in_which_they_play(alice: User) -> None:
    tournament, (player, *_others) = make_running_tournament(alice, 3, max_players=4, **ARENA)
    Director.objects.create(tournament=tournament, user=player, accepted=True)
    with pytest.raises(Forbidden, match="Ask another director"):
        services.close(user=player, tournament_id=tournament.public_id, reason="I lead.", now=NOW)
    services.withdraw(user=player, tournament_id=tournament.public_id, now=NOW)
    run_tasks(GENERAL)
    services.close(user=player, tournament_id=tournament.public_id, reason="It is late.", now=NOW)


def test_a_director_does_not_extend_an_arena_in_which_they_play(alice: User) -> None:
    tournament, (player, *_others) = make_running_tournament(alice, 3, max_players=4, **ARENA)
    Director.objects.create(tournament=tournament, user=player, accepted=True)
    with pytest.raises(Forbidden, match="an arena that you play in yourself"):
        extend(player, tournament, NOW + 180 * MINUTE)
    services.withdraw(user=player, tournament_id=tournament.public_id, now=NOW)
    run_tasks(GENERAL)
    extend(player, tournament, NOW + 180 * MINUTE)


@pytest.mark.parametrize("arena", [False, True])
def test_staff_who_play_extend_what_they_play_in(alice: User, arena: bool) -> None:
    alice.is_staff = True
    alice.save()
    if arena:
        tournament, _users = make_running_tournament(alice, 3, max_players=4, **ARENA)
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    else:
        tournament = by_appointment(alice, plays=True)
    extend(alice, tournament, NOW + (DAY if arena else 6 * DAY))


@pytest.mark.parametrize(("arena", "offered"), [(False, "2026-03-07T12:00"), (True, "2026-03-02T12:00")])
def test_the_form_offers_a_day_more_than_there_is(alice: User, arena: bool, offered: str) -> None:
    tournament = make_running_tournament(alice, 3, **ARENA)[0] if arena else by_appointment(alice)
    client = Client()
    client.force_login(alice)
    path = f"/tournaments/{tournament.public_id}/direct/"
    assert f'name="until" required value="{offered}"' in client.get(path).content.decode()
    client.post(path, {"do": "extend", "until": offered, "reason": WHY})
    made = fresh(tournament).ends_at if arena else deadline(tournament)
    assert made is not None
    assert f"{made:%Y-%m-%dT%H:%M}" == offered


@pytest.mark.parametrize(("proposed", "how"), [(1, "forfeit"), (4.5, "played")])
def test_the_time_to_answer_is_not_counted_from_after_an_extension(
    alice: User, proposed: float, how: str
) -> None:
    tournament = by_appointment(alice)
    pairing = Pairing.objects.select_related("first__user").filter(table=1).get()
    user = pairing.first.user
    propose(tournament, pairing, user, at=NOW + 5 * DAY, now=NOW + timedelta(days=proposed))
    extend(alice, tournament, NOW + 10 * DAY, now=NOW + 4.9 * DAY)
    advance(tournament, now=NOW + 5 * DAY + MINUTE)
    assert not PairingGame.objects.filter(pairing=pairing).exists()
    advance(tournament, now=NOW + 10 * DAY + MINUTE)
    assert PairingGame.objects.get(pairing=pairing).how == how


def test_who_answers_after_an_extension_does_not_lose(alice: User) -> None:
    tournament = by_appointment(alice)
    pairing = pairing_of(Pairing.objects.filter(table=1).get().first.user)
    assert pairing.second is not None
    propose(tournament, pairing, pairing.first.user, at=NOW + 3 * DAY, now=NOW)
    extend(alice, tournament, NOW + 10 * DAY, now=NOW + 4 * DAY)
    propose(tournament, pairing, pairing.second.user, at=NOW + 8 * DAY, now=NOW + 6 * DAY)
    advance(tournament, now=NOW + 10 * DAY + MINUTE)
    assert PairingGame.objects.get(pairing=pairing).game_id is not None
