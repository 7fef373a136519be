"""How open pages learn of a move, so that they show it without being fetched again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import crownhead
from crownhead import CrownheadError
from crownhead.server.core.problems import TooManyMoves
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.clocks.time_control import SATURDAY, Pace
from crownhead.server.play.events import MoveNews
from crownhead.server.play.games.selectors.replay import colour_of
from crownhead.server.play.games.selectors.rights import rights_of_player
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.presenters.board.moves import (
    barred_king,
    legal_data,
    legal_moves,
    move_data,
    routes_of,
)

_MILLISECOND, _SECOND = timedelta(milliseconds=1), timedelta(seconds=1)


def move_news(game: Game, replay: crownhead.Game, now: datetime) -> MoveNews:
    """The last move of ``replay``, with the clocks as they stand at ``now``, when it was made."""
    before, position, move = replay.positions[-2], replay.position, replay.moves[-1]
    left = {seat: _left(game, seat) for seat in Seat}
    waits = time_control.waits(timing.turn_of(game), now) if game.turn else time_control.ZERO
    public = {
        **move_data(move, before),
        "ply": len(replay.moves),
        "notation": before.notation(move),
        "crowned": move.crowns,
        "colour": before.turn.value,
        "to_move": colour_of(replay.variant, Seat(game.turn)).value if game.turn else None,
        "fen": position.fen(),
        "time_left": {seat.value: time // _MILLISECOND for seat, time in left.items()},
        "waits": waits // _MILLISECOND,
        "deadline": game.deadline_at.isoformat() if game.deadline_at else None,
        "complete": _runs_plainly(game, left, now + waits) and not (game.draw_offer_by or game.take_back_by),
    }
    return MoveNews(public, {seat: public | _for_player(game, replay, seat) for seat in Seat})


def _left(game: Game, seat: Seat) -> timedelta:
    """What a player has for the turn that begins, or has begun, with this move."""
    kept: timedelta | None = None if game.pace == Pace.DAYS else getattr(game, timing.LEFT[seat])
    return timing.control_of(game).initial if kept is None else kept


def _runs_plainly(game: Game, left: Mapping[Seat, timedelta], now: datetime) -> bool:
    """Whether a clock runs and nothing is said about it: no weekend, vacation or adjournment."""
    if game.status != Status.PLAYING or game.turn is None or game.deadline_at is None:
        return False
    if game.weekends_off and not game.vacation and not game.adjourned:
        return now.weekday() < SATURDAY
    return abs(game.deadline_at - now - left[Seat(game.turn)]) < _SECOND


def _for_player(game: Game, replay: crownhead.Game, seat: Seat) -> dict[str, Any]:
    """What a player may do now; their legal moves only when it is their turn."""
    if game.status != Status.PLAYING:
        return {}
    rights = rights_of_player(game, replay, seat)
    names = {
        "offer": rights.offer_draw,
        "claim": rights.claim_draw,
        "ask-take-back": rights.ask_take_back,
        "abort": rights.abort,
        "give-time": rights.give_time,
    }
    may = [name for name, granted in names.items() if granted]
    if game.turn != seat:
        return {"may": may}
    position = replay.position
    try:
        legal = legal_moves(position)
    except (TooManyMoves, CrownheadError):  # more than a page can hold
        return {"may": may, "complete": False}
    moves = legal_data(position, legal, routes_of(position, legal))
    return {"may": may, "legal": moves, "barred": barred_king(position)}
