"""What time does by itself: games end, offers expire, players are reminded."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction

from crownhead.server.core.events import emit
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import TimeIsShort, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game, Games, Status

log = logging.getLogger(__name__)


def end_overdue_games(*, now: datetime, limit: int = 200) -> int:
    """Settle up to ``limit`` games whose time is out, longest overdue first; how many there were.

    Each is settled in a transaction of its own, so any number of sweepers may run.
    """
    due = Game.objects.filter(status=Status.PLAYING, deadline_at__lte=now).order_by("deadline_at")
    return _settle_each(due[:limit], now)


def expire_waiting(*, now: datetime, limit: int = 200) -> int:
    """Take up to ``limit`` games that nobody joined in time out of the waiting room; how many."""
    due = Game.objects.filter(status=Status.WAITING, expires_at__lte=now).order_by("expires_at")
    return _settle_each(due[:limit], now)


def send_reminders(*, now: datetime, limit: int = 200) -> int:
    """Tell of up to ``limit`` games that their time is short, each once for each reminder; how many."""
    told = 0
    due = Game.objects.filter(status=Status.PLAYING, remind_at__lte=now).order_by("remind_at")
    for public_id in due.values_list("public_id", flat=True)[:limit]:
        with transaction.atomic():
            game = endings.lock_game(public_id)
            endings.settle(game, now)
            if game.status == Status.PLAYING and game.remind_at is not None and game.remind_at <= now:
                kind = timing.last_reminder(game, now)
                endings.update(game, **timing.reminder_changes(game, now))
                emit(game_event(TimeIsShort, game, seat=game.turn, reminder=kind))
                told += 1
    return told


def _settle_each(due: Games, now: datetime) -> int:
    """How many games were settled; one that cannot be is logged and holds up no other."""
    settled = 0
    for pk in due.values_list("pk", flat=True):
        try:
            settled += endings.settle_by_key(pk=pk, now=now)
        except Exception:
            log.exception("game %s is due but cannot be settled", pk)
    return settled
