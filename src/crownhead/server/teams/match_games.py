"""The games of a team match: made when both line-ups stand, counted as they end, made anew if annulled."""

from __future__ import annotations

import random
import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from crownhead.rules import variant_of
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.play import services as play
from crownhead.server.play.contests import Contest
from crownhead.server.play.record import draw_ballot
from crownhead.server.teams import terms
from crownhead.server.teams.events import TeamMatchFinished, TeamMatchStarted
from crownhead.server.teams.match_access import about_match
from crownhead.server.teams.models import Board, BoardGame, LineUp, MatchStatus, Side, TeamMatch

KIND = "team"  # of a contest, as games tell it
MOST_ATTEMPTS = 3  # at one game: one that counts for nothing is played again, but not for ever


def begin(match: TeamMatch, *, now: datetime, dice: random.Random) -> None:
    """Seat the players of a locked match with both line-ups; the home team begins on the even boards."""
    home = LineUp.objects.get(match=match, side=Side.HOME).players
    away = LineUp.objects.get(match=match, side=Side.AWAY).players
    variant = variant_of(match.variant)
    match.status, match.started_at = MatchStatus.PLAYING, now
    match.save(update_fields=["status", "started_at"])
    for number, (ours, theirs) in enumerate(zip(home, away, strict=True), start=1):
        ballot = draw_ballot(variant, dice)
        board = Board.objects.create(
            match=match,
            number=number,
            home_player_id=ours,
            away_player_id=theirs,
            opening=None if ballot is None else ballot.number,
        )
        for game in range(1, match.games_each + 1):
            _start(match, board, game, attempt=1, now=now, dice=dice)
    emit(about_match(TeamMatchStarted, match, player_ids=(*home, *away)))


def count(*, game_id: str, half_points: tuple[int, int] | None, now: datetime) -> None:
    """Count a game of a match that has ended; one without any result is played again."""
    found = BoardGame.objects.select_related("board__match").filter(game_id=game_id).first()
    if found is None:
        return
    match = TeamMatch.objects.select_for_update().get(pk=found.board.match_id)
    if found.home_points is not None or found.annulled:
        return
    if half_points is None:
        _replay(match, found, now)
    else:
        ours, theirs = half_points if found.home_is_first else half_points[::-1]
        found.home_points, found.away_points = ours, theirs
        found.save(update_fields=["home_points", "away_points"])
    _settle(match, now)


def annul(*, game_id: str, now: datetime) -> None:
    """A game that was over counts for nothing: while its match goes on it is played again."""
    found = BoardGame.objects.select_related("board__match").filter(game_id=game_id).first()
    if found is None or found.annulled:
        return
    match = TeamMatch.objects.select_for_update().get(pk=found.board.match_id)
    if match.status != MatchStatus.PLAYING:
        return
    _replay(match, found, now)
    _settle(match, now)


def _replay(match: TeamMatch, game: BoardGame, now: datetime) -> None:
    game.annulled, game.home_points, game.away_points = True, None, None
    game.save(update_fields=["annulled", "home_points", "away_points"])
    if game.attempt < MOST_ATTEMPTS:
        _start(match, game.board, game.number, attempt=game.attempt + 1, now=now, dice=secrets.SystemRandom())


def _settle(match: TeamMatch, now: datetime) -> None:
    """Add the points up; finish the match when no game is open."""
    games = BoardGame.objects.filter(board__match=match, annulled=False)
    points = games.aggregate(home=Sum("home_points"), away=Sum("away_points"))
    match.home_points, match.away_points = points["home"] or 0, points["away"] or 0
    over = match.status == MatchStatus.PLAYING and not games.filter(home_points=None).exists()
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
                winner=winner_of(match),
            )
        )


def winner_of(match: TeamMatch) -> str | None:
    """The side with more points; None for a tie."""
    if match.home_points == match.away_points:
        return None
    return Side.HOME if match.home_points > match.away_points else Side.AWAY


def _start(
    match: TeamMatch, board: Board, number: int, *, attempt: int, now: datetime, dice: random.Random
) -> None:
    """Start one game of a board: the sides change from board to board, and from game to game."""
    home_is_first = (board.number + number) % 2 == 1
    home, away = _user(board.home_player_id), _user(board.away_player_id)
    first, second = (home, away) if home_is_first else (away, home)
    with transaction.atomic():
        game = play.start_game(
            first=first,
            second=second,
            options=terms.options_of(match.variant, match.terms),
            now=now,
            dice=dice,
            opening=board.opening,
            contest=contest_of(match, board.number),
        )
        BoardGame.objects.create(
            board=board,
            number=number,
            attempt=attempt,
            home_is_first=home_is_first,
            game_id=game.public_id,
        )


def contest_of(match: TeamMatch, board: int) -> Contest:
    """What the games of a board are said to belong to."""
    return Contest(
        kind=KIND,
        key=f"{match.public_id}:{board}",
        name=f"{match.home.name} – {match.away.name}",
        link=f"/team-matches/{match.public_id}/",
    )


def _user(key: int) -> User:
    found: User = accounts.User.objects.get(pk=key)
    return found
