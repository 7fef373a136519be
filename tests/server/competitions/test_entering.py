"""Who may take part, and why others may not; invitations, late entry, byes, appointments."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import events, jobs, selectors, services
from crownhead.server.competitions.models import (
    Appointment,
    Entrant,
    Invitation,
    Meeting,
    Pairing,
    PairingGame,
)
from crownhead.server.competitions.presenters.directing import director_page
from crownhead.server.competitions.services import appointments
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.events import on
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Problem, Unprocessable
from crownhead.server.play.games import providers
from crownhead.server.play.problems import AskedAlready
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    end,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
)
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.tasks import close_for_good

pytestmark = pytest.mark.django_db


def refused(user: User, tournament_id: str) -> str:
    with pytest.raises(Problem) as caught:
        services.enter(user=user, tournament_id=tournament_id, now=NOW)
    return caught.value.detail


def test_entering_twice_changes_nothing(alice: User) -> None:
    tournament = make_tournament(alice)
    for _ in range(2):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert fresh(tournament).size == Entrant.objects.count() == 1


def test_the_reasons_against_it(alice: User, bob: User) -> None:
    full = make_tournament(alice, max_players=3)
    enter_players(full, 3)
    assert refused(bob, full.public_id) == "This tournament is full."
    over = make_tournament(alice)
    services.cancel(user=alice, tournament_id=over.public_id, reason="No.", now=NOW)
    assert refused(bob, over.public_id) == "This tournament is over."
    low = make_tournament(alice, max_rating=1400)
    assert refused(bob, low.public_id) == "This tournament is for ratings up to 1400; yours is 1500."
    closed = make_tournament(alice, entry="invited")
    assert refused(bob, closed.public_id) == "This tournament is by invitation only."
    with pytest.raises(NotFound):
        services.enter(user=bob, tournament_id="nonesuch", now=NOW)


def test_entry_closes_at_the_start_without_late_entry(alice: User, bob: User) -> None:
    early, _users = make_running_tournament(alice, 4)
    assert refused(bob, early.public_id) == "Entry is closed."


def test_late_entry_up_to_the_round_that_was_announced(alice: User, bob: User, charlie: User) -> None:
    tournament, _users = make_running_tournament(alice, 6, format="swiss", late_rounds=2, max_players=10)
    row = services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert row.entered == 2
    for open_ in open_rows(tournament):
        end(open_.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    assert (
        Pairing.objects.filter(round__number=2, first=row).exists()
        or Pairing.objects.filter(round__number=2, second=row).exists()
    )
    assert refused(charlie, tournament.public_id) == "Entry is closed."


def test_a_player_who_has_withdrawn_does_not_come_back(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss", late_rounds=3, max_players=10)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    assert refused(users[0], tournament.public_id) == "You have left this tournament."


def test_withdrawing_before_the_start_leaves_the_place_free(alice: User, bob: User) -> None:
    tournament = make_tournament(alice, max_players=3)
    users = enter_players(tournament, 3)
    for _ in range(2):
        services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    assert fresh(tournament).size == 2
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert fresh(tournament).size == 3


@pytest.mark.parametrize("entry", ["open", "invited"])
def test_a_player_who_was_removed_enters_again_only_when_invited(alice: User, bob: User, entry: str) -> None:
    tournament = make_tournament(alice, entry=entry)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "now": NOW}
    if entry == "invited":
        services.invite(user=alice, usernames=["bob"], **where)
    services.enter(user=bob, **where)
    services.expel(user=alice, username="bob", reason="Because.", **where)
    assert fresh(tournament).size == Entrant.objects.count() == 0
    assert refused(bob, tournament.public_id) == "A director has removed you from this tournament."
    services.decline(user=bob, **where)
    assert refused(bob, tournament.public_id) == "A director has removed you from this tournament."
    invited = director_page(fresh(tournament), alice).invited
    assert [(player.name, player.answer, player.open) for player in invited] == [("bob", "removed", False)]
    assert list(selectors.my_invitations(bob)) == []
    services.invite(user=alice, usernames=["bob"], **where)
    services.enter(user=bob, **where)
    assert fresh(tournament).size == 1


def test_a_player_who_declined_may_still_enter_an_open_tournament(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "now": NOW}
    services.invite(user=alice, usernames=["bob"], **where)
    services.decline(user=bob, **where)
    services.enter(user=bob, **where)
    assert fresh(tournament).size == 1


def test_invited_players_enter_or_decline(alice: User, bob: User, charlie: User) -> None:
    emitted: list[events.InvitedToTournament] = []
    on(events.InvitedToTournament)(emitted.append)
    tournament = make_tournament(alice, entry="invited")
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "now": NOW}
    for _ in range(2):
        services.invite(user=alice, usernames=["bob", "charlie"], **where)
    assert [set(event.user_ids) for event in emitted] == [{bob.pk, charlie.pk}]
    assert list(selectors.my_invitations(bob)) == [tournament]
    services.enter(user=bob, **where)
    services.decline(user=charlie, tournament_id=tournament.public_id, now=NOW)
    assert list(selectors.my_invitations(bob)) == list(selectors.my_invitations(charlie)) == []
    assert Invitation.objects.count() == 2
    with pytest.raises(Unprocessable, match="There is no player 'nobody'"):
        services.invite(user=alice, usernames=["nobody"], **where)
    with pytest.raises(Forbidden):
        services.invite(user=bob, usernames=["alice"], **where)


def test_terms_change_only_while_they_bind_nobody(alice: User) -> None:
    tournament = make_tournament(alice)
    enter_players(tournament, 3)
    plain: dict[str, Any] = {"name": "Spring cup", "format": "round-robin", "game": MAIN, "min_players": 3}
    plain |= {"max_rating": 2500}
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=Announcement(**plain), now=NOW)
    assert fresh(tournament).max_rating == 2500
    wanted = Announcement(**(plain | {"max_players": 2, "min_players": 2}))
    with pytest.raises(Unprocessable, match="have already entered"):
        services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    wanted = Announcement(**(plain | {"game": LIVE}))
    with pytest.raises(Conflict, match="The game and its time"):
        services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)


def test_nobody_holds_more_than_ten_at_once(alice: User) -> None:
    for number in range(10):
        make_tournament(alice, name=f"Cup {number}")
    with pytest.raises(Conflict, match="at most 10"):
        make_tournament(alice)


def test_a_bye_is_asked_for_and_taken_back(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss", options={"half_byes": 1})
    key = tournament.public_id
    services.ask_bye(user=users[0], tournament_id=key, number=2)
    with pytest.raises(Conflict, match="at most 1"):
        services.ask_bye(user=users[0], tournament_id=key, number=3)
    services.ask_bye(user=users[1], tournament_id=key, number=2)
    services.ask_bye(user=users[1], tournament_id=key, number=2)
    with pytest.raises(Unprocessable, match="a round after round 1"):
        services.ask_bye(user=users[1], tournament_id=key, number=1)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    asked = Pairing.objects.filter(round__number=2, bye="asked").select_related("first__user")
    assert [row.first.user for row in asked] == [users[0]]


def test_in_a_round_robin_nobody_asks_for_a_bye(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    with pytest.raises(Conflict):
        services.ask_bye(user=users[0], tournament_id=tournament.public_id, number=2)


def test_a_player_who_leaves_the_club_leaves_its_tournaments(alice: User) -> None:
    waiting = make_tournament(alice, name="Later")
    tournament, users = make_running_tournament(alice, 4)
    services.enter(user=users[0], tournament_id=waiting.public_id, now=NOW)
    close_for_good(users[0], NOW)
    assert fresh(waiting).size == 0
    assert Entrant.objects.get(tournament=tournament, user=users[0]).left == 1
    assert users[0].pk not in {user.pk for row in open_rows(tournament) for user in opponents(row)}


# ------------------------------------------------------------------------------------ appointments


def by_appointment(alice: User) -> tuple[str, User, User, int]:
    """A live tournament whose players agree on times; the first pairing's two players and its table."""
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, appointment_days=5, no_show_minutes=10)
    row = Pairing.objects.filter(bye="").select_related("first__user", "second__user").order_by("table")[0]
    assert row.second is not None
    return tournament.public_id, row.first.user, row.second.user, row.table


def test_two_agree_on_a_time_and_the_game_begins_then(alice: User) -> None:
    key, one, other, table = by_appointment(alice)
    where: dict[str, Any] = {"tournament_id": key, "number": 1, "table": table, "now": NOW}
    services.propose_appointment(user=one, at=NOW + DAY, **where)
    services.answer_appointment(user=other, agreed=False, **where)
    services.propose_appointment(user=other, at=NOW + 2 * DAY, **where)
    services.answer_appointment(user=one, agreed=True, at=NOW + 2 * DAY, **where)
    emitted: list[events.AppointmentSoon] = []
    on(events.AppointmentSoon)(emitted.append)
    for moment in (NOW + DAY, NOW + 2 * DAY - timedelta(minutes=59), NOW + 2 * DAY - timedelta(minutes=58)):
        jobs.remind(moment)
    assert [set(event.player_ids) for event in emitted] == [{one.pk, other.pk}]
    jobs.advance_due(NOW + 2 * DAY - timedelta(seconds=1))
    assert PairingGame.objects.count() == 0
    jobs.advance_due(NOW + 2 * DAY)
    assert PairingGame.objects.count() == 1


def test_a_time_that_both_propose_is_agreed(alice: User) -> None:
    key, one, other, table = by_appointment(alice)
    where: dict[str, Any] = {"tournament_id": key, "number": 1, "table": table, "now": NOW}
    for user in (one, other):
        services.propose_appointment(user=user, at=NOW + DAY, **where)
    assert Pairing.objects.get(table=table).starts_at == NOW + DAY


def test_times_that_are_past_or_too_late_are_refused(alice: User) -> None:
    key, one, other, table = by_appointment(alice)
    where: dict[str, Any] = {"tournament_id": key, "number": 1, "table": table, "now": NOW}
    for at in (NOW, NOW - DAY, NOW + 6 * DAY):
        with pytest.raises(Unprocessable, match="at:"):
            services.propose_appointment(user=one, at=at, **where)
    with pytest.raises(NotFound):
        services.answer_appointment(user=other, agreed=True, **where)
    stranger = make_user("stranger")
    with pytest.raises(Forbidden):
        services.propose_appointment(user=stranger, at=NOW + DAY, **where)


def test_without_an_appointment_the_game_begins_at_the_end_of_the_round(alice: User) -> None:
    by_appointment(alice)
    jobs.advance_due(NOW + 5 * DAY - timedelta(seconds=1))
    assert PairingGame.objects.count() == 0
    jobs.advance_due(NOW + 5 * DAY + timedelta(seconds=1))
    assert PairingGame.objects.exclude(game_id=None).count() == 2


def test_a_player_who_proposed_no_time_loses_to_one_who_did(alice: User) -> None:
    key, one, _other, table = by_appointment(alice)
    services.propose_appointment(
        user=one, tournament_id=key, number=1, table=table, at=NOW + 2 * DAY, now=NOW
    )
    jobs.advance_due(NOW + 5 * DAY + timedelta(seconds=1))
    row = PairingGame.objects.get(game_id=None)
    pairing = Pairing.objects.select_related("first__user").get(table=table)
    mine = row.first_points if (pairing.first.user == one) != row.swapped else row.second_points
    assert (mine, row.how) == (2, "forfeit")


def test_ratings_are_those_of_the_start(alice: User) -> None:
    assert providers.rating(alice.pk, "american") == 1500
    tournament, _users = make_running_tournament(alice, 3)
    assert set(Entrant.objects.filter(tournament=tournament).values_list("rating", flat=True)) == {1500}


def test_a_time_is_suggested_only_so_often_a_day(alice: User) -> None:
    key, one, _other, table = by_appointment(alice)
    where: dict[str, Any] = {"user": one, "tournament_id": key, "number": 1, "table": table}
    for hours in range(appointments.MAX_PROPOSED):
        services.propose_appointment(**where, at=NOW + DAY + timedelta(hours=hours), now=NOW)
    with pytest.raises(AskedAlready):
        services.propose_appointment(**where, at=NOW + 2 * DAY, now=NOW)
    assert Appointment.objects.filter(status=Meeting.PROPOSED).count() == 1
    services.propose_appointment(**where, at=NOW + 3 * DAY, now=NOW + DAY)


def test_trophies_are_lines_of_what_can_be_seen(alice: User) -> None:
    with pytest.raises(Unprocessable, match="prizes"):
        make_tournament(alice, prizes=("Go\u202eld",))


@pytest.mark.parametrize("prize", ["Crownhead Moderator", "Club Staff", "Official Support"])
def test_only_the_staff_award_trophies_that_speak_for_them(alice: User, prize: str) -> None:
    with pytest.raises(Unprocessable, match=r"^prizes: This name could be taken for the staff's"):
        make_tournament(alice, prizes=("Gold", prize))
    tournament = make_tournament(alice, prizes=("Gold",))
    plain: dict[str, Any] = {"name": "Spring cup", "format": "round-robin", "game": MAIN, "min_players": 3}
    wanted = Announcement(**plain, prizes=("Gold", prize))
    with pytest.raises(Unprocessable, match=r"^prizes: "):
        services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    judge = make_user("judge", is_staff=True)
    for user in (judge, alice):  # who may keep what the staff have named
        services.edit(user=user, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    assert fresh(tournament).prizes == ["Gold", prize]
