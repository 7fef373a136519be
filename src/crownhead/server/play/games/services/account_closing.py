"""End the games and offers of a closed account, so that no opponent is left waiting."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from crownhead import Termination
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.play.events import GameDeclined, GameWithdrawn, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game, Invitation, Note, Plan, Seat, Status, Vacation


def end_everything_of(*, user_id: int, now: datetime) -> None:
    """Resign or withdraw all games of a closed account, and delete its private data; its matches end."""
    for game_id in _running(user_id):
        _resign(game_id, user_id, now)
    _end_waiting(Q(creator=user_id) | Q(invited=user_id), user_id, now)
    Note.objects.filter(user=user_id).delete()
    Vacation.objects.filter(user=user_id).delete()
    Plan.objects.filter(game__first_player=user_id, seat=Seat.FIRST).delete()
    Plan.objects.filter(game__second_player=user_id, seat=Seat.SECOND).delete()
    Invitation.objects.filter(game__creator=user_id).update(message="", email="", token="")


def withdraw_offers_of(*, user_id: int, now: datetime) -> None:
    """Withdraw what somebody has offered: in the waiting room, by a link, or to one player."""
    _end_waiting(Q(creator=user_id), user_id, now)


def _running(user_id: int) -> list[str]:
    user = User(pk=user_id)
    rows = Game.objects.played_by(user).filter(status=Status.PLAYING).order_by("pk")
    return list(rows.values_list("public_id", flat=True))


def _resign(game_id: str, user_id: int, now: datetime) -> None:
    game = endings.lock_game(game_id)
    endings.settle(game, now)
    if game.status == Status.PLAYING:
        seat = Seat.FIRST if game.first_player_id == user_id else Seat.SECOND
        endings.end(game, winner=seat.opponent, termination=Termination.RESIGNATION, at=now)


def _end_waiting(which: Q, user_id: int, now: datetime) -> None:
    waiting = Game.objects.filter(which, status=Status.WAITING)
    for game_id in waiting.values_list("public_id", flat=True):
        _withdraw_or_decline(game_id, user_id, now)


def _withdraw_or_decline(game_id: str, user_id: int, now: datetime) -> None:
    game = endings.lock_game(game_id)
    endings.settle(game, now)
    if game.status != Status.WAITING:
        return
    mine = game.creator_id == user_id
    endings.update(game, status=Status.WITHDRAWN if mine else Status.DECLINED, ended_at=now)
    emit(game_event(GameWithdrawn if mine else GameDeclined, game))
