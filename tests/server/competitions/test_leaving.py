"""Players who leave a tournament with games open: the worker ends them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import DirectorAction, Entrant, PairingGame, Tournament
from crownhead.server.competitions.services import leaving
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game
from crownhead.server.ratings.selectors import points_of
from tests.server.competitions.factories import (
    MAIN,
    invite_substitute,
    make_running_tournament,
    open_rows,
    play_two_moves,
    state,
)
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

WHY = "Enough of this."
AT_ONCE: dict[str, Any] = {"options": {"at_once": True}}
HOUR = timedelta(hours=1)


@pytest.fixture
def tournament(alice: User) -> Tournament:
    """A round robin of six, all its games begun."""
    made, _users = make_running_tournament(alice, 6, **AT_ONCE)
    return made


@pytest.fixture
def player(tournament: Tournament) -> User:
    return Entrant.objects.filter(tournament=tournament).order_by("pk")[0].user


def games_of(player: User) -> list[Game]:
    return list(Game.objects.played_by(player).order_by("pk"))


def ends_of(player: User) -> list[str]:
    """How the player's games ended, those in progress apart."""
    return [game.termination for game in games_of(player) if game.status == "finished"]


def withdraw(player: User, tournament: Tournament) -> None:
    services.withdraw(user=player, tournament_id=tournament.public_id, now=NOW)


def test_games_of_a_player_who_withdraws_are_resigned_by_a_worker(
    tournament: Tournament, player: User
) -> None:
    assert len(games_of(player)) == 5
    withdraw(player, tournament)
    assert ends_of(player) == []
    assert Entrant.objects.get(tournament=tournament, user=player).left is not None
    assert run_tasks(GENERAL)
    assert ends_of(player) == ["resignation"] * 5
    assert all((game.winner == "second") == (game.first_player == player) for game in games_of(player))
    assert len(open_rows(tournament)) == 10
    withdraw(player, tournament)
    assert not run_tasks(GENERAL)


def test_nobody_loses_on_time_to_a_player_who_has_withdrawn(tournament: Tournament, player: User) -> None:
    soon = NOW + HOUR
    Game.objects.played_by(player).update(deadline_at=soon)
    withdraw(player, tournament)
    end_overdue_games(now=soon)
    assert ends_of(player) == []
    assert run_tasks(GENERAL)
    assert ends_of(player) == ["resignation"] * 5


def test_games_of_an_expelled_player_are_forfeited_by_a_worker(
    alice: User, tournament: Tournament, player: User
) -> None:
    services.expel(
        user=alice, tournament_id=tournament.public_id, username=player.username, reason=WHY, now=NOW
    )
    assert ends_of(player) == []
    assert Entrant.objects.get(tournament=tournament, user=player).expelled
    assert run_tasks(GENERAL)
    assert ends_of(player) == ["forfeit"] * 5
    assert {game.adjudication_reason for game in games_of(player)} == {WHY}
    lost = [game for _, pairing in state(tournament).pairings() for game in pairing.games if game.over]
    assert {sum(game.points or ()) for game in lost} == {2}


def test_games_that_a_substitute_takes_over_are_called_off_by_a_worker_and_played_again(
    bob: User, tournament: Tournament, player: User
) -> None:
    invite_substitute(tournament, player, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    assert ends_of(player) == []
    assert PairingGame.objects.filter(replaced=True).count() == 5
    assert run_tasks(GENERAL)
    assert len(ends_of(player)) == 5
    assert all(game.annulled for game in games_of(player))
    jobs.advance_due(NOW)
    assert [game.status for game in games_of(bob)] == ["playing"] * 5


def test_the_games_and_the_place_of_a_closed_account_are_given_up_by_a_worker(
    tournament: Tournament, player: User
) -> None:
    closing.close(user=player, now=NOW)
    assert ends_of(player) == []
    assert run_tasks(GENERAL)
    assert Entrant.objects.get(tournament=tournament, user=player).left is not None
    assert ends_of(player) == ["resignation"] * 5


def test_a_game_that_cannot_be_ended_holds_up_no_other(
    tournament: Tournament, player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = games_of(player)[3].public_id
    end = leaving.Ending.end

    def refuse(self: leaving.Ending, game_id: str, now: Any) -> None:
        if game_id == stubborn:
            raise RuntimeError("this one cannot be ended")
        end(self, game_id, now)

    withdraw(player, tournament)
    monkeypatch.setattr(leaving.Ending, "end", refuse)
    assert run_tasks(GENERAL)
    assert ends_of(player) == ["resignation"] * 4


def test_games_that_a_worker_has_forgotten_are_ended_some_minutes_later(
    tournament: Tournament, player: User
) -> None:
    withdraw(player, tournament)  # the worker dies with its task
    jobs.end_games_of_who_left(NOW)
    assert ends_of(player) == ["resignation"] * 5
    assert Game.objects.filter(status="playing").count() == 10


def test_what_a_worker_has_forgotten_of_an_expelled_player_is_forfeited_and_not_rated(
    alice: User,
) -> None:
    alice.is_staff = True  # for a rated tournament
    alice.save()
    rated = replace(MAIN, rated=True)
    tournament, (player, *_others) = make_running_tournament(alice, 6, game=rated, **AT_ONCE)
    for game in games_of(player):
        play_two_moves(game.public_id)
    services.expel(
        user=alice, tournament_id=tournament.public_id, username=player.username, reason=WHY, now=NOW
    )
    jobs.end_games_of_who_left(NOW)  # the worker dies with its task
    assert ends_of(player) == ["forfeit"] * 5
    assert {game.adjudication_reason for game in games_of(player)} == {WHY}
    assert points_of(player.pk, "american") == 1500


@pytest.mark.parametrize("change", ["rename", "close"])
def test_games_of_an_expelled_player_with_another_name_since_are_forfeited_for_the_reason_in_the_log(
    alice: User, tournament: Tournament, player: User, change: str
) -> None:
    expelled: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    services.expel(username=player.username, reason=WHY, **expelled)
    other = Entrant.objects.filter(tournament=tournament).latest("pk").user
    services.expel(username=other.username, reason="Something else.", **expelled)
    if change == "rename":
        closing.rename(user=player, name="Somebody", now=NOW)
    else:
        closing.close(user=player, now=NOW)
    jobs.end_games_of_who_left(NOW)
    assert {game.adjudication_reason for game in games_of(player)} == {WHY}


def test_an_older_entry_of_the_log_finds_an_expelled_player_by_name(
    alice: User, tournament: Tournament, player: User
) -> None:
    services.expel(
        user=alice, tournament_id=tournament.public_id, username=player.username, reason=WHY, now=NOW
    )
    DirectorAction.objects.update(people=None)
    jobs.end_games_of_who_left(NOW)
    assert {game.adjudication_reason for game in games_of(player)} == {WHY}


def test_games_of_an_expelled_player_whom_the_log_does_not_name_are_forfeited_too(
    tournament: Tournament, player: User
) -> None:
    Entrant.objects.filter(tournament=tournament, user=player).update(left=1, expelled=True)
    jobs.end_games_of_who_left(NOW)
    assert ends_of(player) == ["forfeit"] * 5
    assert {game.adjudication_reason for game in games_of(player)} == {"A director has expelled this player."}


def test_games_of_players_who_play_on_are_not_ended(
    alice: User, tournament: Tournament, player: User
) -> None:
    Tournament.objects.update(withdrawal="play")
    withdraw(player, tournament)
    jobs.end_games_of_who_left(NOW)
    assert Game.objects.filter(status="playing").count() == 15


def test_of_two_who_have_left_only_the_expelled_one_loses_what_is_open(
    alice: User, tournament: Tournament, player: User
) -> None:
    Tournament.objects.update(withdrawal="play")
    withdraw(player, tournament)
    expelled = Entrant.objects.filter(tournament=tournament).order_by("pk")[1].user
    between = Game.objects.filter(pk__in=[game.pk for game in games_of(player)]).played_by(expelled)
    assert between.update(deadline_at=NOW + timedelta(days=90)) == 1  # one for the worker
    services.expel(
        user=alice, tournament_id=tournament.public_id, username=expelled.username, reason=WHY, now=NOW
    )
    jobs.end_games_of_who_left(NOW)  # before the worker comes
    ended = [game for game in games_of(expelled) if game.status == "finished"]
    assert len(ended) == 5
    assert all((game.winner == "second") == (game.first_player == expelled) for game in ended)


def test_games_that_a_substitute_plays_again_are_ended_though_a_worker_has_forgotten_them(
    bob: User, tournament: Tournament, player: User
) -> None:
    invite_substitute(tournament, player, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    jobs.end_games_of_who_left(NOW)
    assert all(game.annulled for game in games_of(player))
    jobs.advance_due(NOW)
    jobs.end_games_of_who_left(NOW)
    assert [game.status for game in games_of(bob)] == ["playing"] * 5


def test_those_who_have_left_are_asked_about_by_a_few_queries(
    tournament: Tournament, player: User, django_assert_max_num_queries: Any
) -> None:
    withdraw(player, tournament)
    jobs.end_games_of_who_left(NOW)
    Entrant.objects.filter(tournament=tournament, user=player).update(expelled=True)
    for number in range(20):
        user = make_user(f"gone-{number}")
        Entrant.objects.create(tournament=tournament, user=user, left=0, entered_at=NOW)
    with django_assert_max_num_queries(4):
        jobs.end_games_of_who_left(NOW)


def test_however_many_have_left_what_is_open_of_them_is_found(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "AT_ONCE", 2)
    Entrant.objects.filter(tournament=tournament).update(left=1)
    jobs.end_games_of_who_left(NOW)
    assert not Game.objects.filter(status="playing").exists()
