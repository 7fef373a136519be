"""The games of a team match: started with both line-ups, counted as they end, replayed if annulled.

The line-ups hold once both are there: a captain who has seen both takes away no board that would be lost. Two
players of whom one has blocked the other do not meet, and no game starts, or starts again, for somebody who
has left the team, or the club. Their board stays without a game: the side whose player has left loses it. It
counts for neither where both have, or where one has blocked the other.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Set
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.urls import reverse

from crownhead.contest import Game, ResultKind, team_match
from crownhead.rules import variant_of
from crownhead.server.accounts import selectors as accounts
from crownhead.server.core.events import emit
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.selectors.replay import draw_ballot
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.teams.access.matches import about_match, lock_match_and_teams
from crownhead.server.teams.events import TeamMatchFinished, TeamMatchStarted
from crownhead.server.teams.models import Board, BoardGame, LineUp, MatchStatus, Member, Side, TeamMatch
from crownhead.server.teams.selectors.terms import is_live, options_of

KIND = "team"  # of ``play``'s contests
MAX_AT_ONCE = 2  # games started in one transaction: each takes 10 ms and more
MAX_ATTEMPTS = 3  # per game: one without a result is replayed, but not for ever


def begin(match: TeamMatch, *, now: datetime, dice: random.Random) -> None:
    """Start a locked match that has both line-ups, with its first games; the worker starts the others."""
    home, away = _players(match)
    match.status, match.started_at = MatchStatus.PLAYING, now
    match.save(update_fields=["status", "started_at"])
    apart = accounts.blocks_among([*home, *away])
    pairs = list(enumerate(zip(home, away, strict=True), start=1))
    unplayed = [number for number, pair in pairs if set(pair) in apart]
    Board.objects.bulk_create(
        Board(match=match, number=number, home_player_id=pair[0], away_player_id=pair[1])
        for number, pair in pairs
        if number in unplayed
    )
    _begin_boards(match, now=now, dice=dice)
    emit(about_match(TeamMatchStarted, match, player_ids=(*home, *away), unplayed=tuple(unplayed)))
    _settle(match, now)


def begin_more(*, match_id: str, now: datetime, dice: random.Random) -> bool:
    """Start the next games of a match in progress; whether there are more."""
    with transaction.atomic():
        match = lock_match_and_teams(match_id)
        if match.status == MatchStatus.PLAYING and has_more(match_id=match_id):
            _begin_boards(match, now=now, dice=dice)
            _settle(match, now)
    return has_more(match_id=match_id)


def has_more(*, match_id: str) -> bool:
    """Whether boards of a match in progress have not begun: these have no row yet."""
    match = TeamMatch.objects.get(public_id=match_id)
    return match.status == MatchStatus.PLAYING and not _all_begun(match)


def _all_begun(match: TeamMatch) -> bool:
    return Board.objects.filter(match=match).count() >= match.boards


def _players(match: TeamMatch) -> tuple[list[int], list[int]]:
    sides = dict(LineUp.objects.filter(match=match).values_list("side", "players"))
    return sides[Side.HOME], sides[Side.AWAY]


def _begin_boards(match: TeamMatch, *, now: datetime, dice: random.Random) -> None:
    """Start the games of the next boards, as many games as may be at once, paired by ``contest``."""
    home, away = _players(match)
    made = team_match.pair_teams(list(map(str, home)), list(map(str, away)), games=match.games_each)
    begun = set(Board.objects.filter(match=match).values_list("number", flat=True))
    due = [board for board in made.boards if board.number not in begun]
    due = due[: max(1, MAX_AT_ONCE // match.games_each)]
    playing = [key for board in due for key in (home[board.number - 1], away[board.number - 1])]
    apart, here = accounts.blocks_among(playing), _members(match, playing)
    for board in due:
        assert board.pairing is not None
        ballot = draw_ballot(variant_of(match.variant), dice)
        pair = home[board.number - 1], away[board.number - 1]
        row = Board.objects.create(
            match=match,
            number=board.number,
            home_player_id=pair[0],
            away_player_id=pair[1],
            opening=None if ballot is None else ballot.number,
            lost_by="" if set(pair) in apart else _lost_by(match, pair, here),
        )
        if set(pair) in apart or not here.issuperset(_with_teams(match, pair)):
            continue
        for planned in board.pairing.due():
            game = BoardGame(
                board=row, number=planned.number, attempt=1, home_is_first=planned.first == board.home
            )
            _start(match, game, now=now, dice=dice)


def count(*, game_id: str, half_points: tuple[int, int] | None, now: datetime) -> None:
    """Count a finished game of a match; one without a result is replayed."""
    board_game = BoardGame.objects.select_related("board__match").filter(game_id=game_id).first()
    if board_game is None:
        return
    match = _locked(board_game, replays=half_points is None)
    if board_game.home_points is not None or board_game.annulled:
        return
    if half_points is None:
        _replay(match, board_game, now)
    else:
        ours, theirs = half_points if board_game.home_is_first else half_points[::-1]
        board_game.home_points, board_game.away_points = ours, theirs
        board_game.save(update_fields=["home_points", "away_points"])
    _settle(match, now)


def annul(*, game_id: str, now: datetime) -> None:
    """Annul a finished game: it is replayed while its match goes on."""
    board_game = BoardGame.objects.select_related("board__match").filter(game_id=game_id).first()
    if board_game is None or board_game.annulled:
        return
    match = _locked(board_game, replays=True)
    if match.status != MatchStatus.PLAYING:
        return
    _replay(match, board_game, now)
    _settle(match, now)


def _locked(game: BoardGame, *, replays: bool) -> TeamMatch:
    """The match of a game, locked; with its teams if a game starts, so that nobody leaves them meanwhile."""
    match = game.board.match
    if replays:
        return lock_match_and_teams(match.public_id)
    return TeamMatch.objects.select_for_update().get(pk=match.pk)


def _replay(match: TeamMatch, game: BoardGame, now: datetime) -> None:
    game.annulled, game.home_points, game.away_points = True, None, None
    game.save(update_fields=["annulled", "home_points", "away_points"])
    if game.attempt < MAX_ATTEMPTS and _may_replay(match, game.board):
        again = BoardGame(
            board=game.board,
            number=game.number,
            attempt=game.attempt + 1,
            home_is_first=game.home_is_first,
        )
        _start(match, again, now=now, dice=secrets.SystemRandom())


def _may_replay(match: TeamMatch, board: Board) -> bool:
    """Whether a game may start on the board by itself: of two who still play for their teams.

    Without a live clock, which would run unattended.
    """
    pair = board.home_player_id, board.away_player_id
    are_here = _members(match, pair).issuperset(_with_teams(match, pair))
    return are_here and not is_live(match.terms) and not accounts.blocks_among(pair)


def _lost_by(match: TeamMatch, pair: tuple[int, int], here: Set[tuple[int, int]]) -> str:
    """The side by whose player two don't meet, as they have left; empty if both have, or both are here.

    Of two of whom one blocks the other nobody is asked: it is nobody's fault, and nobody finds out whose.
    """
    causing = [
        side.value for side, place in zip(Side, _with_teams(match, pair), strict=True) if place not in here
    ]
    return causing[0] if len(causing) == 1 else ""


def _with_teams(match: TeamMatch, pair: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The players of a board, each after the team that they play for."""
    return (match.home_id, pair[0]), (match.away_id, pair[1])


def _members(match: TeamMatch, players: Collection[int]) -> set[tuple[int, int]]:
    """The players who are still in the two teams and in the club, each after their team."""
    teams = [match.home_id, match.away_id]
    rows = Member.objects.filter(team__in=teams, team__disbanded_at=None, user__in=players)
    return set(rows.filter(user__is_active=True).values_list("team_id", "user_id"))


def _settle(match: TeamMatch, now: datetime) -> None:
    """Add up the points; finish the match if no game is open."""
    standing = standing_of(match)
    match.home_points, match.away_points = standing.points()
    over = match.status == MatchStatus.PLAYING and standing.over and _all_begun(match)
    if over:
        match.status, match.ended_at = MatchStatus.FINISHED, now
    match.save(update_fields=["home_points", "away_points", "status", "ended_at"])
    if over:
        players = Board.objects.filter(match=match).values_list("home_player_id", "away_player_id")
        emit(
            about_match(
                TeamMatchFinished,
                match,
                player_ids=tuple(key for pair in players for key in pair),
                home_points=match.home_points,
                away_points=match.away_points,
                winner=_winner(standing),
            )
        )


def standing_of(match: TeamMatch) -> team_match.TeamMatch:
    """The match as a ``contest`` value, without the boards that nobody plays or loses."""
    boards = Board.objects.filter(match=match).prefetch_related("games").order_by("number")
    return team_match.TeamMatch(
        tuple(
            _lost_board(match, row) if row.lost_by else _board(match, row)
            for row in boards
            if row.lost_by or row.games.all()
        )
    )


def _lost_board(match: TeamMatch, row: Board) -> team_match.Board:
    """A board on which the player of a side is missing."""
    home = None if row.lost_by == Side.HOME else str(row.home_player_id)
    away = None if row.lost_by == Side.AWAY else str(row.away_player_id)
    return team_match.Board(row.number, home, away, None, match.games_each)


def _board(match: TeamMatch, row: Board) -> team_match.Board:
    made = team_match.pair_teams([str(row.home_player_id)], [str(row.away_player_id)], games=match.games_each)
    (board,) = made.boards
    assert board.pairing is not None
    first, second = (board.home, board.guest) if row.number % 2 else (board.guest, board.home)
    assert first is not None
    assert second is not None
    latest = {game.number: game for game in sorted(row.games.all(), key=lambda game: game.attempt)}
    games = tuple(_game(row, latest[number]) for number in sorted(latest))
    pairing = replace(board.pairing, table=row.number, first=first, second=second, games=games)
    return replace(board, number=row.number, pairing=pairing)


def _game(board: Board, row: BoardGame) -> Game:
    home, away = str(board.home_player_id), str(board.away_player_id)
    sides = (home, away) if row.home_is_first else (away, home)
    if row.annulled:
        return Game(*sides, points=(0, 0), how=ResultKind.ANNULLED)
    if row.home_points is None or row.away_points is None:
        return Game(*sides)
    worth = (row.home_points, row.away_points)
    points = worth if row.home_is_first else worth[::-1]
    return Game(*sides, points=points, how=ResultKind.FORFEIT if points == (0, 0) else ResultKind.PLAYED)


def _winner(standing: team_match.TeamMatch) -> str | None:
    """The side that won; None for a tie."""
    return {(2, 0): Side.HOME.value, (0, 2): Side.AWAY.value}.get(standing.result() or (1, 1))


def _start(match: TeamMatch, row: BoardGame, *, now: datetime, dice: random.Random) -> None:
    """Start one game of a board."""
    board = row.board
    people = accounts.players([board.home_player_id, board.away_player_id])
    home, away = people[board.home_player_id], people[board.away_player_id]
    first, second = (home, away) if row.home_is_first else (away, home)
    game = start_game(
        first=first,
        second=second,
        options=options_of(match.variant, match.terms),
        now=now,
        dice=dice,
        opening=board.opening,
        contest=contest_of(match, board.number),
    )
    row.game_id = game.public_id
    row.save()


def contest_of(match: TeamMatch, board: int) -> Contest:
    """The contest that the games of a board belong to."""
    return Contest(
        kind=KIND,
        key=f"{match.public_id}:{board}",
        name=f"{match.home.name} – {match.away.name}",
        link=reverse("teams:match", args=[match.public_id]),
    )
