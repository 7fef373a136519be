"""Making a move, and what conditional moves make of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError
from crownhead.server.accounts.access import check_may_write
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import OutOfDate
from crownhead.server.core.texts import without_controls
from crownhead.server.live.services import published_together
from crownhead.server.play import problems
from crownhead.server.play.access import not_in_progress, seat_of_user
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.choices import LENGTH, TOO_MANY_MOVES
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.events import MovePlayed, PlansWait, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.selectors import rights
from crownhead.server.play.games.selectors.replay import (
    began_elsewhere,
    keep_replay,
    replay_game,
    replay_to_play,
    seat_of,
    with_last_token,
)
from crownhead.server.play.games.selectors.starts import leads_too_far
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.moves.presenters import move_news
from crownhead.server.play.plans import selectors
from crownhead.server.play.plans import services as plan_services
from crownhead.server.play.presence import services as presence_services
from crownhead.server.play.problems.reasons import why_refused

MAX_PLANNED = 3  # moves in one transaction, each some milliseconds


@dataclass(frozen=True, slots=True)
class Made:
    """The game after a move; ``unsent``: why its message was left out, empty if there is no such."""

    game: Game
    unsent: str = ""


def play_move(*, user: User, game_id: str, move: str, version: int, now: datetime, message: str = "") -> Game:
    """Make a move for whom it doesn't matter whether the message was sent; see ``move_and_say``."""
    made = move_and_say(user=user, game_id=game_id, move=move, version=version, now=now, message=message)
    return made.game


def move_and_say(
    *, user: User, game_id: str, move: str, version: int, now: datetime, message: str = ""
) -> Made:
    """Make a move, with a message; sent twice with the same version it is answered twice alike.

    The move is made also where the message is left out, as the player has written enough.
    """
    text = chat_services.check_message(message) if without_controls(message) else ""
    check_may_write(user=user, now=now, text=text)
    with endings.settled(game_id, now, seen_by=user) as game, published_together():
        seat = seat_of_user(game, user)
        replay = replay_to_play(game)
        if seat is not None and _was_made(game, replay, seat, move, version):
            return Made(game, _was_unsent(game, seat, text, version))
        if game.status == Status.PLAYING:
            if game.pace == Pace.LIVE:
                presence_services.note_back(user_id=user.pk)  # who moves is here, with a stream or without
            plans = selectors.plans_of(game)
            _make_move(game, replay, seat, plans, move=move, version=version, now=now)
            unsent = ""
            if text and seat is not None:
                unsent = chat_services.send_with_move(game, user, seat=seat, text=text, now=now)
            _make_planned_moves(game, replay, plans, now)
            if game.status == Status.PLAYING:
                keep_replay(game, replay)
            return Made(game, unsent)
    raise not_in_progress(game)


def go_on_with_plans(*, game_id: str, now: datetime) -> None:
    """Make the planned moves that were too many for one request, or some of them."""
    with transaction.atomic(), published_together():
        game = endings.lock_game(game_id)
        endings.settle(game, now)
        if game.status == Status.PLAYING:
            follow_plans(game, now)


def follow_plans(game: Game, now: datetime) -> None:
    """Let plans that waited, for their owner's answer to an offer or for their turn, go on if they may."""
    _make_planned_moves(game, replay_game(game), selectors.plans_of(game), now)


def _make_planned_moves(game: Game, replay: crownhead.Game, plans: selectors.Plans, now: datetime) -> None:
    """Make the conditional moves that the position calls for; one side's may reach the other's.

    A few at once: the rest is left to a worker, so that one request doesn't make them all.
    """
    for _number in range(MAX_PLANNED):
        if not plans or game.status != Status.PLAYING or game.turn is None:
            return
        seat = Seat(game.turn)
        answer = plan_services.next_planned_move(game, replay, seat, plans, now)
        if answer is None:
            return
        replay.push(answer)
        _store_move(game, replay, seat, now, planned=True)
    if game.status == Status.PLAYING and any(plan.tree for plan in plans.values()):
        emit(game_event(PlansWait, game))


def _was_made(game: Game, replay: crownhead.Game, seat: Seat, move: str, version: int) -> bool:
    """The ply of that version was this same move by this same player."""
    ply = version - game.turned_back
    if not replay.opening_plies <= ply < len(replay.moves):
        return False
    before = replay.positions[ply]
    if seat_of(replay.variant, before.turn) is not seat:
        return False
    try:
        return before.parse(move) == replay.moves[ply]
    except CrownheadError:
        return False


def _was_unsent(game: Game, seat: Seat, text: str, version: int) -> str:
    """Why the message with a move that was made before was left out; empty if it was sent."""
    plies = version - game.turned_back + 1
    if not text or chat_services.was_sent_with_move(game, seat=seat, text=text, plies=plies):
        return ""
    return _("The move was made before, without this message.")


def _make_move(
    game: Game,
    replay: crownhead.Game,
    seat: Seat | None,
    plans: selectors.Plans,
    *,
    move: str,
    version: int,
    now: datetime,
) -> None:
    if version != game.version:
        raise OutOfDate(
            _("The game is at version %(version)s, not %(given)s. Load it again.")
            % {"version": game.version, "given": version}
        )
    if seat is None or game.turn != seat:
        raise problems.NotYourTurn(_("It is your opponent's turn."))
    try:
        replay.push(move)
    except CrownheadError as error:
        raise problems.IllegalMove(str(error), reason=why_refused(error, replay.position)) from error
    if plans:
        plan_services.follow_owner(replay, seat, plans)
    _store_move(game, replay, seat, now)


def _store_move(
    game: Game, replay: crownhead.Game, seat: Seat, now: datetime, *, planned: bool = False
) -> None:
    """Store the last move of ``replay`` and emit its event, and that of the end if the game is over."""
    changes: dict[str, Any] = {
        "moves": with_last_token(game.moves, replay),
        "version": game.version + 1,
        "last_moved_at": now,
        "draw_offer_by": seat if game.draw_offer_by == seat else None,
        "take_back_by": seat if game.take_back_by == seat else None,
        **rights.move_changes(game, seat),
    }
    if planned:
        changes["planned"] = [*game.planned, len(replay.moves) - 1]
    outcome = replay.outcome()
    if outcome is not None:
        winner = endings.winner_of(replay.variant, outcome)
        changes |= endings.finish_changes(game, winner=winner, termination=outcome.termination, at=now)
    elif 0 < settings.LONGEST_GAME <= len(replay.moves):
        changes |= endings.finish_changes(game, winner=None, termination=LENGTH, at=now)
    elif began_elsewhere(replay) and leads_too_far(replay.position):
        changes |= endings.finish_changes(game, winner=None, termination=TOO_MANY_MOVES, at=now)
    is_over = "termination" in changes
    changes |= timing.stop_clock_changes(game, now) if is_over else timing.end_turn_changes(game, now)
    endings.update(game, **changes)
    emit(game_event(MovePlayed, game, seat=seat, row=game, news=move_news(game, replay, now)))
    if is_over:
        endings.emit_end(game, now)
