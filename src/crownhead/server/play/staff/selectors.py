"""Questions about what players asked of the staff."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from crownhead.server.play.choices import StaffVerb
from crownhead.server.play.clocks import timing
from crownhead.server.play.models import Appeal, Game, StaffAction

__all__ = ["Appeal", "appeals", "why_adjourned"]


def appeals(*, game: Game) -> QuerySet[Appeal]:
    """What the staff were asked about a game, in order: for its players and the staff."""
    return Appeal.objects.filter(game=game).order_by("pk")


def why_adjourned(*, game: Game, now: datetime) -> str:
    """The reason for which the clock of a game stands still; empty where it does not."""
    if timing.adjourned_until(game, now) is None:
        return ""
    actions = StaffAction.objects.filter(game=game, verb=StaffVerb.ADJOURNED).order_by("-pk")
    return actions.values_list("reason", flat=True).first() or ""
