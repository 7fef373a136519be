"""Whether the places of ladders are without gaps."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Max, Q

from crownhead.server.core.background.checks import Finding
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.models import Ladder


def findings(_repair: bool) -> Iterator[Finding]:
    """Ladders on which a place is free between others, or a member has none."""
    ladders = Ladder.objects.filter(style=Style.PLACES).annotate(
        last=Max("members__place"),
        placed=Count("members", filter=Q(members__place__isnull=False)),
        people=Count("members"),
    )
    for ladder in ladders.order_by("pk").iterator():
        if ladder.placed != ladder.people or (ladder.last or 0) != ladder.placed:
            yield Finding(f"Ladder {ladder.public_id}: its places are not 1 to {ladder.people}.")
