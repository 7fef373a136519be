"""Notifications of live games in tournaments: no-shows, replays, substitutes, decisions of directors."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core import clock
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.draws.services import abort
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    advance,
    invite_substitute,
    make_running_tournament,
    open_rows,
    opponents,
    play_out,
)
from tests.server.notices.factories import HOUR, kinds, letters, make_online, subjects
from tests.server.play.factories import NOW, make_game
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

CUP: dict[str, Any] = {
    "format": "single-elimination",
    "options": {"games": 1},
    "game": LIVE,
    "min_players": 2,
}


def texts(user: User) -> list[str]:
    return [f"{notice.subject}. {notice.text}" for notice in notices_of(user)]


def expect_told_if_played_again(tournament: Tournament, row: PairingGame) -> None:
    first, second = opponents(row)
    services.annul(
        user=tournament.host,
        tournament_id=tournament.public_id,
        game_id=row.game_id or "",
        again=True,
        reason="A mouse slip.",
        now=NOW,
    )
    advance(tournament)
    assert f"Your game against {second.username} starts again" in subjects(first)
    assert f"Your game against {first.username} starts again" in subjects(second)


def test_a_no_show_is_an_ordinary_end_and_mailed_to_who_was_away_alone(alice: User) -> None:
    tournament, _ = make_running_tournament(alice, 2, **CUP, no_show_minutes=2)
    absent, present = opponents(open_rows(tournament)[0])
    assert "Make your first move within 2 minutes of your turn, or you lose the game." in texts(absent)[0]
    now = NOW + timedelta(minutes=3)
    with clock.stopped(now):
        assert jobs.forfeit_no_shows(now) == 1
    make_online(present, NOW + HOUR)
    (letter,) = letters(NOW + HOUR)
    assert letter.startswith(f"{absent.username}: [Crownhead] ")
    body = str(mail.outbox[-1].body)
    assert f"You lost to {present.username}" in body
    assert "has started" not in body.replace("tournament Spring cup has started", "")
    assert "Staff decisions" not in body
    assert kinds(absent)[0] == kinds(present)[0] == "ended"
    assert notices_of(absent)[0].text.endswith("You lost by forfeit. You did not come to the board in time.")
    came = f"You won by forfeit. {absent.username} did not come to the board in time."
    assert notices_of(present)[0].text.endswith(came)


def test_that_a_game_starts_is_not_mailed_once_it_is_over(alice: User, bob: User) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300, increment=3))
    abort(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice) == ["Your game against bob was aborted", "Your game against bob has started"]
    assert letters(NOW + HOUR) == [
        "alice: [Crownhead] Your game against bob was aborted",
        "bob: [Crownhead] Your game against alice was aborted",
    ]


def test_each_replay_of_a_drawn_knockout_is_told_to_both(alice: User) -> None:
    tournament, _ = make_running_tournament(alice, 2, **CUP)
    for replays in range(3):
        (row,) = open_rows(tournament)
        first, second = opponents(row)
        told = [subject for subject in subjects(first) if "play again" in subject]
        assert told == [f"You tied with {second.username} and play again"] * replays
        assert len([subject for subject in subjects(second) if "play again" in subject]) == replays
        assert not any("More of your games" in subject for subject in subjects(first))
        play_out(row.game_id or "", winner=None)
        advance(tournament)


def test_each_live_game_of_a_match_is_told_with_its_opponent(alice: User) -> None:
    tournament, _ = make_running_tournament(alice, 2, **CUP | {"options": {"games": 2}})
    (row,) = open_rows(tournament)
    play_out(row.game_id or "", winner=None)
    advance(tournament)
    first, second = opponents(open_rows(tournament)[0])
    assert subjects(first).count(f"Your game against {second.username} has started") == 2


def test_who_plays_on_against_a_substitute_is_told_so(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    rows = [row for row in open_rows(tournament) if users[0] in opponents(row)]
    others = [user for row in rows for user in opponents(row) if user != users[0]]
    invite_substitute(tournament, users[0], bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    run_tasks("default")
    advance(tournament)
    assert others
    for other in others:
        assert "A substitute, bob, plays on against you" in subjects(other)
        assert f"Your game against {users[0].username} was annulled" in subjects(other)
    replaced = [notice.text for notice in notices_of(users[0]) if "was annulled" in notice.subject]
    said = "The game does not count. From the director alice: They can't come."
    assert replaced == [f"American checkers (Spring cup): {said}"] * len(others)
    assert not any("drew" in text for user in users for text in texts(user))


def test_a_game_that_a_director_lets_be_played_again_starts_again(alice: User) -> None:
    tournament, _ = make_running_tournament(alice, 3)
    (row, *_) = open_rows(tournament)
    expect_told_if_played_again(tournament, row)


@pytest.mark.parametrize("which", [0, 1], ids=["the first", "the second"])
def test_one_of_two_games_that_is_played_again_is_told_so(alice: User, which: int) -> None:
    match = CUP | {"game": MAIN, "options": {"games": 2}}
    tournament, _ = make_running_tournament(alice, 2, **match)
    row = open_rows(tournament)[which]
    play_out(row.game_id or "", winner=Seat.FIRST)
    advance(tournament)
    expect_told_if_played_again(tournament, row)


@pytest.mark.parametrize("loser", ["both", "player-1"])
def test_a_game_that_a_director_forfeits_is_told_once(alice: User, loser: str) -> None:
    tournament, users = make_running_tournament(alice, 2, **CUP)
    before = [len(subjects(user)) for user in users]
    services.forfeit(
        user=alice,
        tournament_id=tournament.public_id,
        number=1,
        table=1,
        loser=loser,
        reason="Neither came.",
        now=NOW,
    )
    assert [len(subjects(user)) for user in users] == [count + 1 for count in before]
    lost = "You and player-2 both lost" if loser == "both" else "You lost to player-2"
    assert subjects(users[0])[0] == lost
    assert "does not count" not in texts(users[0])[0]
