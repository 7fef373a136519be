"""No game begins for a player who has left, was expelled, or whose account is closed or locked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing, locking
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Tournament
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.play.models import Game, Seat
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    Playthrough,
    end,
    fresh,
    make_running_tournament,
    open_rows,
    opponents,
    play_out,
)
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db
WHY = "Because it is so."


def withdraw(tournament: Tournament, user: User) -> None:
    services.withdraw(user=user, tournament_id=tournament.public_id, now=NOW)


def expel(tournament: Tournament, user: User) -> None:
    services.expel(
        user=tournament.host,
        tournament_id=tournament.public_id,
        username=user.username,
        reason=WHY,
        now=NOW,
    )


def close(_tournament: Tournament, user: User) -> None:
    closing.close(user=user, now=NOW)
    user.refresh_from_db()


def lock(_tournament: Tournament, user: User) -> None:
    locking.lock(user=user)


WAYS = [withdraw, expel, close, lock]
Way = Callable[[Tournament, User], None]


def pair(tournament: Tournament, *pairs: tuple[User, User]) -> None:
    """Pair the round on hold by hand."""
    services.pair_by_hand(
        user=tournament.host,
        tournament_id=tournament.public_id,
        pairs=[(first.username, second.username) for first, second in pairs],
        reason=WHY,
        now=NOW,
    )


def release(tournament: Tournament) -> None:
    services.release(user=tournament.host, tournament_id=tournament.public_id, now=NOW)
    for _ in range(2):
        jobs.advance_due(NOW)


@pytest.mark.parametrize("leave", WAYS)
def test_nobody_who_is_gone_is_paired_by_hand(alice: User, leave: Way) -> None:
    tournament, users = make_running_tournament(alice, 4, format="swiss", held_rounds=True)
    leave(tournament, users[0])
    with pytest.raises(Unprocessable, match=r"^pairs: [\w-]+ does not play in this round\.$"):
        pair(tournament, (users[0], users[1]), (users[2], users[3]))
    pair(tournament, (users[2], users[3]))
    release(tournament)
    assert not Game.objects.played_by(users[0]).exists()
    bye = Pairing.objects.select_related("first__user").exclude(bye="").get()
    assert (bye.first.user, bye.bye) == (users[1], "odd")


def test_nobody_who_asked_for_a_bye_is_paired_by_hand(alice: User) -> None:
    tournament, users = make_running_tournament(
        alice, 6, format="swiss", held_rounds=True, options={"half_byes": 1}
    )
    services.ask_bye(user=users[0], tournament_id=tournament.public_id, number=2)
    release(tournament)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2
    with pytest.raises(Unprocessable, match="player-1 does not play in this round"):
        pair(tournament, (users[0], users[1]))
    pair(tournament, (users[1], users[2]), (users[3], users[4]))
    byes = Pairing.objects.filter(round__number=2).exclude(bye="").select_related("first__user")
    assert {row.first.user: row.bye for row in byes} == {users[0]: "asked", users[5]: "odd"}


@pytest.mark.parametrize("leave", WAYS)
@pytest.mark.parametrize("withdrawal", ["forfeit", "play_on"])
@pytest.mark.parametrize("key", ["swiss", "round-robin", "single-elimination"])
def test_a_round_on_hold_begins_without_who_is_gone(
    alice: User, key: str, withdrawal: str, leave: Way
) -> None:
    tournament, users = make_running_tournament(alice, 4, format=key, held_rounds=True, withdrawal=withdrawal)
    leave(tournament, users[0])
    release(tournament)
    assert not Game.objects.played_by(users[0]).exists()
    assert Game.objects.count() == 1
    row = PairingGame.objects.get(how="forfeit")
    mine = row.pairing.first.user_id == users[0].pk
    assert (row.first_points, row.second_points) == ((0, 2) if mine != row.swapped else (2, 0))


def test_a_pairing_of_two_who_are_gone_is_lost_for_both(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, held_rounds=True, withdrawal="play_on")
    pairing = Pairing.objects.select_related("first__user", "second__user").get(round__number=1, table=1)
    assert pairing.second is not None
    for user in (pairing.first.user, pairing.second.user):
        withdraw(tournament, user)
    release(tournament)
    row = PairingGame.objects.get(pairing=pairing)
    assert (row.game_id, row.first_points, row.second_points) == (None, 0, 0)
    assert Game.objects.count() == len(users) // 2 - 1


def test_who_plays_on_finishes_only_games_that_have_begun(alice: User) -> None:
    tournament, _users = make_running_tournament(
        alice, 4, withdrawal="play_on", game=LIVE, options={"games": 2}
    )
    row = open_rows(tournament)[0]
    first, second = opponents(row)
    withdraw(tournament, first)
    play_out(row.game_id or "", winner=Seat.FIRST)
    jobs.advance_due(NOW)
    assert Game.objects.played_by(first).count() == 1
    other = PairingGame.objects.get(pairing=row.pairing, number=2)
    assert (other.game_id, other.how) == (None, "forfeit")
    assert Game.objects.played_by(second).filter(status="playing").count() == 0


@pytest.mark.parametrize("leave", [withdraw, expel, close, lock])
def test_no_game_is_played_again_with_who_is_gone(alice: User, leave: Way) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=MAIN)
    row = open_rows(tournament)[0]
    first = opponents(row)[0]
    play_out(row.game_id or "", winner=Seat.SECOND)
    leave(tournament, first)
    where: dict[str, Any] = {"tournament_id": tournament.public_id, "reason": WHY, "now": NOW}
    with pytest.raises(Conflict, match="this game can't be played again"):
        services.annul(user=alice, game_id=row.game_id or "", again=True, **where)
    services.annul(user=alice, game_id=row.game_id or "", again=False, **where)
    jobs.advance_due(NOW)
    assert not Game.objects.played_by(first).filter(status="playing").exists()
    row.refresh_from_db()
    assert row.how == "annulled"


def test_an_arena_does_not_pair_a_locked_account_on_and_on(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=20)
    lock(tournament, users[0])
    Playthrough(tournament).play()
    assert Game.objects.played_by(users[0]).count() == 1
    assert not Entrant.objects.get(user=users[0]).here
    assert PairingGame.objects.filter(game_id=None).count() == 1
