"""Ratings beside the names in other apps' pages: asked for all at once, shown where a name stands.

{% load rating_marks %}
{% ratings_for offers "creator" "variant_key" %}      one question for a whole list
{% rating_beside offer.creator offer.variant_key %}   1512, or 1512? where it is provisional
{% rating_changes state.id %}                         what a finished game has made of both ratings
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context

from crownhead.server.ratings import selectors
from crownhead.server.ratings.selectors import Rating

register = template.Library()

_KEPT = "ratings beside names"


@dataclass(frozen=True, slots=True)
class Changed:
    """What a game has made of the rating of a player."""

    name: str
    before: int
    points: int

    @property
    def gain(self) -> int:
        """By how much it has gone up, or down."""
        return self.points - self.before

    @property
    def size(self) -> int:
        """The same without its sign."""
        return abs(self.gain)


@register.simple_tag(takes_context=True)
def ratings_for(context: Context, items: Iterable[Any], name: str, variant: str) -> str:
    """Ask for the ratings of all items of a list: ``name`` and ``variant`` are what they call these."""
    places = {(getattr(item, name), getattr(item, variant)) for item in items}
    kept = _kept(context)
    kept.update(dict.fromkeys(places))
    kept.update(selectors.ratings_by_name(places))
    return ""


@register.inclusion_tag("ratings/beside.html", takes_context=True)
def rating_beside(context: Context, name: str, variant: str) -> dict[str, Rating | None]:
    """The rating of a player in a variant, by his name; nothing where he has none."""
    kept = _kept(context)
    if (name, variant) not in kept:
        kept[name, variant] = selectors.ratings_by_name({(name, variant)}).get((name, variant))
    return {"rating": kept[name, variant]}


@register.inclusion_tag("ratings/changes.html")
def rating_changes(game_id: str) -> dict[str, list[Changed]]:
    """What a game has made of the ratings of its players; nothing of one that did not count."""
    changes = selectors.named_changes_of_game(game_id)
    return {"changes": [Changed(name, before, points) for name, before, points in changes]}


def _kept(context: Context) -> dict[tuple[str, str], Rating | None]:
    """What has been asked for on this page."""
    request = context.get("request")
    store: Any = context.render_context if request is None else request.__dict__
    found: dict[tuple[str, str], Rating | None] = store.setdefault(_KEPT, {})
    return found
