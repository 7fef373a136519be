"""No live clock runs unattended because a director acted while a player was away."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import NOTICE
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Tournament
from crownhead.server.competitions.services import leaving
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.live import signs
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.staff.services import annul as annul_as_staff
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    advance,
    client_of,
    end,
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
    play_two_moves,
)
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def arrive(*users: User, at: datetime = NOW) -> None:
    """Let people ask the club for something now."""
    with clock.stopped(at):
        for user in users:
            signs.note_heard(user.pk)


def adjourn(row: PairingGame, until: datetime | None, *, now: datetime = NOW) -> None:
    tournament = row.pairing.round.tournament
    with clock.stopped(now):
        services.adjourn(
            user=tournament.host,
            tournament_id=tournament.public_id,
            number=1,
            table=row.pairing.table,
            until=until,
            reason="A break.",
            now=now,
        )


def annul(row: PairingGame, *, again: bool = True) -> None:
    tournament = row.pairing.round.tournament
    services.annul(
        user=tournament.host,
        tournament_id=tournament.public_id,
        game_id=row.game_id or "",
        again=again,
        reason="Once more.",
        now=NOW,
    )
    jobs.advance_due(NOW)


def live_games_of(user: User) -> int:
    theirs = Q(first_player=user) | Q(second_player=user)
    return Game.objects.filter(theirs, status="playing").count()


def make_live_game(host: User, **changes: Any) -> tuple[Tournament, PairingGame, tuple[User, User]]:
    """A live tournament, and the first game in it, of two moves each."""
    tournament, _users = make_running_tournament(host, 4, game=LIVE, **changes)
    row = open_rows(tournament)[0]
    return tournament, row, play_two_moves(row.game_id or "")


def test_a_live_game_is_adjourned_for_a_break_that_both_can_know_of(alice: User) -> None:
    _tournament, row, (first, second) = make_live_game(alice)
    for until in (NOW + HOUR, NOW + 9 * HOUR):
        arrive(first)
        with pytest.raises(Conflict, match="at least 20 hours from now"):
            adjourn(row, until)
    adjourn(row, NOW + NOTICE)
    arrive(first, second)
    with pytest.raises(Conflict, match="within an hour if both players are here"):
        adjourn(row, NOW + 9 * HOUR)
    adjourn(row, NOW + HOUR)


def test_an_adjourned_live_game_is_resumed_only_with_both_players_there(alice: User) -> None:
    _tournament, row, (first, second) = make_live_game(alice)
    adjourn(row, NOW + 30 * 24 * HOUR)
    at = NOW + 9 * HOUR
    arrive(first, second, at=NOW)
    arrive(first, at=at)
    with pytest.raises(Conflict, match="if both players are here"):
        adjourn(row, None, now=at)
    assert not Game.objects.filter(public_id=row.game_id, deadline_at__lt=NOW + 30 * 24 * HOUR).exists()
    arrive(second, at=at)
    adjourn(row, None, now=at)
    assert Game.objects.filter(public_id=row.game_id, deadline_at__lt=at + HOUR).exists()


def test_a_game_by_days_is_resumed_without_its_players(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    row = open_rows(tournament)[0]
    adjourn(row, NOW + HOUR)
    adjourn(row, None)


def test_a_live_game_is_played_again_at_once_only_with_both_players_there(alice: User) -> None:
    tournament, row, (first, second) = make_live_game(alice)
    play_out(open_rows(tournament)[1].game_id or "", winner=Seat.FIRST)
    arrive(first)
    with pytest.raises(Conflict, match="not both players are here"):
        annul(row)
    assert Game.objects.get(public_id=row.game_id).status == "playing"
    arrive(second)
    annul(row)
    again = PairingGame.objects.get(pairing=row.pairing, replaced=False)
    assert Game.objects.get(public_id=again.game_id).status == "playing"
    annul(again, again=False)
    assert not PairingGame.objects.filter(pairing=row.pairing, first_points=None, replaced=False).exists()


@pytest.mark.parametrize("is_here", [False, True])
def test_a_live_game_that_the_staff_annul_is_played_again(alice: User, is_here: bool) -> None:
    """Set aside, it would throw both out of a bracket."""
    tournament, row, both = make_live_game(alice)
    play_out(open_rows(tournament)[1].game_id or "", winner=Seat.FIRST)
    services.forfeit(
        user=alice,
        tournament_id=tournament.public_id,
        number=1,
        table=row.pairing.table,
        loser=both[0].username,
        reason="Gone.",
        now=NOW,
    )
    if is_here:
        arrive(*both)
    judge = make_user("judge", is_staff=True)
    annul_as_staff(staff=judge, game_id=row.game_id or "", reason="Wrong.", now=NOW)
    row.refresh_from_db()
    assert (row.replaced, row.how) == (True, "forfeit")


def test_a_live_pairing_that_was_adjourned_before_its_game_began_is_resumed_by_the_director(
    alice: User,
) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, pause_minutes=30)
    for row in open_rows(tournament):
        play_out(row.game_id or "", winner=Seat.FIRST)
    jobs.advance_due(NOW)
    waiting = Pairing.objects.filter(round__number=2).first()
    assert waiting is not None
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "number": 2}
    facts |= {"table": waiting.table, "reason": "A break.", "now": NOW}
    with clock.stopped(NOW):
        services.adjourn(until=NOW + NOTICE, **facts)
        with pytest.raises(Conflict, match="begin while a player is away"):
            services.adjourn(until=None, **facts)
        arrive(*(entrant.user for entrant in (waiting.first, waiting.second) if entrant))
        services.adjourn(until=None, **facts)
    waiting.refresh_from_db()
    assert not waiting.adjourned


def test_in_a_long_break_an_adjournment_is_taken_back_though_players_are_away(alice: User) -> None:
    """The round begins when everybody was told, and by then they know of it."""
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, pause_minutes=180)
    for row in open_rows(tournament):
        play_out(row.game_id or "", winner=Seat.FIRST)
    jobs.advance_due(NOW)
    facts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "number": 2, "table": 1}
    facts |= {"reason": "The wrong table."}
    services.adjourn(until=NOW + 5 * HOUR, now=NOW, **facts)
    with pytest.raises(Conflict, match="begin while a player is away"):
        services.adjourn(until=None, now=NOW + 2.5 * HOUR, **facts)
    services.adjourn(until=None, now=NOW + 2 * HOUR, **facts)
    assert not Pairing.objects.filter(round__number=2, adjourned=True).exists()


def test_a_live_game_that_is_played_again_is_resumed_only_with_both_players_there(alice: User) -> None:
    tournament, row, both = make_live_game(alice)
    adjourn(row, NOW + NOTICE)
    arrive(*both)
    with clock.stopped(NOW):
        annul(row)
    night = NOW + 9 * HOUR
    with pytest.raises(Conflict, match="begin while a player is away"):
        adjourn(row, None, now=night)
    advance(tournament, now=night)
    assert not PairingGame.objects.filter(pairing=row.pairing, replaced=False).exists()
    arrive(*both, at=night)
    adjourn(row, None, now=night)
    advance(tournament, now=night)
    assert PairingGame.objects.filter(pairing=row.pairing, replaced=False).exists()


def test_a_pairing_is_resumed_though_a_player_has_left_who_cannot_come(alice: User) -> None:
    tournament, row, both = make_live_game(alice)
    adjourn(row, NOW + NOTICE)
    arrive(*both)
    with clock.stopped(NOW):
        annul(row)
    services.withdraw(user=both[0], tournament_id=tournament.public_id, now=NOW + HOUR)
    adjourn(row, None, now=NOW + 9 * HOUR)
    advance(tournament, now=NOW + 9 * HOUR)
    assert PairingGame.objects.get(pairing=row.pairing, replaced=False).how == "forfeit"


@pytest.mark.parametrize("here", [True, False])
def test_who_releases_a_round_joins_in_if_all_its_players_were_there(alice: User, here: bool) -> None:
    tournament = make_tournament(
        alice, game=LIVE, format="swiss", max_players=8, late_rounds=2, held_rounds=True
    )
    users = enter_players(tournament, 4)
    arrive(*users)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    later = NOW + HOUR
    arrive(*users[: 4 if here else 3], at=later)
    with clock.stopped(later):
        services.release(user=alice, tournament_id=tournament.public_id, now=later)
    log = client_of(alice).get(f"/tournaments/{tournament.public_id}/log/").content.decode()
    assert "released: 1" in log
    assert "attended" not in log
    if here:
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    else:
        with pytest.raises(Forbidden, match="while players were away"):
            services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)


def test_a_substitute_takes_over_a_live_game_only_with_the_opponent_there(alice: User, bob: User) -> None:
    tournament, row, (first, second) = make_live_game(alice)
    invite_substitute(tournament, first, bob)
    with pytest.raises(Conflict, match="your opponent isn't here"):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert Game.objects.get(public_id=row.game_id).status == "playing"
    arrive(second)
    with clock.stopped(NOW):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
        assert Entrant.objects.filter(user=bob).exists()
        jobs.advance_due(NOW)
        assert live_games_of(second) == 1  # the one that is replayed is still open
        run_tasks(GENERAL)
        assert live_games_of(second) == 0
        jobs.advance_due(NOW)
    assert live_games_of(second) == 1
    pairing = Pairing.objects.get(pk=row.pairing_id)
    assert {bob, second} == set(opponents(PairingGame.objects.get(pairing=pairing, replaced=False)))


def test_nobody_has_two_live_games_though_the_one_a_substitute_leaves_is_not_played_again(
    alice: User, bob: User
) -> None:
    tournament, row, (first, second) = make_live_game(alice, options={"at_once": True})
    PairingGame.objects.filter(pk=row.pk).update(attempt=3)
    other = open_rows(tournament)[1]
    end(other.game_id or "", winner=None, by=alice)
    invite_substitute(tournament, first, bob)
    arrive(second)
    with clock.stopped(NOW):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
        jobs.advance_due(NOW)
        assert live_games_of(second) == 1
        run_tasks(GENERAL)
        assert live_games_of(second) == 0
        jobs.advance_due(NOW)
    assert live_games_of(second) == 1


def test_a_game_that_a_substitute_leaves_is_ended_though_its_worker_was_killed(
    alice: User, bob: User
) -> None:
    tournament, row, (first, second) = make_live_game(alice)
    PairingGame.objects.filter(pk=row.pk).update(attempt=3)
    invite_substitute(tournament, first, bob)
    arrive(second)
    with clock.stopped(NOW):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
        leaving.end_forgotten(NOW)
    assert Game.objects.get(public_id=row.game_id).status == "finished"


def test_the_last_game_that_a_substitute_leaves_is_ended_though_the_tournament_is_over(
    alice: User, bob: User
) -> None:
    tournament, _users = make_running_tournament(alice, 2, game=LIVE, min_players=2)
    row = open_rows(tournament)[0]
    first, second = play_two_moves(row.game_id or "")
    PairingGame.objects.filter(pk=row.pk).update(attempt=3)
    invite_substitute(tournament, first, bob)
    arrive(second)
    with clock.stopped(NOW):
        services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
        jobs.advance_due(NOW)
        assert fresh(tournament).status == "finished"
        assert Game.objects.get(public_id=row.game_id).status == "playing"
        leaving.end_forgotten(NOW + HOUR)
    game = Game.objects.get(public_id=row.game_id)
    assert (game.status, game.annulled) == ("finished", True)


@pytest.mark.parametrize("here", [True, False])
def test_who_starts_an_arena_joins_it_if_all_were_there(alice: User, here: bool) -> None:
    tournament = make_tournament(alice, game=LIVE, format="arena", minutes=60, max_players=100)
    users = enter_players(tournament, 4)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert "If you want to play too, enter before you start it." in page
    if here:
        arrive(*users)
    with clock.stopped(NOW):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
        if here:
            services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
        else:
            with pytest.raises(Forbidden, match="while players were away"):
                services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert fresh(tournament).size == 4 + here


@pytest.mark.parametrize("game", [LIVE, MAIN])
@pytest.mark.parametrize("here", [True, False])
def test_with_all_here_fewer_players_than_were_wanted_are_enough(
    alice: User, here: bool, game: GameOptions
) -> None:
    tournament = make_tournament(alice, game=game, format="swiss", min_players=6, max_players=8)
    users = enter_players(tournament, 4)
    if here:
        arrive(*users)
    fewer = Announcement(
        name="Spring cup", game=game, format="swiss", min_players=4, max_players=8, start="hand"
    )
    with clock.stopped(NOW):
        if not here:
            with pytest.raises(Conflict, match="Not here yet"):
                services.edit(user=alice, tournament_id=tournament.public_id, wanted=fewer, now=NOW)
            return
        services.edit(user=alice, tournament_id=tournament.public_id, wanted=fewer, now=NOW)
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert fresh(tournament).status == "running"


def test_nobody_starts_with_a_player_who_has_just_closed_their_account(alice: User) -> None:
    tournament = make_tournament(alice, format="swiss", min_players=3)
    users = enter_players(tournament, 3)
    User.objects.filter(pk=users[0].pk).update(closed_at=NOW)
    with pytest.raises(Conflict, match="has just closed their account"):
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
