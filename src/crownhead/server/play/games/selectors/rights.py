"""What a viewer may do in a game: what pages and the API offer, and what players may ask for only once.

A draw or a take-back is asked for once, and again only after a move of the player who asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

import crownhead
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import guest_number
from crownhead.server.play import problems
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.games.providers import UNRATED
from crownhead.server.play.games.selectors import guests, terms
from crownhead.server.play.games.selectors.replay import seat_of
from crownhead.server.play.models import Game, Seat, Status

DRAW, TAKE_BACK = "draw", "take-back"


@dataclass(frozen=True, slots=True)
class Rights:
    """What the viewer may do to the game now."""

    join: bool = False
    decline: bool = False
    invite_again: bool = False
    withdraw: bool = False
    move: bool = False
    offer_draw: bool = False
    answer_draw: bool = False
    claim_draw: bool = False
    ask_take_back: bool = False
    answer_take_back: bool = False
    plan: bool = False
    chat: bool = False
    appeal: bool = False
    resign: bool = False
    abort: bool = False
    give_time: bool = False


def rights_of(
    game: Game,
    replay: crownhead.Game,
    viewer: User | AnonymousUser | None,
    now: datetime,
    points: Mapping[str, int] | None,
    *,
    brief: bool = False,
) -> Rights:
    """What anybody may do; ``points``: the viewer's ratings by variant, where they are known."""
    if viewer is None or viewer.pk is None or game.is_due(now):
        return Rights()
    if game.status == Status.WAITING:
        return _rights_to_offer(game, viewer, points)
    seat = seat_of_viewer(game, viewer)
    if game.status != Status.PLAYING or seat is None:
        over = game.status == Status.FINISHED and seat is not None
        return Rights(invite_again=over and may_play_again(game), chat=over and not game.has_guest)
    return rights_of_player(game, replay, seat, brief=brief)


def rights_of_player(game: Game, replay: crownhead.Game, seat: Seat, *, brief: bool = False) -> Rights:
    """What a player may do in a game in progress, its time not out; ``brief``: without claims of a draw.

    A guest plans nothing and asks nothing of the staff, and nobody chats with one. The staff decide nothing
    against the computer.
    """
    player = game.first_player if seat is Seat.FIRST else game.second_player
    is_guest = player is not None and guest_number(player.username) is not None
    return Rights(
        move=game.turn == seat,
        offer_draw=game.draw_offer_by is None and may_ask(game, seat, DRAW),
        answer_draw=game.draw_offer_by == seat.opponent,
        claim_draw=not brief and bool(replay.claimable_draws()),
        ask_take_back=_may_take_back(game, seat) and _has_moved(replay, seat),
        answer_take_back=game.take_back_by == seat.opponent,
        plan=not is_guest,
        chat=not game.has_guest,
        appeal=not is_guest and not game.computer_ids,
        resign=True,
        abort=may_abort(game),
        give_time=may_give_time(game),
    )


def seat_of_viewer(game: Game, viewer: User | AnonymousUser | None) -> Seat | None:
    """Where the viewer sits; None if they don't play."""
    if viewer is None or viewer.pk is None:
        return None
    if viewer.pk == game.first_player_id:
        return Seat.FIRST
    return Seat.SECOND if viewer.pk == game.second_player_id else None


def may_abort(game: Game) -> bool:
    """A live game of no contest or match in which not both have moved."""
    stands_alone = not game.contest_kind and game.match_id is None
    return game.pace == Pace.LIVE and stands_alone and timing.lacks_first_moves(game)


def may_play_again(game: Game) -> bool:
    """Any game but a live one of a contest, which has the next opponent for both players."""
    return game.pace != Pace.LIVE or not game.contest_kind


def may_give_time(game: Game) -> bool:
    """A live game of no contest: the clocks of a contest are the same for everybody."""
    return game.pace == Pace.LIVE and not game.contest_kind


def may_ask(game: Game, seat: Seat, what: str) -> bool:
    """Whether the player has moved since they last asked for this."""
    return _key(seat, what) not in game.asked


def expect_may_ask(game: Game, seat: Seat, what: str) -> None:
    """Raise ``AskedAlready`` if the player has asked for this since their last move."""
    if not may_ask(game, seat, what):
        raise problems.AskedAlready(_("You have already asked. You can ask again after your next move."))


def asked_changes(game: Game, seat: Seat, what: str) -> dict[str, Any]:
    """The changes that note what the player asks for."""
    return {"asked": [*game.asked, _key(seat, what)]}


def move_changes(game: Game, seat: Seat) -> dict[str, Any]:
    """The changes when the player moves: they may ask again."""
    return {"asked": [key for key in game.asked if not key.startswith(f"{seat.value}:")]}


def _may_take_back(game: Game, seat: Seat) -> bool:
    free = not game.rated and not game.contest_kind and game.take_back_by is None
    return free and may_ask(game, seat, TAKE_BACK)


def _has_moved(replay: crownhead.Game, seat: Seat) -> bool:
    """The player has made one of the last two moves, beyond the opening."""
    own = replay.positions[replay.opening_plies : -1]
    return any(seat_of(replay.variant, position.turn) is seat for position in own[-2:])


def _rights_to_offer(game: Game, viewer: User | AnonymousUser, points: Mapping[str, int] | None) -> Rights:
    if not isinstance(viewer, User):
        return Rights()
    if viewer.pk == game.creator_id:
        return Rights(withdraw=True)
    if game.open and viewer.is_guest:
        return Rights(join=guests.suits_guests(game))
    if game.open:
        known = None if points is None else points.get(game.variant, UNRATED)
        return Rights(join=terms.in_range(viewer, game, points=known))
    invited = viewer.pk == game.invited_id
    return Rights(join=invited, decline=invited)


def _key(seat: Seat, what: str) -> str:
    return f"{Seat(seat).value}:{what}"
