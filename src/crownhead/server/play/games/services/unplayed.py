"""Offers that came to nothing are deleted some weeks later: nobody has played there, and there are many."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from crownhead.server.core.jobs import sweep
from crownhead.server.core.queries.literals import literals
from crownhead.server.play.models import Game, Invitation, StaffAction
from crownhead.server.play.models.games import UNPLAYED

KEPT = timedelta(days=30)  # after the offer has ended


def delete_old(*, now: datetime) -> int:
    """Delete offers that were withdrawn, declined or not taken in time; return how many.

    Those that other rows speak of stay: the games of contests and matches, a rematch, which is asked for
    once, and what the staff has had to do with.
    """
    of_staff = StaffAction.objects.filter(game=OuterRef("pk"))
    rematches = Invitation.objects.filter(game=OuterRef("pk")).exclude(again_of="")
    ended = Game.objects.filter(status__in=literals(UNPLAYED), ended_at__lt=now - KEPT)
    offers = ended.filter(contest_event="", match_number=None)  # no ``match`` would be sought in an index
    return sweep(offers.exclude(Exists(of_staff) | Exists(rematches)))
