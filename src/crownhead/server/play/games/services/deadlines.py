"""What happens as time passes: games end, offers expire, players are reminded."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.live.services import published_together
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import TimeIsShort, game_event
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game, Games, Status
from crownhead.server.play.moves.services import follow_plans
from crownhead.server.play.plans.services import waits_for_answer


def end_overdue_games(*, now: datetime, limit: int = 200) -> int:
    """End up to ``limit`` games whose time has run out, longest overdue first; returns how many.

    Each is ended in its own transaction, so several workers may run this, with a rest for the pages after it.
    """
    due = Game.objects.filter(status=Status.PLAYING, deadline_at__lte=now).order_by("deadline_at")
    return _settle_each(due[:limit], now)


def expire_waiting(*, now: datetime, limit: int = 200) -> int:
    """Expire up to ``limit`` games that nobody joined in time; returns how many."""
    due = Game.objects.filter(status=Status.WAITING, expires_at__lte=now).order_by("expires_at")
    return _settle_each(due[:limit], now)


def send_reminders(*, now: datetime, limit: int = 200) -> int:
    """Send up to ``limit`` reminders that time is short, each once; returns how many.

    Where a plan waits for the player, it may go on instead.
    One that cannot be sent is logged and holds up no other.
    """
    due = Game.objects.filter(status=Status.PLAYING, remind_at__lte=now).order_by("remind_at")
    return one_by_one(
        list(due.values_list("public_id", flat=True)[:limit]),
        lambda public_id: _remind(public_id, now),
        failing="of game %s nobody can be reminded",
    )


@transaction.atomic
def _remind(public_id: str, now: datetime) -> bool:
    game = endings.lock_game(public_id)
    endings.settle(game, now)
    if game.status != Status.PLAYING or game.remind_at is None or game.remind_at > now:
        return False
    is_early, kind = timing.is_reminded_early(game, now), timing.last_reminder(game, now)
    endings.update(game, **timing.reminder_changes(game, now))
    if is_early:
        return False
    if _goes_on_by_plan(game, now):
        return True
    emit(game_event(TimeIsShort, game, seat=game.turn, reminder=kind))
    return True


def _goes_on_by_plan(game: Game, now: datetime) -> bool:
    """Make the planned move that has waited for an answer to an offer long enough, if there is one."""
    if not waits_for_answer(game):
        return False
    version = game.version
    with published_together():
        follow_plans(game, now)
    return game.version != version


def _settle_each(due: Games, now: datetime) -> int:
    """How many games were settled; one that cannot be is logged and holds up no other."""
    return one_by_one(
        list(due.values_list("pk", flat=True)),
        lambda pk: endings.settle_by_key(pk=pk, now=now),
        failing="game %s is due but cannot be settled",
    )
