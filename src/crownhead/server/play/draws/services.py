"""Resignation, draws by agreement and by claim, and games called off.

A draw offer is no move: it leaves ``version`` alone, lapses when the player it was made to moves, and
lives on when the one who made it moves. One is pending at a time; offering while the opponent's is
pending is accepting it, offering again changes nothing. Once declined, an offer can be made again only
after a move of one's own (``games.selectors.rights``).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import budgets
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.play import problems
from crownhead.server.play.access import perform_action
from crownhead.server.play.choices import ABORTED
from crownhead.server.play.events import DrawDeclined, DrawOffered, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.games.selectors import replay, rights
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves import services as move_services

_PATIENCE = timedelta(seconds=15)  # with an opponent who does not make their first move


def offer_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Offer a draw, in turn or not; where the opponent's offer is pending, this accepts it."""

    def offer(game: Game, seat: Seat) -> None:
        if game.draw_offer_by is None:
            rights.expect_may_ask(game, seat, rights.DRAW)
            endings.update(game, draw_offer_by=seat, **rights.asked_changes(game, seat, rights.DRAW))
            emit(game_event(DrawOffered, game, seat=seat))
        elif game.draw_offer_by != seat:
            endings.end(game, winner=None, termination=Termination.AGREEMENT, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=offer)


def accept_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by agreement; refused where no offer of the opponent is pending."""

    def accept(game: Game, seat: Seat) -> None:
        _expect_offer_to(game, seat)
        endings.end(game, winner=None, termination=Termination.AGREEMENT, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=accept)


def decline_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Decline the opponent's offer; refused if none is pending."""

    def decline(game: Game, seat: Seat) -> None:
        _expect_offer_to(game, seat)
        endings.update(game, draw_offer_by=None)
        emit(game_event(DrawDeclined, game, seat=seat))
        move_services.follow_plans(game, now)

    return perform_action(user=user, game_id=game_id, now=now, do=decline)


def claim_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by a draw that its rules let a player claim, in turn or not."""

    def claim(game: Game, _seat: Seat) -> None:
        claims = replay.replay_game(game).claimable_draws()
        if not claims:
            raise problems.NoDrawToClaim(_("Under the draw rules of this game, no draw can be claimed now."))
        endings.end(game, winner=None, termination=claims[0], at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=claim)


def resign(*, user: User, game_id: str, now: datetime) -> Game:
    """Resign, on either player's turn."""

    def give_up(game: Game, seat: Seat) -> None:
        endings.end(game, winner=seat.opponent, termination=Termination.RESIGNATION, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=give_up)


def resign_unplayed(*, user: User, game_id: str, now: datetime) -> Game:
    """Resign, but only before both players have made their two moves: then it counts for nothing."""

    def give_up(game: Game, seat: Seat) -> None:
        if replay.lacks_moves(game):
            endings.end(game, winner=seat.opponent, termination=Termination.RESIGNATION, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=give_up)


def abort(*, user: User, game_id: str, now: datetime) -> Game:
    """Call off a live game in which not both players have moved; it counts for nothing."""

    def call_off(game: Game, seat: Seat) -> None:
        if not rights.may_abort(game):
            raise Conflict(_("A game can only be aborted before both players have moved."))
        _note_abort(game, user=user, seat=seat, now=now)
        endings.end(game, winner=None, termination=ABORTED, at=now)

    return perform_action(user=user, game_id=game_id, now=now, do=call_off)


def _expect_offer_to(game: Game, seat: Seat) -> None:
    if game.draw_offer_by != seat.opponent:
        raise problems.NoDrawOffer(_("Your opponent has not offered a draw."))


def _note_abort(game: Game, *, user: User, seat: Seat, now: datetime) -> None:
    """Count a rated game that somebody calls off, unless their opponent keeps them waiting."""
    waits = game.turn == seat.opponent and now - (game.last_moved_at or game.started_at or now) >= _PATIENCE
    if game.rated and not waits:
        budgets.spend(scope="aborts", who=str(user.pk), now=now)
