"""Two teams meet board by board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crownhead.contest import BadField, BadRound, Game, ResultKind
from crownhead.contest.team_match import TeamMatch, pair_teams

HOME, GUESTS = ("h1", "h2", "h3"), ("g1", "g2", "g3")


def played(teams: TeamMatch, *results: tuple[int, int] | None) -> TeamMatch:
    """Half points of home and guests on each board; None where it goes on."""
    boards = []
    for board, result in zip(teams.boards, results, strict=True):
        pairing = board.pairing
        if pairing is not None and result is not None:
            planned = pairing.due()
            points = [result if game.first == board.home else result[::-1] for game in planned]
            games = tuple(
                Game(game.first, game.second, (p[0], p[1])) for game, p in zip(planned, points, strict=True)
            )
            board = replace(board, pairing=replace(pairing, games=games))
        boards.append(board)
    return TeamMatch(tuple(boards))


def test_boards_meet_in_order_and_colours_alternate() -> None:
    pairs = [board.pairing.players for board in pair_teams(HOME, GUESTS).boards if board.pairing]
    assert pairs == [("h1", "g1"), ("g2", "h2"), ("h3", "g3")]


def test_two_games_of_a_board_share_the_opening_and_swap_colours() -> None:
    board = pair_teams(HOME, GUESTS, games=2).boards[1]
    assert board.pairing is not None
    first, second = board.pairing.due()
    assert (first.first, second.first) == ("g2", "h2")
    assert first.ballot == second.ballot == 2


def test_the_points_of_all_boards_decide() -> None:
    teams = played(pair_teams(HOME, GUESTS), (2, 0), (1, 1), (0, 2))
    assert teams.points() == (3, 3)
    assert teams.result() == (1, 1)
    assert played(pair_teams(HOME, GUESTS), (2, 0), (1, 1), (1, 1)).result() == (2, 0)
    assert played(pair_teams(HOME, GUESTS), (0, 2), (1, 1), (1, 1)).result() == (0, 2)


def test_a_match_continues_until_every_board_is_over_but_may_be_decided_before() -> None:
    teams = played(pair_teams(HOME, GUESTS), (2, 0), (2, 0), None)
    assert teams.result() is None
    assert teams.decided()
    assert not played(pair_teams(HOME, GUESTS), (2, 0), None, None).decided()


def test_an_empty_board_is_lost_by_forfeit() -> None:
    teams = pair_teams(HOME, GUESTS[:2])
    assert teams.boards[2].pairing is None
    assert played(teams, (0, 2), (1, 1), None).points() == (3, 3)
    assert pair_teams(("h1",), ("g1", "g2"), games=2).points() == (0, 4)


def test_a_forfeited_game_counts_for_the_match() -> None:
    teams = pair_teams(("h1",), ("g1",))
    pairing = teams.boards[0].pairing
    assert pairing is not None
    forfeit = replace(pairing, games=(Game("h1", "g1", (0, 2), ResultKind.FORFEIT),))
    assert TeamMatch((replace(teams.boards[0], pairing=forfeit),)).result() == (0, 2)


def test_line_ups_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadField, match="expected each player of the guests once"):
        pair_teams(HOME, ("g1", "g1"))
    with pytest.raises(BadField, match="home team"):
        pair_teams((), GUESTS)
    with pytest.raises(BadRound, match="expected players of one team only"):
        pair_teams(HOME, ("g1", "h2"))
