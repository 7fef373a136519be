"""A live game by appointment that is played again: at a time on which both agree again, or a known one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Appointment, Pairing
from crownhead.server.core import clock
from crownhead.server.core.background.outages import Outage
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.models import Seat
from crownhead.server.play.staff import services as staff_services
from tests.server.competitions.factories import (
    LIVE,
    advance,
    end,
    invite_substitute,
    make_running_tournament,
    open_rows,
    play_two_moves,
)
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

AGREED = NOW + timedelta(hours=3)  # a week before the deadline
LATER = AGREED + 2 * DAY
MINUTE = timedelta(minutes=1)


@pytest.fixture
def pairing(alice: User) -> Pairing:
    """A pairing whose game has begun at the agreed time, in a round of a week."""
    made = fresh_pairing(alice)
    agree(made, at=AGREED, now=NOW)
    assert begun(made, now=AGREED)
    (row,) = open_rows(made.round.tournament)
    play_two_moves(row.game_id or "", now=AGREED)
    return made


def fresh_pairing(host: User, **changes: Any) -> Pairing:
    """A pairing in the first round, of a week, of a tournament with appointments."""
    terms: dict[str, Any] = {"game": LIVE, "appointment_days": 7, "no_show_minutes": 5}
    tournament, _users = make_running_tournament(host, 4, **(terms | changes))
    players = ("first__user", "second__user", "round__tournament__host")
    return Pairing.objects.select_related(*players).get(round__tournament=tournament, table=1)


def where(pairing: Pairing) -> dict[str, Any]:
    return {"tournament_id": pairing.round.tournament.public_id, "number": 1, "table": pairing.table}


def propose(pairing: Pairing, *, at: datetime, now: datetime) -> None:
    services.propose_appointment(user=pairing.first.user, at=at, now=now, **where(pairing))


def agree(pairing: Pairing, *, at: datetime, now: datetime) -> None:
    assert pairing.second is not None
    propose(pairing, at=at, now=now)
    services.answer_appointment(user=pairing.second.user, agreed=True, at=at, now=now, **where(pairing))


def annul(pairing: Pairing, game_id: str | None = None, *, now: datetime) -> None:
    """The director has a game played again: the one in progress, after it has ended, unless it is named."""
    tournament = pairing.round.tournament
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=tournament.host, now=AGREED + MINUTE)
    game_id = game_id or pairing.games.get().game_id
    services.annul(
        user=tournament.host,
        tournament_id=tournament.public_id,
        game_id=game_id or "",
        again=True,
        reason="A power cut.",
        now=now,
    )


def starts(pairing: Pairing) -> datetime | None:
    """The time that stands for the pairing."""
    return Pairing.objects.get(pk=pairing.pk).starts_at


def begun(pairing: Pairing, *, now: datetime) -> bool:
    """Whether a worker has begun a game of the pairing at this time."""
    advance(pairing.round.tournament, now=now)
    return any(row.pairing_id == pairing.pk for row in open_rows(pairing.round.tournament))


def told(user: User, words: str = "Your game in Spring cup starts on") -> bool:
    return notices_of(user).filter(subject__startswith=words).exists()


def test_an_annulled_game_begins_at_a_time_on_which_both_agree_again(pairing: Pairing) -> None:
    assert pairing.second is not None
    annul(pairing, now=LATER)

    assert starts(pairing) is None
    assert not Appointment.objects.filter(pairing=pairing).exists()
    assert told(pairing.first.user)
    assert told(pairing.second.user)
    assert not begun(pairing, now=LATER)
    agree(pairing, at=LATER + DAY, now=LATER)
    assert not begun(pairing, now=LATER + DAY - MINUTE)
    assert begun(pairing, now=LATER + DAY)


def test_an_annulled_game_begins_at_the_deadline_if_nobody_agrees(pairing: Pairing) -> None:
    annul(pairing, now=LATER)

    assert not begun(pairing, now=NOW + 7 * DAY - MINUTE)
    assert begun(pairing, now=NOW + 7 * DAY)


@pytest.mark.parametrize("late", [NOW + 6.5 * DAY, NOW + 9 * DAY], ids=["near the deadline", "after it"])
def test_with_less_than_a_day_left_it_begins_a_day_later_unless_both_agree(
    pairing: Pairing, late: datetime
) -> None:
    annul(pairing, now=late)

    assert starts(pairing) == late + DAY
    assert not begun(pairing, now=late + DAY - MINUTE)
    with pytest.raises(Unprocessable, match="Choose a time in the future, before"):
        propose(pairing, at=late + DAY + MINUTE, now=late)
    agree(pairing, at=late + DAY / 2, now=late)
    assert begun(pairing, now=late + DAY / 2)


def test_what_was_proposed_for_the_first_game_puts_nobody_at_fault(alice: User) -> None:
    pairing = fresh_pairing(alice)
    agree(pairing, at=NOW + 3 * DAY, now=NOW)
    propose(pairing, at=NOW + 4 * DAY, now=NOW)  # and then keeps to what was agreed
    assert begun(pairing, now=NOW + 3 * DAY)
    annul(pairing, now=NOW + 4 * DAY)
    assert begun(pairing, now=NOW + 7 * DAY + MINUTE)


@pytest.mark.parametrize("adjourned", [False, True])
def test_a_substitute_for_a_game_that_had_begun_agrees_on_times_themselves(
    bob: User, pairing: Pairing, adjourned: bool
) -> None:
    assert pairing.second is not None
    tournament, before = pairing.round.tournament, pairing.first.user
    host, later = tournament.host, AGREED + 3 * DAY
    comes = LATER if adjourned else AGREED + 2 * MINUTE
    if adjourned:
        services.adjourn(user=host, until=later, reason="Night falls.", now=AGREED + MINUTE, **where(pairing))
    invite_substitute(tournament, before, bob, now=AGREED + MINUTE)
    services.enter(user=bob, tournament_id=tournament.public_id, now=comes)
    with clock.stopped(comes):
        run_tasks(GENERAL)  # the game that had begun is over
    assert starts(pairing) is None
    if adjourned:
        services.adjourn(user=host, until=None, reason="They are here.", now=LATER, **where(pairing))

    assert starts(pairing) is None
    assert not begun(pairing, now=comes)
    assert told(bob)
    assert told(pairing.second.user)
    assert not told(before)
    assert begun(pairing, now=NOW + 7 * DAY)


def test_a_pairing_that_was_adjourned_past_its_time_does_not_begin_at_once(alice: User) -> None:
    pairing = fresh_pairing(alice)
    agree(pairing, at=AGREED, now=NOW)
    services.adjourn(user=alice, until=LATER, reason="A wedding.", now=NOW, **where(pairing))
    services.adjourn(user=alice, until=None, reason="It is over.", now=LATER, **where(pairing))
    assert starts(pairing) is None
    assert not begun(pairing, now=LATER)

    agree(pairing, at=LATER + DAY, now=LATER)
    services.adjourn(user=alice, until=LATER + DAY / 2, reason="A fair.", now=LATER, **where(pairing))
    services.adjourn(user=alice, until=None, reason="It is over.", now=LATER + MINUTE, **where(pairing))
    assert starts(pairing) == LATER + DAY


@pytest.mark.parametrize("how", ["agreed", "proposed"])
def test_a_pairing_that_was_not_adjourned_is_not_resumed(alice: User, how: str) -> None:
    pairing = fresh_pairing(alice)
    propose_or_agree = agree if how == "agreed" else propose
    propose_or_agree(pairing, at=NOW + 4 * DAY, now=NOW)
    begins = starts(pairing) or NOW + 7 * DAY
    with pytest.raises(Conflict, match="not adjourned"):
        services.adjourn(user=alice, until=None, reason="Why not?", now=begins, **where(pairing))
    assert Appointment.objects.filter(pairing=pairing).exists()
    assert begun(pairing, now=begins + MINUTE) == (how == "agreed")
    assert pairing.games.get().how == ("played" if how == "agreed" else "forfeit")


@pytest.mark.parametrize("over", [False, True], ids=["without a result", "annulled"])
def test_a_game_that_the_staff_let_count_for_nothing_waits_for_a_time(pairing: Pairing, over: bool) -> None:
    judge = make_user("judge", is_staff=True)
    (row,) = open_rows(pairing.round.tournament)
    game_id = row.game_id or ""
    with clock.stopped(LATER):
        if over:
            end(game_id, winner=Seat.FIRST, by=judge, now=AGREED + MINUTE)
            staff_services.annul(staff=judge, game_id=game_id, reason="A mistake.", now=LATER)
        else:
            until = LATER + DAY
            facts: dict[str, Any] = {"by": judge, "game_id": game_id, "reason": "A fault."}
            staff_services.adjourn(**facts, until=until, now=AGREED + MINUTE)
            staff_services.adjudicate(**facts, result="nothing", now=LATER)

    assert starts(pairing) is None
    assert told(pairing.first.user)
    assert not begun(pairing, now=LATER)
    assert begun(pairing, now=NOW + 7 * DAY)


def test_nobody_proposes_a_time_while_the_game_is_played_or_once_it_is_over(pairing: Pairing) -> None:
    with pytest.raises(Conflict, match="already started"):
        propose(pairing, at=AGREED + DAY, now=AGREED + MINUTE)
    (row,) = open_rows(pairing.round.tournament)
    end(row.game_id or "", winner=Seat.FIRST, by=pairing.round.tournament.host, now=AGREED + MINUTE)
    with pytest.raises(Conflict, match="already started"):
        propose(pairing, at=AGREED + DAY, now=AGREED + MINUTE)


def test_the_page_offers_to_agree_again(pairing: Pairing) -> None:
    path = f"/tournaments/{pairing.round.tournament.public_id}/"
    client = Client()
    client.force_login(pairing.first.user)
    form = f"{path}rounds/1/{pairing.table}/appointment/"
    with clock.stopped(LATER):
        assert form not in client.get(path).content.decode()
        annul(pairing, now=LATER)
        assert form in client.get(path).content.decode()


def test_a_time_agreed_again_that_falls_into_an_outage_moves(pairing: Pairing) -> None:
    annul(pairing, now=LATER)
    agree(pairing, at=LATER + DAY, now=LATER)
    jobs.extend_after_outage(Outage(LATER + DAY - MINUTE, LATER + DAY + MINUTE), 0)
    assert starts(pairing) == LATER + DAY + 2 * MINUTE


def test_a_second_game_whose_time_falls_into_an_outage_moves(alice: User) -> None:
    pairing = fresh_pairing(alice, options={"games": 2})
    agree(pairing, at=AGREED, now=NOW)
    assert begun(pairing, now=AGREED)
    (row,) = open_rows(pairing.round.tournament)
    end(row.game_id or "", winner=Seat.FIRST, by=alice, now=AGREED + MINUTE)
    agree(pairing, at=LATER, now=AGREED + MINUTE)
    jobs.extend_after_outage(Outage(LATER - MINUTE, LATER + MINUTE), 0)
    assert starts(pairing) == LATER + 2 * MINUTE


def test_a_second_annulment_keeps_the_time_on_which_both_have_agreed_since(alice: User) -> None:
    pairing = fresh_pairing(alice, options={"games": 2})
    agree(pairing, at=AGREED, now=NOW)
    for _game in range(2):
        assert begun(pairing, now=AGREED)
        (row,) = open_rows(pairing.round.tournament)
        end(row.game_id or "", winner=Seat.FIRST, by=alice, now=AGREED + MINUTE)
    first, second = (row.game_id or "" for row in pairing.games.order_by("number"))
    annul(pairing, first, now=AGREED + MINUTE)
    assert starts(pairing) is None
    agree(pairing, at=LATER, now=AGREED + MINUTE)
    annul(pairing, second, now=AGREED + MINUTE)
    assert starts(pairing) == LATER


def test_a_worker_comes_by_itself_at_the_new_time(pairing: Pairing) -> None:
    late = NOW + 9 * DAY
    annul(pairing, now=late)
    jobs.advance_due(late)
    jobs.advance_due(late + DAY)
    assert any(row.pairing_id == pairing.pk for row in open_rows(pairing.round.tournament))
