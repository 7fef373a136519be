"""A player's ranks on ladders, for their profile: ``{% ladder_places person %}``."""

from __future__ import annotations

from django import template

from crownhead.server.accounts.selectors import User
from crownhead.server.ladders import presenters as ladders_presenters
from crownhead.server.ladders import selectors
from crownhead.server.ladders.presenters import LadderLine

register = template.Library()


@register.inclusion_tag("ladders/places_of.html")
def ladder_places(person: User) -> dict[str, list[LadderLine]]:
    """The player's place or step on each ladder; empty if they are on none."""
    return {
        "ladders": [
            ladders_presenters.line(row.ladder, mine=row.rank) for row in selectors.memberships_of(person)
        ]
    }
