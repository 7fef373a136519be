"""Keeping evidence for the staff, as little of it and as briefly as serves its end."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import lru_cache

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils.crypto import salted_hmac

from crownhead.server.accounts.access import hold_member, hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import NotSignedIn
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.models import LONGEST_FEN, EngineRequest, Sighting

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # sightings since a member was last seen with it
EVIDENCE_KEPT = timedelta(days=365)
MAX_OF_GAME = 100  # positions of one game about which one player asked; there are many that are near
MAX_TRACES = 200  # of one kind and one member: a program can make up a cookie for each request
NOTED_EVERY = timedelta(hours=1)
_KEY = "crownhead.fair-play"


def digest(value: str) -> str:
    """A hash that only this club can make: its key is derived from the club's secret key."""
    return _digest(value, settings.SECRET_KEY)


@lru_cache(maxsize=10_000)  # every request of a member asks for two
def _digest(value: str, secret: str) -> str:
    return salted_hmac(_KEY, value, secret=secret, algorithm="sha256").hexdigest()


def note_sighting(*, user: User, trace: Trace, value: str, now: datetime) -> None:
    """Remember that a member acted from an address or with a browser, at most once an hour, and so many.

    A database that is too busy for this stops nobody.
    """
    hashed = digest(value)
    if not cache.add(f"sighting:{user.pk}:{hashed}", 1, timeout=int(NOTED_EVERY.total_seconds())):
        return
    mine = Sighting.objects.filter(user=user, trace=trace)
    row = Sighting(user=user, trace=trace, digest=hashed, first_at=now, last_at=now)
    try:
        with transaction.atomic():
            hold_member(user)
            others = mine.exclude(digest=hashed)
            if others.count() >= MAX_TRACES:
                _make_room(others)
            Sighting.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["user", "trace", "digest"],
                update_fields=["last_at"],
            )
    except NotSignedIn:
        return  # the request closed the account, or came too late
    except DatabaseError as error:
        log.warning("a sighting of %s could not be noted: %s", user.username, error)


def _make_room(traces: QuerySet[Sighting]) -> None:
    """Delete what says least: what was seen once, the oldest of it, and only then what has come again."""
    oldest = traces.order_by("last_at", "pk")
    least = oldest.filter(last_at=F("first_at")).first() or oldest.first()
    if least is not None:
        least.delete()


def keep_request(event: EngineRefused) -> None:
    """Keep what a player asked the engine about their own game; asked again, it is counted.

    Of one game so many positions are kept; whatever else is asked counts for the last of them.
    """
    hold_user(event.user_id)
    of_game = EngineRequest.objects.filter(user_id=event.user_id, game_id=event.game_id)
    if of_game.count() >= MAX_OF_GAME:
        same = of_game.filter(variant=event.variant, fen=event.fen[:LONGEST_FEN])
        chosen = same.first() or of_game.latest("pk")
        of_game.filter(pk=chosen.pk).update(times=F("times") + 1, last_at=event.at)
        return
    row, is_new = EngineRequest.objects.get_or_create(
        user_id=event.user_id,
        game_id=event.game_id,
        variant=event.variant,
        fen=event.fen[:LONGEST_FEN],
        defaults={"ply": event.ply, "first_at": event.at, "last_at": event.at},
    )
    if not is_new:
        EngineRequest.objects.filter(pk=row.pk).update(times=F("times") + 1, last_at=event.at)


def forget(*, user_id: int) -> None:
    """Delete with what somebody was seen who closes their account, at most ``MAX_TRACES`` of each kind.

    What they asked the engine may be more: the staff see it no longer, and ``delete_old`` deletes it.
    """
    Sighting.objects.filter(user=user_id).delete()


def delete_old(*, now: datetime) -> None:
    """Delete sightings after a month, requests after a year, and those of closed accounts, guests too."""
    sweep(Sighting.objects.filter(last_at__lt=now - KEPT))
    sweep(EngineRequest.objects.filter(last_at__lt=now - EVIDENCE_KEPT))
    sweep(EngineRequest.objects.filter(user__closed_at__isnull=False))
