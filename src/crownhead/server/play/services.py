"""The verbs of a game in progress. Each is one transaction; ``game_id`` is the public identifier.

A draw offer is no move: it leaves ``version`` alone, lapses when the player it was made to moves, and
lives on when the one who made it moves. One is pending at a time; offering while the opponent's is
pending is accepting it, offering again changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import transaction

import crownhead
from crownhead import CrownheadError, Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, OutOfDate, Unprocessable
from crownhead.server.play import endings, problems, record, timing
from crownhead.server.play.beginnings import create_game
from crownhead.server.play.endings import locked, locked_for
from crownhead.server.play.events import DrawDeclined, DrawOffered, MovePlayed, TimeIsShort, about
from crownhead.server.play.models import Game, Games, Seat, Status
from crownhead.server.play.options import Result
from crownhead.server.play.record import seat_of

__all__ = [
    "accept_draw",
    "adjudicate",
    "claim_draw",
    "create_game",
    "decline_draw",
    "expire_waiting",
    "offer_draw",
    "play_move",
    "resign",
    "send_reminders",
    "sweep_deadlines",
]

log = logging.getLogger(__name__)

LONGEST_REASON = 2000


def play_move(*, user: User, game_id: str, move: str, version: int, now: datetime) -> Game:
    """Make a move; the same move sent twice with the same version is answered twice alike."""
    with transaction.atomic():
        game = locked_for(user, game_id)
        seat = _seat(game, user)
        endings.settle(game, now)
        course = record.replay(game)
        if _was_made(course, seat, move, version):
            return game
        if game.status == Status.PLAYING:
            _make_move(game, course, seat, move=move, version=version, now=now)
            return game
    raise _not_in_progress(game)


def offer_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Offer a draw, in turn or not; where the opponent's offer is pending, this accepts it."""

    def offer(game: Game, seat: Seat) -> None:
        if game.draw_offer_by is None:
            endings.update(game, draw_offer_by=seat)
            emit(about(DrawOffered, game, seat=seat))
        elif game.draw_offer_by != seat:
            endings.end(game, winner=None, termination=Termination.AGREEMENT, at=now)

    return _act(user=user, game_id=game_id, now=now, do=offer)


def accept_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by agreement; refused where no offer of the opponent is pending."""

    def accept(game: Game, seat: Seat) -> None:
        _expect_offer_to(game, seat)
        endings.end(game, winner=None, termination=Termination.AGREEMENT, at=now)

    return _act(user=user, game_id=game_id, now=now, do=accept)


def decline_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Turn the opponent's offer down; refused where none is pending."""

    def decline(game: Game, seat: Seat) -> None:
        _expect_offer_to(game, seat)
        endings.update(game, draw_offer_by=None)
        emit(about(DrawDeclined, game, seat=seat))

    return _act(user=user, game_id=game_id, now=now, do=decline)


def claim_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by a draw that its rules let a player claim, in turn or not."""

    def claim(game: Game, _seat: Seat) -> None:
        claims = record.replay(game).claimable_draws()
        if not claims:
            raise problems.NoDrawToClaim("the draw rules of this game give no draw to claim now")
        endings.end(game, winner=None, termination=claims[0], at=now)

    return _act(user=user, game_id=game_id, now=now, do=claim)


def resign(*, user: User, game_id: str, now: datetime) -> Game:
    """Give up, in turn or not."""

    def give_up(game: Game, seat: Seat) -> None:
        endings.end(game, winner=seat.opponent, termination=Termination.RESIGNATION, at=now)

    return _act(user=user, game_id=game_id, now=now, do=give_up)


# ---------------------------------------------------------------------------------- staff and time
def adjudicate(*, staff: User, game_id: str, result: str, reason: str, now: datetime) -> Game:
    """Declare a result (``first``, ``second``, ``draw``) of a game in progress; the reason is kept."""
    if not (staff.is_active and staff.is_staff):
        raise Forbidden("expected a member of the staff")
    if result not in [choice.value for choice in Result]:
        raise Unprocessable(f"result: expected first, second or draw, got {result[:60]!r}")
    kept = reason.strip()
    if not 0 < len(kept) <= LONGEST_REASON:
        raise Unprocessable(f"reason: expected a text of 1 to {LONGEST_REASON} characters, got {len(kept)}")
    with transaction.atomic():
        game = locked(game_id)
        endings.settle(game, now)
        if game.status == Status.PLAYING:
            endings.end(
                game,
                winner=None if result == Result.DRAW else Seat(result),
                termination=Termination.ADJUDICATION,
                at=now,
                adjudication_reason=kept,
                adjudicated_by=staff,
            )
            return game
    raise _not_in_progress(game)


def sweep_deadlines(*, now: datetime, limit: int = 200) -> int:
    """End up to ``limit`` games whose time is out, longest overdue first; how many were ended.

    Each is settled in a transaction of its own, so any number of sweepers may run.
    """
    due = Game.objects.filter(status=Status.PLAYING, deadline_at__lte=now).order_by("deadline_at")
    return _settle_each(due[:limit], now)


def send_reminders(*, now: datetime, limit: int = 200) -> int:
    """Tell of up to ``limit`` games that their time is short, each once for each reminder; how many."""
    told = 0
    due = Game.objects.filter(status=Status.PLAYING, remind_at__lte=now).order_by("remind_at")
    for public_id in due.values_list("public_id", flat=True)[:limit]:
        with transaction.atomic():
            game = locked(public_id)
            endings.settle(game, now)
            if game.status == Status.PLAYING and game.remind_at is not None and game.remind_at <= now:
                kind = timing.last_reminder(game, now)
                endings.update(game, **timing.reminded(game, now))
                emit(about(TimeIsShort, game, seat=game.turn, reminder=kind))
                told += 1
    return told


def expire_waiting(*, now: datetime, limit: int = 200) -> int:
    """Take up to ``limit`` games that nobody joined in time out of the waiting room; how many."""
    due = Game.objects.filter(status=Status.WAITING, expires_at__lte=now).order_by("expires_at")
    return _settle_each(due[:limit], now)


def _settle_each(due: Games, now: datetime) -> int:
    """How many games were settled; one that cannot be is logged and holds up no other."""
    settled = 0
    for pk in due.values_list("pk", flat=True):
        try:
            settled += endings.settle_by_key(pk=pk, now=now)
        except Exception:
            log.exception("game %s is due but cannot be settled", pk)
    return settled


def _act(*, user: User, game_id: str, now: datetime, do: Callable[[Game, Seat], None]) -> Game:
    """Let a player do something in a game in progress; time that has run out comes first, and stays."""
    with transaction.atomic():
        game = locked_for(user, game_id)
        seat = _seat(game, user)
        endings.settle(game, now)
        if game.status == Status.PLAYING and seat is not None:
            do(game, seat)
            return game
    raise _not_in_progress(game)


def _seat(game: Game, user: User) -> Seat | None:
    """Where the user sits; None for a creator whose side is not drawn yet."""
    if user.pk == game.first_player_id:
        return Seat.FIRST
    if user.pk == game.second_player_id:
        return Seat.SECOND
    if user.pk == game.creator_id:
        return None
    raise problems.NotAPlayer("expected one of the two players of this game")


def _was_made(course: crownhead.Game, seat: Seat | None, move: str, version: int) -> bool:
    """Ply number ``version`` was this same move by this same player."""
    if not course.opening_plies <= version < len(course.moves):
        return False
    before = course.positions[version]
    if seat_of(course.variant, before.turn) is not seat:
        return False
    try:
        return before.parse(move) == course.moves[version]
    except CrownheadError:
        return False


def _make_move(
    game: Game, course: crownhead.Game, seat: Seat | None, *, move: str, version: int, now: datetime
) -> None:
    if version != game.version:
        raise OutOfDate(f"expected version {game.version}, got {version}; load the game again")
    if seat is None or game.turn != seat:
        raise problems.NotYourTurn("expected a move of the opponent first")
    try:
        course.push(move)
    except CrownheadError as error:
        raise problems.IllegalMove(str(error)) from error
    changes = {
        "moves": record.with_last_token(game.moves, course),
        "version": len(course.moves),
        "last_moved_at": now,
        "draw_offer_by": seat if game.draw_offer_by == seat else None,
    }
    outcome = course.outcome()
    if outcome is not None:
        winner = endings.winner_of(course.variant, outcome)
        changes |= endings.ended(winner=winner, termination=outcome.termination, at=now)
        changes |= timing.stopped(game, now)
    else:
        changes |= timing.passed(game, now)
    endings.update(game, **changes)
    emit(about(MovePlayed, game, seat=seat))
    if outcome is not None:
        endings.tell_end(game, now)


def _expect_offer_to(game: Game, seat: Seat) -> None:
    if game.draw_offer_by != seat.opponent:
        raise problems.NoDrawOffer("expected a pending draw offer of the opponent, there is none")


def _not_in_progress(game: Game) -> Conflict:
    if game.status == Status.FINISHED:
        return problems.GameOver(f"expected a game in progress, this one is over by {game.termination}")
    return problems.NotInProgress(f"expected a game in progress, this one is {game.status}")
