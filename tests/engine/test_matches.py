"""Matches: what pairs of games prove, against numbers that others have published."""

from __future__ import annotations

import pytest

from crownhead import Game, Move, Position
from crownhead.engine import Engine
from crownhead.engine.matches import (
    SPRT,
    EnginePlayer,
    Player,
    Tally,
    deck_of,
    elo_of,
    openings_of,
    play_game,
    play_match,
    score_of,
)
from crownhead.engine.tables.available import available


# Tests of the Stockfish project, as its pull requests 3209, 3098 and 3331 (2020, 2021) record them: the
# counts of pairs, the hypotheses and the log-likelihood ratio, to two places.
@pytest.mark.parametrize(
    ("pairs", "elo", "llr"),
    [
        ((253, 4282, 17604, 4431, 286), (-0.25, 1.25), 2.94),
        ((58, 3302, 33130, 3518, 84), (0.25, 1.25), 2.97),
        ((491, 7345, 29693, 7670, 465), (-0.25, 1.25), 2.96),
        ((115, 2196, 11328, 2317, 136), (-0.25, 1.25), 2.94),
    ],
)
def test_the_likelihood_ratio_is_that_of_published_tests(
    pairs: tuple[int, int, int, int, int], elo: tuple[float, float], llr: float
) -> None:
    assert Tally(pairs).log_likelihood_ratio(*elo) == pytest.approx(llr, abs=0.006)
    assert Tally(pairs[::-1]).log_likelihood_ratio(*elo) < 0


def test_the_error_bar_is_that_of_a_published_match() -> None:
    # 300 games of Stockfish 19's small net, by fastchess: Elo 72.85 ± 22.33.
    difference, width = Tally((1, 10, 78, 48, 13)).elo()
    assert difference == pytest.approx(72.85, abs=0.01)
    assert width == pytest.approx(22.33, abs=0.01)


def test_the_bounds_of_a_test_are_those_of_wald() -> None:
    low, high = SPRT(0, 10).bounds
    assert (low, high) == pytest.approx((-2.944, 2.944), abs=0.001)
    low, high = SPRT(0, 10, alpha=0.05, beta=0.1).bounds
    assert (low, high) == pytest.approx((-2.251, 2.890), abs=0.001)


def test_a_test_says_yes_no_or_nothing_yet() -> None:
    test = SPRT(0, 20)
    assert test.verdict(Tally()) is None
    assert test.verdict(Tally((1, 10, 78, 48, 13))) is True
    assert test.verdict(Tally((13, 48, 78, 10, 1))) is False
    assert test.verdict(Tally((0, 1, 3, 1, 0))) is None


def test_a_tally_counts_games_and_pairs() -> None:
    tally = Tally().with_pair(1, 0.5).with_pair(0, 0).with_pair(0.5, 0.5).with_pair(1, 1)
    assert tally.pairs == (1, 0, 1, 1, 1)
    assert (tally.wins, tally.draws, tally.losses, tally.games) == (3, 3, 2, 8)
    assert tally.score == pytest.approx(4.5 / 8)
    assert str(tally).startswith("+3 =3 -2 (56.2%), Elo +44 ±")


def test_elo_and_score_are_two_ways_to_say_the_same() -> None:
    assert score_of(0) == 0.5
    assert elo_of(score_of(100)) == pytest.approx(100)
    assert elo_of(1) == pytest.approx(-elo_of(0))
    assert elo_of(1) < 1300


def test_a_deck_serves_those_it_was_made_for() -> None:
    assert deck_of("american") is not None
    assert deck_of("russian") is not None
    assert deck_of("anti") is None
    assert deck_of("international") is None


@pytest.mark.parametrize("variant", ["american", "international", "hawaiian"])
def test_openings_differ_and_come_again_with_the_same_seed(variant: str) -> None:
    openings = openings_of(variant, 12, seed=3)
    assert len(set(openings)) == 12
    assert openings == openings_of(variant, 12, seed=3)
    assert openings != openings_of(variant, 12, seed=4)


def test_a_game_is_seen_from_the_side_that_begins() -> None:
    def player() -> Player:
        return EnginePlayer(Engine("american", megabytes=1, weights=b""), nodes=2000)

    won = Position.from_fen("W:WK15,K23,K24:B1")
    assert play_game(won, player(), player()) == 1
    assert play_game(Position.from_fen("B:WK15,K23,K24:B1"), player(), player()) == 0


def test_tables_as_the_referee_end_a_game_that_they_know() -> None:
    class Absent:
        """Would have to be asked for a move."""

        def begin(self) -> None:
            pass

        def move(self, game: Game) -> Move:
            raise AssertionError(f"expected a game that is over, got {game.position.fen()}")

    tables = available("american")
    for fen, points in {"W:WK15,K23:B1": 1, "B:WK15,K23:B1": 0, "W:WK15:BK1": 0.5}.items():
        assert play_game(Position.from_fen(fen), Absent(), Absent(), referee=tables) == points
    won = [Position.from_fen("W:WK15,K23:B1")]
    assert [*play_match(won, lambda: (Absent(), Absent()), referee=tables)][-1].pairs == (0, 0, 1, 0, 0)
    with pytest.raises(AssertionError, match="expected a game that is over, got W:W21,22"):
        play_game(Position.from_fen("W:W21-32:B1-12"), Absent(), Absent(), referee=tables)


def test_equal_players_share_each_pair_and_the_deeper_one_wins() -> None:
    def players(nodes: int) -> tuple[Player, Player]:
        first = EnginePlayer(Engine("russian", megabytes=1), nodes=nodes)
        return first, EnginePlayer(Engine("russian", megabytes=1), nodes=300)

    openings = openings_of("russian", 6)
    equal = list(play_match(openings, lambda: players(300)))
    assert [tally.games for tally in equal] == [2, 4, 6, 8, 10, 12]
    assert equal[-1].pairs == (0, 0, 6, 0, 0)
    deeper = list(play_match(openings, lambda: players(10_000), threads=2))
    assert deeper[-1].score > 0.6
