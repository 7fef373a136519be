"""`crownhead check` finds what does not fit together, and repairs what follows from other records."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.background.checks import Finding
from crownhead.server.ops import checking
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game, Match
from crownhead.server.ratings.models import Change, PlayerRating
from tests.server.competitions.factories import make_running_tournament
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves

MOVES = ("11-15", "23-18", "8-11", "27-23")
pytestmark = pytest.mark.django_db


def check(*, repair: bool = False) -> list[Finding]:
    return list(checking.findings(repair=repair))


@pytest.fixture
def club(alice: User, bob: User) -> Game:
    """A running game, an offer, a rated game that is over, and a tournament; all is well."""
    over = play_moves(make_game(alice, bob, rated=True), *MOVES)
    resign(user=alice, game_id=over.public_id, now=NOW)
    make_offer(bob)
    make_running_tournament(alice, 4)
    return play_moves(make_game(alice, bob), *MOVES)


def test_a_club_in_which_all_is_well(club: Game) -> None:
    assert check() == []
    assert Change.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"moves": "11x15 1x2"}, "cannot be replayed"),
        ({"version": 7}, "its version is 7, but it has 4 moves"),
        ({"turn": "second"}, "it is the turn of first, not of second"),
    ],
)
def test_a_game_that_does_not_replay_to_its_row_is_found_and_left(
    club: Game, changes: dict[str, object], said: str
) -> None:
    Game.objects.filter(pk=club.pk).update(**changes)
    (found,) = check(repair=True)
    assert found.sentence.startswith(f"Game {club.public_id}: ")
    assert said in found.sentence
    assert not found.is_repaired


def test_moves_after_the_end_of_a_game_are_found(club: Game) -> None:
    rows = Game.objects.filter(pk=club.pk)
    kings = {"variant": "international", "draw_rules": "official", "start_fen": "B:WK50:BK1"}
    rows.update(**kings, moves=" ".join(["1-6 50-45 6-1 45-50"] * 4), version=16)
    (found,) = check()
    assert "the game is over" in found.sentence


def test_a_deadline_that_does_not_follow_from_the_clock_is_set_right(club: Game) -> None:
    right = fresh(club).deadline_at
    assert right is not None
    Game.objects.filter(pk=club.pk).update(deadline_at=right + timedelta(hours=1))
    (found,) = check()
    assert "its deadline is" in found.sentence
    assert not found.is_repaired
    (found,) = check(repair=True)
    assert found.is_repaired
    assert fresh(club).deadline_at == right
    assert check() == []


def test_a_rating_that_does_not_follow_from_the_games_is_set_right(club: Game, alice: User) -> None:
    right = PlayerRating.objects.get(user=alice).value
    PlayerRating.objects.filter(user=alice).update(value=2400)
    assert [str(found) for found in check(repair=True)] == [
        f"Rating of player {alice.pk} in american: it is not what the counted games made of it. Repaired."
    ]
    assert PlayerRating.objects.get(user=alice).value == right
    assert check() == []


def test_a_counted_game_that_gives_another_rating_is_found(club: Game, alice: User) -> None:
    Change.objects.filter(user=alice).update(value=1700.0)
    assert any("gives another rating" in found.sentence for found in check())


def test_a_rated_game_that_was_not_counted_is_found(club: Game) -> None:
    Change.objects.all().delete()
    assert any("counts for no rating" in found.sentence for found in check())


def test_a_tournament_that_lost_its_count_or_a_game_is_found(club: Game) -> None:
    Tournament.objects.update(size=9)
    row = PairingGame.objects.exclude(game_id=None).first()
    assert row is not None
    PairingGame.objects.filter(pk=row.pk).update(game_id="gone")
    said = [str(found) for found in check(repair=True)]
    assert [sentence.partition(": ")[2] for sentence in said] == [
        "it has 4 entrants, not 9. Repaired.",
        "game gone does not exist.",
    ]


def test_a_match_whose_score_does_not_follow_from_its_games_is_set_right(alice: User) -> None:
    Match.objects.create(kind="games", length=3, creator=alice, creator_score=3, created_at=NOW)
    (found,) = check(repair=True)
    assert found.is_repaired
    assert Match.objects.get().creator_score == 0
