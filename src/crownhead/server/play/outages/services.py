"""The sign of life, and how an outage is made up for: clocks stood still while nobody could play.

An outage becomes a span of each running game in which its clock stands still, as a director's adjournment
does, so that clocks, deadlines and reminders follow from it, of live games too. A game is seen to when
somebody comes to it, or by the sweeper, some at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from crownhead.server.core import clock
from crownhead.server.core.background.outages import ROWS_AT_ONCE, Outage, steps
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.events import emit
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import Span
from crownhead.server.play.events import OutageMadeUp, TimeChanged, game_event
from crownhead.server.play.models import Game, Heartbeat, OutageRow, Status
from crownhead.server.play.outages import selectors
from crownhead.server.play.outages.selectors import ONLY

log = logging.getLogger(__name__)

GAMES, OFFERS = "games", "waiting games"

# What this process knows of outages not made up for. Moves ask for it, and it is nearly always empty.
_open: tuple[Outage, ...] = ()


def beat(*, now: datetime) -> Outage | None:
    """Say that people can play; returns the outage, if one is over with this."""
    global _open
    signs: dict[str, Any] = {"at": now, "boot": clock.boot(), "boot_seconds": clock.steady_seconds()}
    found = None
    with transaction.atomic():
        row = Heartbeat.objects.select_for_update().filter(pk=ONLY).first()
        if row is None:
            Heartbeat.objects.get_or_create(pk=ONLY, defaults=signs)
        else:
            found = _outage_between(row.at, now)
            Heartbeat.objects.filter(pk=ONLY).update(**signs)
        if found is not None:
            OutageRow.objects.create(begins_at=found.begins, ends_at=found.ends)
    if found is not None:
        log.warning("nobody could play from %s to %s: no time is lost by that", found.begins, found.ends)
    _open = selectors.open_outages()
    return found


def _outage_between(last: datetime, now: datetime) -> Outage | None:
    return Outage(last, now) if abs(now - last) > selectors.outage_threshold() else None


def catch_up(game: Game, now: datetime) -> None:
    """Let the clock of a locked game stand still for the outages that are not made up for yet."""
    changes = _changes(game, _open, now) if _open and game.status == Status.PLAYING else {}
    if changes:
        Game.objects.filter(pk=game.pk).update(**changes)


def compensate(*, now: datetime) -> int:
    """Make up for every outage, a short transaction at a time; returns for how many.

    Several workers may do this at once; one that dies leaves the rest to the next.
    """
    global _open
    done = sum(_some_more(pk, now) for pk in throttled(_not_compensated()))
    _open = ()
    return done


def _not_compensated() -> Iterator[int]:
    """The key of the first outage that is not made up for, until there is none."""
    open_ones = OutageRow.objects.filter(done_at__isnull=True).order_by("pk").values_list("pk", flat=True)
    while (pk := open_ones.first()) is not None:
        yield pk


def _some_more(pk: int, now: datetime) -> bool:
    """See to some rows; whether everything is done with that."""
    with transaction.atomic():
        row = OutageRow.objects.select_for_update().get(pk=pk)
        if row.done_at is not None:
            return False
        outage = Outage(row.begins_at, row.ends_at)
        every: dict[str, Callable[[], int | None]] = {
            GAMES: lambda: _some_games(row, outage, now),
            OFFERS: lambda: _some_offers(outage, row.after),
            **{name: partial(step, outage, row.after) for name, step in steps().items()},
        }
        names = list(every)
        row.step = row.step or names[0]
        after = every[row.step]()
        if after is not None:
            row.after = after
        elif row.step != names[-1]:
            row.step, row.after = names[names.index(row.step) + 1], 0
        else:
            row.done_at = now
            emit(
                OutageMadeUp(pk=row.pk, begins_at=row.begins_at, ends_at=row.ends_at, games=row.games, at=now)
            )
        row.save()
    return row.done_at is not None


def _some_games(row: OutageRow, outage: Outage, now: datetime) -> int | None:
    games = Game.objects.filter(pk__gt=row.after, status=Status.PLAYING)
    if not outage.is_backward:
        games = games.filter(turn_since__lt=outage.ends)
    found = list(games.select_for_update(no_key=True).order_by("pk")[:ROWS_AT_ONCE])
    changed = [game for game in timing.prefetch_vacations(found) if _changes(game, (outage,), now)]
    Game.objects.bulk_update(changed, ["turn_since", "adjourned", "deadline_at", "remind_at", "remind_of"])
    for game in changed:
        if game.pace == "live":  # what others show of their clocks is days away
            emit(game_event(TimeChanged, game))
    row.games += len(changed)
    return found[-1].pk if found else None


def _some_offers(outage: Outage, after: int) -> int | None:
    if outage.is_backward:
        return None
    waiting = Game.objects.filter(pk__gt=after, status=Status.WAITING, created_at__lt=outage.ends)
    keys = list(waiting.order_by("pk").values_list("pk", flat=True)[:ROWS_AT_ONCE])
    Game.objects.filter(pk__in=keys, status=Status.WAITING).update(expires_at=F("expires_at") + outage.length)
    return keys[-1] if keys else None


def _changes(game: Game, outages: tuple[Outage, ...], now: datetime) -> dict[str, Any]:
    """What changes of a running game, also on ``game``; nothing where it was seen to before."""
    assert game.turn_since is not None
    spans, since = timing.adjournments(game), game.turn_since
    for outage in outages:
        if outage.is_backward:
            spans, since = _set_back(spans, outage), min(since, outage.ends)
        elif since < outage.ends:
            spans = timing.with_pause(spans, (outage.begins, outage.ends))
    if spans == timing.adjournments(game) and since == game.turn_since:
        return {}
    game.turn_since = since
    changes = {"turn_since": since, **timing.pause(game, spans, now=now)}
    for name, value in changes.items():
        setattr(game, name, value)
    return changes


def _set_back(spans: tuple[Span, ...], outage: Outage) -> tuple[Span, ...]:
    """The spans without what a clock that was ahead made of them; what a director set stays."""
    made_by_clock = set(
        OutageRow.objects.filter(ends_at__gt=outage.ends, begins_at__lt=F("ends_at")).values_list(
            "ends_at", flat=True
        )
    )
    cut = ((begins, min(ends, outage.ends) if ends in made_by_clock else ends) for begins, ends in spans)
    return tuple((begins, ends) for begins, ends in cut if begins < ends)
