"""How a game changes and ends: one conditional update each, and the rules of time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from crownhead import Outcome, Termination, Variant
from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import NotFound, OutOfDate, Problem
from crownhead.server.core.queries import rows
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.core.texts import is_storable
from crownhead.server.play.choices import ABANDONED, ABORTED, FORFEIT
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import GameEnded, GameExpired, game_event
from crownhead.server.play.games import providers
from crownhead.server.play.games.selectors import rated_limits
from crownhead.server.play.games.selectors.replay import lacks_moves, seat_of
from crownhead.server.play.models import Game, Games, Seat, Status
from crownhead.server.play.outages import selectors as outages
from crownhead.server.play.outages.services import catch_up
from crownhead.server.play.vacation import budget

_BY_PLAYERS = {Termination.RESIGNATION, Termination.AGREEMENT, ABORTED, ABANDONED}
_OFF_THE_BOARD = _BY_PLAYERS | {Termination.TIME, FORFEIT}


def _to_change(public_id: str) -> Games:
    players = {"first": "first_player", "second": "second_player"}
    more = {
        f"{seat}_{name}": expression(column)
        for seat, column in players.items()
        for name, expression in providers.player_annotations.items()
    }
    rows = Game.objects.with_players().annotate(**more)
    rows = rows.select_related("first_player__preferences", "second_player__preferences")
    return rows.select_for_update(of=("self",), no_key=True).filter(public_id=public_id)[:1]


_TO_CHANGE = Prepared(_to_change, public_id=str)


def lock_game(game_id: str, *, joining: int | None = None) -> Game:
    """The row, locked until the transaction ends; raises ``NotFound``. New rows may still refer to it.

    A game in which hours of vacation may be used comes after its players, for those hours lengthen their
    other games too: a transaction that held one of them and waited for a player would deadlock. Both are
    held, so that it doesn't matter who is on turn once the game is, or when it is locked once more.
    ``joining``: a user who is held as well, as a player of the game to be.
    """
    if not is_storable(game_id):
        raise no_such_game(game_id)
    _hold_players(Game.objects.filter(public_id=game_id), joining)
    game = _TO_CHANGE.first(public_id=game_id)
    if game is None:
        raise no_such_game(game_id)
    return game


def lock_offer(game_id: str) -> Game | None:
    """The row of an offer, locked alone: who finds it taken gives it back before they wait for another."""
    return _TO_CHANGE.first(public_id=game_id)


def _hold_players(rows: Games, joining: int | None = None) -> None:
    """Hold who joins, and the players of games in progress with vacation, if the database can lock rows."""
    if not connection.features.has_select_for_update:
        return
    games = rows.filter(status=Status.PLAYING, vacation=True)
    pairs = games.values_list("first_player", "second_player")
    players = {player for pair in pairs for player in pair if player is not None}
    for player in sorted(players if joining is None else players | {joining}):
        hold_user(player)


def access_locked_game(user: User, game_id: str, *, joining: bool = False) -> Game:
    """The row, locked until the transaction ends, if the user may see it; raises ``NotFound``.

    ``joining``: the user is held, too, and before it.
    """
    game = lock_game(game_id, joining=user.pk if joining else None)
    if not game.is_seen_by(user):
        raise no_such_game(game_id)
    return game


def no_such_game(game_id: str) -> NotFound:
    """The problem for an id of no game that the viewer may see."""
    return NotFound(_("There is no game %(given)s.") % {"given": repr(game_id[:60])})


def update(game: Game, **changes: Any) -> None:
    """Change the row if it is still as it was read, and ``game`` with it; raises ``OutOfDate``."""
    if not rows.update(game, expected=("version", "status"), changes=changes):
        raise OutOfDate(_("The game has changed. Load it again."))


def finish_changes(game: Game, *, winner: Seat | None, termination: str, at: datetime) -> dict[str, Any]:
    """The changes that make a game a finished one, but for its clocks; one that is too many is unrated."""
    why_not = None
    if game.rated:
        why_not = rated_limits.why_unrated(game, winner=winner, termination=termination, at=at)
    return {
        "status": Status.FINISHED,
        "rated": game.rated and why_not is None,
        "unrated_because": why_not,
        "winner": winner,
        "termination": str(termination),
        "draw_offer_by": None,
        "take_back_by": None,
        "ended_at": at,
    }


def is_too_short(game: Game, termination: str) -> bool:
    """The game ended, not on the board, before each side had made two moves of its own."""
    return termination in _OFF_THE_BOARD and lacks_moves(game)


def winner_of(variant: Variant, outcome: Outcome) -> Seat | None:
    """The seat that an outcome names."""
    return None if outcome.winner is None else seat_of(variant, outcome.winner)


def end(
    game: Game,
    *,
    winner: Seat | None,
    termination: str,
    at: datetime,
    seen_at: datetime | None = None,
    **more: Any,
) -> None:
    """Finish a game in progress and emit the event; ``seen_at``: when the server noticed the end."""
    changes = finish_changes(game, winner=winner, termination=termination, at=at)
    changes["annulled"] = is_too_short(game, termination)
    update(game, **changes | timing.stop_clock_changes(game, at) | more)
    emit_end(game, seen_at or at)


def emit_end(game: Game, seen_at: datetime) -> None:
    """Emit the event of a finished game."""
    emit(
        game_event(
            GameEnded,
            game,
            winner=game.winner,
            termination=game.termination,
            rated=game.rated,
            annulled=game.annulled,
            pace=game.pace,
            seen_at=seen_at,
        )
    )


def settle(game: Game, now: datetime) -> None:
    """Apply the rules of time to a locked row: a game that is due ended when its time was out.

    Not while it is unknown whether people could play all the time.
    """
    catch_up(game, now)
    if not game.is_due(now) or not outages.is_over(now):
        return
    if game.status == Status.WAITING:
        update(game, status=Status.EXPIRED, ended_at=game.expires_at)
        emit(game_event(GameExpired, game))
        return
    seat = Seat(game.turn or "")
    on_turn = timing.player_on(game, seat)
    if game.vacation and on_turn is not None and not budget.has_more_time(game, now):
        budget.use_hours(user_id=on_turn, now=now)
        game.refresh_from_db(fields=budget.MOMENTS)
        budget.has_more_time(game, now)
    if game.is_due(now) and game.deadline_at is not None:
        lost = game.deadline_at
        end(game, winner=seat.opponent, termination=Termination.TIME, at=lost, seen_at=now)


@contextmanager
def settled(game_id: str, now: datetime, *, seen_by: User | None = None) -> Iterator[Game]:
    """The locked row, the rules of time applied to it; what they changed stays though the block is refused.

    Hours of vacation may lengthen hundreds of games: who is refused can't have that done again and again.
    """
    refusal = None
    with transaction.atomic():
        game = lock_game(game_id) if seen_by is None else access_locked_game(seen_by, game_id)
        was_due = game.is_due(now)
        settle(game, now)
        try:
            with transaction.atomic(savepoint=was_due):
                yield game
        except Problem as problem:
            if not was_due:
                raise
            refusal = problem
    if refusal is not None:
        raise refusal


def settle_by_key(*, pk: int, now: datetime) -> bool:
    """Apply the rules of time to one row in a transaction of its own; False if there was nothing to do.

    A row that another process holds is left to it.
    """
    with transaction.atomic():
        _hold_players(Game.objects.filter(pk=pk))
        rows = Game.objects.select_for_update(
            skip_locked=connection.features.has_select_for_update_skip_locked, no_key=True
        )
        game = rows.filter(pk=pk).first()
        if game is None or not game.is_due(now):
            return False
        settle(game, now)
        return True
