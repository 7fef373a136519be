"""What is left of closed ladders: open challenges, which become void.

They count for nothing from when the ladder was closed. A request voids a few, and the worker the others.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.ladders.models import Challenge, Ladder
from crownhead.server.ladders.services import challenges

MAX_VOIDED = 5  # in one request


def void_the_rest(*, ladder_id: str) -> None:
    """Void the other open challenges of a closed ladder, each by itself; doing it again changes nothing."""
    going_on = Challenge.objects.filter(ladder__public_id=ladder_id, ended_at__isnull=True)
    one_by_one(
        list(going_on.order_by("pk").values_list("pk", flat=True)),
        lambda key: challenges.void_of_closed_ladder(ladder_id=ladder_id, challenge_id=key),
        failing="challenge %s of a closed ladder cannot be voided",
    )


def void_forgotten() -> None:
    """Void what a worker has left of them: it may have been killed, or have failed."""
    one_by_one(
        list(_left().order_by("pk").values_list("public_id", flat=True)),
        lambda ladder_id: void_the_rest(ladder_id=ladder_id),
        failing="the challenges of the closed ladder %s cannot be voided",
    )


def is_left(ladder_id: str) -> bool:
    """Whether a closed ladder has open challenges."""
    return _left().filter(public_id=ladder_id).exists()


def _left() -> QuerySet[Ladder]:
    going_on = Challenge.objects.filter(ladder=OuterRef("pk"), ended_at__isnull=True)
    return Ladder.objects.filter(Exists(going_on), closed_at__isnull=False)
