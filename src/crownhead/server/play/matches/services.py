"""Matches: games of two players that count together, the sides swapped from game to game.

A match of two games has both at once, from the same ballot. A longer one goes on by itself as each game
ends; its games go by pairs from one ballot. A win counts a point, a draw half of one, whatever the rating
makes of it. It goes on only while both want and can: either player may end it, and a block, an account that
is closed or suspended, and a live game in which not both have moved, or whose player is away, end it as it
stands.
"""

from __future__ import annotations

import random
import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User, blocks_among
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.play import problems
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.events import MatchEnded
from crownhead.server.play.games.options import ColourChoice, GameOptions
from crownhead.server.play.games.selectors import terms
from crownhead.server.play.games.services import seating
from crownhead.server.play.models import Game, Match, MatchKind, Seat, Status
from crownhead.server.play.presence import selectors as presence

LONGEST = 100  # games, where so many wins are asked for and draws follow draws
WIN, DRAW = 2, 1  # in half points


def columns_of(options: GameOptions, *, creator: User, now: datetime) -> dict[str, Any]:
    """The columns of the first game of the match that the options ask for; none for a single game."""
    wanted = options.match()
    if wanted is None:
        return {}
    kind, length = wanted
    match = Match.objects.create(
        kind=kind, length=length, creator=creator, opening=options.opening, created_at=now
    )
    return {"match": match, "match_number": 1}


def begin(game: Game, *, opponent: User, now: datetime, dice: random.Random) -> None:
    """The first game of a match has begun; of a match of two games, the other begins with it."""
    match = game.match
    if match is None:
        return
    match.opponent = opponent
    match.save(update_fields=["opponent"])
    if match.kind == MatchKind.TWO:
        _begin_next(match, game, now, dice)


def count(*, game_id: str, now: datetime) -> None:
    """Count a game that has ended; start the next one where the match is not decided."""
    game = Game.objects.with_players().get(public_id=game_id)
    if game.match_id is None:
        return
    match = Match.objects.select_for_update().get(pk=game.match_id)
    add_score(match, game)
    over = _is_over(match) or (match.kind != MatchKind.TWO and not _goes_on(match, game, now))
    if over:
        match.ended_at = match.ended_at or now
    match.save()
    if over:
        emit(_ended(match))
    elif match.kind != MatchKind.TWO:
        _begin_next(match, game, now, secrets.SystemRandom())


def add_score(match: Match, game: Game) -> None:
    """Add what a finished game gives to the score, which is not saved."""
    if game.winner is None:
        if game.termination == FORFEIT:
            return
        match.creator_score += DRAW
        match.opponent_score += DRAW
        return
    winner = game.first_player_id if game.winner == Seat.FIRST else game.second_player_id
    if winner == match.creator_id:
        match.creator_score += WIN
        match.creator_wins += 1
    else:
        match.opponent_score += WIN
        match.opponent_wins += 1


def _is_over(match: Match) -> bool:
    played = Game.objects.filter(match=match, status=Status.FINISHED).count()
    if match.kind == MatchKind.WINS:
        return max(match.creator_wins, match.opponent_wins) >= match.length or played >= LONGEST
    return played >= match.length


def end(*, user: User, match_id: str, now: datetime) -> Match:
    """End a match as one of its players: the game in progress is its last one."""
    with transaction.atomic():
        match = Match.objects.select_for_update().filter(public_id=match_id).first()
        if match is None or not Game.objects.filter(match=match).seen_by(user).exists():
            raise NotFound(_("There is no such match."))
        if user.pk not in {match.creator_id, match.opponent_id}:
            raise problems.NotAPlayer(_("Only the two players of this match can do this."))
        if not match.goes_on:
            raise Conflict(_("No further games will start in this match."))
        match.ended_at = now
        match.save(update_fields=["ended_at"])
    return match


def _goes_on(match: Match, before: Game, now: datetime) -> bool:
    """Whether the next game may begin by itself."""
    players = [user for user in (before.first_player, before.second_player) if user is not None]
    inactive = {user.pk for user in players if not user.is_active}
    left = before.pace == Pace.LIVE and (
        timing.lacks_first_moves(before) or any(presence.is_away(user.pk, now) for user in players)
    )
    return (
        match.ended_at is None
        and not left
        and inactive <= before.computer_ids  # whose accounts are never active
        and not blocks_among([user.pk for user in players])
    )


def _is_rated(match: Match) -> bool:
    """Whether its games are rated, though one or another of them may have been too many."""
    to_be_rated = Q(rated=True) | Q(unrated_because__isnull=False)
    return Game.objects.filter(to_be_rated, match=match, hidden=False).exists()


def _begin_next(match: Match, before: Game, now: datetime, dice: random.Random) -> None:
    assert before.first_player is not None
    assert before.second_player is not None
    assert before.match_number is not None
    number = before.match_number + 1
    options = terms.options_of(before, colour=ColourChoice.RANDOM)
    columns = terms.columns_of(options) | {
        "rated": _is_rated(match),
        "opening": before.opening if number % 2 == 0 else match.opening,
        "start_fen": before.start_fen,
    }
    game = Game.objects.create(
        **columns,
        open=False,
        creator=match.creator,
        match=match,
        match_number=number,
        status=Status.WAITING,
        created_at=now,
        expires_at=now,
    )
    players = {Seat.FIRST: before.second_player, Seat.SECOND: before.first_player}
    seating.start_now(game, players=players, now=now, dice=dice)


def _ended(match: Match) -> MatchEnded:
    margin = match.creator_score - match.opponent_score
    winner = match.creator_id if margin > 0 else match.opponent_id if margin < 0 else None
    return MatchEnded(
        match_id=match.public_id,
        creator_id=match.creator_id,
        opponent_id=match.opponent_id,
        winner_id=winner,
    )
