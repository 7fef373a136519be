"""Every format goes through the server to its end, whatever its players do on the way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.contest.formats import FORMATS
from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import (
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Tournament,
    Trophy,
)
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game
from tests.lengths import short_and_full
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    Playthrough,
    check_invariants,
    fresh,
    make_running_tournament,
    opponents,
)

pytestmark = pytest.mark.django_db
WITH_PAIRS = [
    key
    for key, made in FORMATS.items()
    if not made.live and any((option.key, option.most) == ("games", 2) for option in made.options)
]
# Each way with every second format; by night both with all.
WITHDRAWALS = [
    pytest.param(key, way, marks=pytest.mark.nightly if (number + place) % 2 else ())
    for number, key in enumerate(FORMATS)
    for place, way in enumerate(("forfeit", "play_on"))
]
PRO = MAIN.__class__(variant="pro", colour="first", clock=MAIN.clock)


def terms(key: str) -> dict[str, Any]:
    """What a format needs besides players."""
    made = FORMATS[key]
    return {"format": key} | ({"game": LIVE} if made.live else {}) | ({"minutes": 30} if made.timed else {})


def check_end(tournament: Tournament) -> None:
    """A finished tournament has places, winners, trophies and no open game."""
    assert fresh(tournament).status == "finished"
    assert fresh(tournament).due_at is None
    check_invariants(tournament)
    assert not Game.objects.filter(status="playing").exists()
    places = list(Entrant.objects.filter(tournament=tournament).values_list("place", flat=True))
    assert 1 in places
    assert None not in places
    still_in = Entrant.objects.filter(tournament=tournament, place=1, left=None)
    won = Trophy.objects.filter(tournament=tournament, place=1)
    assert set(won.values_list("user_id", flat=True)) == set(still_in.values_list("user_id", flat=True))
    numbers = list(Round.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("key", FORMATS)
def test_eight_players_play_to_the_end(alice: User, key: str) -> None:
    tournament, _users = make_running_tournament(alice, 8, prizes=("Gold", "Silver"), **terms(key))
    assert tournament.status == "running"
    assert tournament.rounds_made >= 1
    Playthrough(tournament).play()
    check_end(tournament)


@pytest.mark.parametrize(("key", "withdrawal"), WITHDRAWALS)
def test_players_withdraw_on_the_way(alice: User, key: str, withdrawal: str) -> None:
    tournament, _users = make_running_tournament(
        alice, 8, prizes=("Gold",), withdrawal=withdrawal, **terms(key)
    )

    def mishap(playthrough: Playthrough, row: PairingGame) -> bool:
        if playthrough.ended not in {2, 5, 9}:
            return False
        services.withdraw(
            user=opponents(row)[playthrough.ended % 2],
            tournament_id=tournament.public_id,
            now=playthrough.now,
        )
        return True

    Playthrough(tournament, mishap=mishap).play()
    check_end(tournament)
    assert Entrant.objects.filter(tournament=tournament).exclude(left=None).count() >= 2


@pytest.mark.parametrize("key", FORMATS)
def test_time_runs_out_on_the_way(alice: User, key: str) -> None:
    tournament, _users = make_running_tournament(alice, 6, prizes=("Gold",), **terms(key))

    def mishap(playthrough: Playthrough, row: PairingGame) -> bool:
        if playthrough.ended % 4 != 1:
            return False
        playthrough.now += timedelta(minutes=6) if FORMATS[key].live else timedelta(hours=49)
        end_overdue_games(now=playthrough.now)
        return True

    Playthrough(tournament, mishap=mishap).play()
    check_end(tournament)
    assert Game.objects.filter(termination="time").exists()


@pytest.mark.parametrize("key", [key for key in FORMATS if not FORMATS[key].live])
def test_nobody_comes_to_a_live_tournament(alice: User, key: str) -> None:
    """The player to move first forfeits; the tournament ends all the same."""
    tournament, _users = make_running_tournament(
        alice, 5, format=key, game=LIVE, no_show_minutes=3, pause_minutes=2, prizes=("Gold",)
    )

    def mishap(playthrough: Playthrough, _row: PairingGame) -> bool:
        playthrough.work()
        return True

    Playthrough(tournament, mishap=mishap, step=timedelta(minutes=10)).play()
    assert fresh(tournament).status == "finished"
    assert set(Game.objects.values_list("termination", flat=True)) == {"forfeit"}


@pytest.mark.parametrize("key", WITH_PAIRS)
def test_in_pro_both_games_of_a_pair_have_the_same_ballot_with_sides_swapped(alice: User, key: str) -> None:
    options: dict[str, Any] = {"games": 2}
    tournament, _users = make_running_tournament(alice, 4, format=key, game=PRO, options=options)
    Playthrough(tournament).play()
    pairs = 0
    for row in Pairing.objects.filter(bye=""):
        keys = [key or "" for key in row.games.order_by("number").values_list("game_id", flat=True)[:2]]
        games = {game.public_id: game for game in Game.objects.filter(public_id__in=keys)}
        if len(games) < 2:
            continue
        one, other = games[keys[0]], games[keys[1]]
        assert one.opening == other.opening
        assert one.opening is not None
        assert (one.first_player, one.second_player) == (other.second_player, other.first_player)
        pairs += 1
    assert pairs >= 3


@pytest.mark.parametrize(
    ("key", "players"),
    [
        ("swiss", 9),
        ("single-elimination", 9),
        ("round-robin", 7),
        pytest.param("double-elimination", 9, marks=pytest.mark.slow),
        pytest.param("sections", 11, marks=pytest.mark.slow),
        pytest.param("arena", 9, marks=pytest.mark.slow),
        *(pytest.param(key, 33, marks=pytest.mark.nightly) for key in FORMATS),
    ],
)
def test_an_odd_number_of_players(alice: User, key: str, players: int) -> None:
    options: dict[str, Any] = {"section_size": 5, "games": 1} if key == "sections" else {}
    tournament, _users = make_running_tournament(
        alice, players, prizes=("Gold",), options=options, **terms(key)
    )
    Playthrough(tournament).play()
    check_end(tournament)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "pause"), short_and_full((9, 180), (200, 10)))
@pytest.mark.parametrize("key", [key for key, made in FORMATS.items() if made.most > 200])
def test_many_players_of_whom_some_withdraw(alice: User, key: str, players: int, pause: int) -> None:
    options: dict[str, Any] = {"section_size": 5, "games": 1} if key == "sections" else {}
    wanted = terms(key) | ({"minutes": 10} if FORMATS[key].timed else {})
    tournament, _users = make_running_tournament(alice, players, prizes=("Gold",), options=options, **wanted)

    def mishap(playthrough: Playthrough, row: PairingGame) -> bool:
        if playthrough.ended % 15 != 7:
            return False
        services.withdraw(user=opponents(row)[0], tournament_id=tournament.public_id, now=playthrough.now)
        return True

    Playthrough(tournament, mishap=mishap, step=timedelta(seconds=pause)).play()
    check_end(tournament)
