"""`crownhead check` finds what does not fit together, and repairs what follows from other records."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions.models import PairingGame, Tournament
from crownhead.server.core.background.checks import Finding
from crownhead.server.ladders.models import ChallengeGame, Ladder
from crownhead.server.ladders.models import Member as LadderMember
from crownhead.server.ladders.services import leave
from crownhead.server.ladders.services.idleness import drop_idle
from crownhead.server.ops import checking
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game, Match
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.teams.models import BoardGame, Team, TeamMatch
from crownhead.server.teams.services import line_up
from tests.server.competitions.factories import make_running_tournament
from tests.server.ladders.factories import make_finished_challenge, make_ladder, make_members
from tests.server.play.factories import NOW, fresh, make_game, make_offer, play_moves
from tests.server.teams.factories import let_play, make_accepted_match, make_team_of

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


@pytest.fixture
def ladder(club: Game) -> Ladder:
    """A ladder of four on which the last has beaten the first, and somebody has left."""
    made = make_ladder()
    people = make_members(5, made)
    make_finished_challenge(made, people[3], people[0], people[3])
    make_finished_challenge(made, people[2], people[1], None)
    leave(user=people[4], ladder_id=made.public_id, now=NOW)
    return made


def test_a_ladder_that_its_history_tells_otherwise_is_found(ladder: Ladder) -> None:
    assert check() == []
    Ladder.objects.filter(pk=ladder.pk).update(size=7)
    first, second = LadderMember.objects.filter(ladder=ladder).order_by("place")[:2]
    LadderMember.objects.filter(pk=first.pk).update(won=9)
    LadderMember.objects.filter(pk=second.pk).update(place=99)
    LadderMember.objects.filter(pk=first.pk).update(place=2)
    LadderMember.objects.filter(pk=second.pk).update(place=1)
    said = [str(found).partition(": ")[2] for found in check(repair=True)]
    assert sorted(said) == sorted(
        [
            "it has 4 members, not 7. Repaired.",
            f"member {first.user_id} is on 2, the history says 1.",
            f"member {second.user_id} is on 1, the history says 2.",
            f"member {first.user_id} has won, drawn and lost 9, 0 and 0 challenges, "
            "the history says 1, 0 and 0. Repaired.",
        ]
    )
    assert len(check()) == 2


def test_a_challenge_that_counts_its_game_otherwise_is_found(ladder: Ladder) -> None:
    ChallengeGame.objects.filter(points=2).update(points=0, opponent_points=2)
    (found,) = check(repair=True)
    assert "counts as (0, 2) half points, not (2, 0)." in found.sentence
    assert not found.is_repaired


def test_members_who_dropped_together_are_where_the_history_says(ladder: Ladder) -> None:
    Ladder.objects.filter(pk=ladder.pk).update(idle_days=5)
    rows = LadderMember.objects.filter(ladder=ladder)
    rows.filter(place__in=[1, 3]).update(active_at=NOW - timedelta(days=20))
    assert drop_idle(now=NOW) == 2
    assert check() == []


def test_a_team_and_a_match_that_lost_their_counts_are_set_right(club: Game) -> None:
    home, ours = make_team_of("dogs", 1)
    away, theirs = make_team_of("cats", 1)
    match = make_accepted_match(home, away, boards=1, games_each=1)
    for captain in (ours[0], theirs[0]):
        let_play(match, captain)
        line_up(user=captain, match_id=match.public_id, usernames=[captain.username], now=NOW)
    game = BoardGame.objects.get()
    play_moves(Game.objects.with_players().get(public_id=game.game_id), *MOVES)
    resign(user=ours[0], game_id=game.game_id, now=NOW)
    assert check() == []
    TeamMatch.objects.update(away_points=0)
    Team.objects.filter(pk=home.pk).update(size=3)
    said = [str(found).partition(": ")[2] for found in check(repair=True)]
    assert said == [
        "it has 1 members, not 3. Repaired.",
        "it stands (0, 0) half points, its games give (0, 2). Repaired.",
    ]
    assert check() == []
    BoardGame.objects.update(home_points=2, away_points=0)
    said = [str(found).partition(": ")[2] for found in check()]
    assert f"game {game.game_id} counts as (2, 0) half points, not (0, 2)." in said
