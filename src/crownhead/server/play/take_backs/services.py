"""Taking moves back by consent, in unrated games that concern nobody but the two.

The request has the life of a draw offer: it is no move, lapses when the player it was made to moves, lives
on when the one who made it moves. What is granted is the last move of the one who asks, with the answer to
it if there is one; that player is then to move. Pending draw offers and plans are dropped with the position.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

import crownhead
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.play import problems
from crownhead.server.play.access import perform_action
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import MovesTakenBack, TakeBackAsked, TakeBackDeclined, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.selectors import rights
from crownhead.server.play.games.selectors.replay import replay_game, seat_of
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves import services as move_services
from crownhead.server.play.plans import services as plan_services


def ask_take_back(*, user: User, game_id: str, now: datetime) -> Game:
    """Ask for a take-back of the user's last move; asking again changes nothing."""

    def ask(game: Game, seat: Seat) -> None:
        if game.rated:
            raise problems.RatedGame(_("Rated games have no take-backs."))
        if game.contest_kind:
            raise problems.ContestGame(_("Ladder and tournament games have no take-backs."))
        if game.take_back_by == seat.opponent:
            raise problems.AnswerFirst(_("Your opponent asks for a take-back. Answer that first."))
        if game.take_back_by is None:
            _last_ply_of(seat, replay_game(game))
            rights.expect_may_ask(game, seat, rights.TAKE_BACK)
            endings.update(game, take_back_by=seat, **rights.asked_changes(game, seat, rights.TAKE_BACK))
            emit(game_event(TakeBackAsked, game, seat=seat))

    return perform_action(user=user, game_id=game_id, now=now, do=ask)


def accept_take_back(*, user: User, game_id: str, now: datetime) -> Game:
    """Accept the opponent's request for a take-back; refused if there is none."""

    def accept(game: Game, seat: Seat) -> None:
        _expect_request_to(game, seat)
        replay = replay_game(game)
        ply = _last_ply_of(seat.opponent, replay)
        version = game.version + 1
        endings.update(
            game,
            moves=" ".join(game.moves.split()[:ply]),
            version=version,
            turned_back=version - ply,
            planned=[made for made in game.planned if made < ply],
            draw_offer_by=None,
            take_back_by=None,
            **timing.take_back_changes(game, seat=seat.opponent, now=now, plies=ply),
        )
        plan_services.clear_plans(game.public_id)
        emit(game_event(MovesTakenBack, game, seat=seat.opponent))

    return perform_action(user=user, game_id=game_id, now=now, do=accept)


def decline_take_back(*, user: User, game_id: str, now: datetime) -> Game:
    """Decline the opponent's request; refused if there is none."""

    def decline(game: Game, seat: Seat) -> None:
        _expect_request_to(game, seat)
        endings.update(game, take_back_by=None)
        emit(game_event(TakeBackDeclined, game, seat=seat))
        move_services.follow_plans(game, now)

    return perform_action(user=user, game_id=game_id, now=now, do=decline)


def _last_ply_of(seat: Seat, replay: crownhead.Game) -> int:
    """The ply of the player's last move after the opening; raises ``NoTakeBack``."""
    for ply in range(len(replay.moves) - 1, replay.opening_plies - 1, -1):
        if seat_of(replay.variant, replay.positions[ply].turn) is seat:
            return ply
    raise problems.NoTakeBack(_("There is no move to take back."))


def _expect_request_to(game: Game, seat: Seat) -> None:
    if game.take_back_by != seat.opponent:
        raise problems.NoTakeBack(_("Your opponent has not asked for a take-back."))
