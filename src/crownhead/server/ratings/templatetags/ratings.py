"""Template tags for ratings: a number beside each name, and what a finished game changed.

{% load ratings %}
{% preload_ratings offers "creator" "variant_key" %}     fetches the ratings of a whole list with one query
{% rating offer.creator offer.variant_key %}             1512, or 1512? while provisional
{% rating_changes state.id %}                            how a finished game changed both players' ratings
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from crownhead.server.ratings import selectors
from crownhead.server.ratings.presenters.history import Changed
from crownhead.server.ratings.selectors import Rating

register = template.Library()

_KEPT = "ratings beside names"
_Place = tuple[str, str]  # a player's name and the key of a variant


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChange(Changed):
    """The rating changes of a game, with the players' names."""

    name: str


@register.simple_tag(takes_context=True)
def preload_ratings(context: Context, items: Iterable[Any], name: str, variant: str) -> str:
    """Fetch the ratings of all items; ``name`` and ``variant`` are the attributes that hold these."""
    _known(context, {(getattr(item, name), getattr(item, variant)) for item in items})
    return ""


@register.simple_tag(takes_context=True)
def rating(context: Context, name: str, variant: str) -> SafeString | str:
    """Show the rating of a player in a variant, by username; nothing where they have none."""
    place = (name, variant)
    known = _known(context, {place})[place]
    return _beside_name(known, get_language() or "") if known else ""


@lru_cache(maxsize=4096)
def _beside_name(rating: Rating, _language: str) -> SafeString:
    rendered: SafeString = render_to_string("ratings/beside_name.html", {"rating": rating})
    return rendered


@register.inclusion_tag("ratings/changes.html")
def rating_changes(game_id: str) -> dict[str, list[NamedChange]]:
    """Show how a game changed its players' ratings; nothing for a game that did not count."""
    changes = selectors.named_changes_of_game(game_id)
    return {
        "changes": [NamedChange(name=name, before=before, points=points) for name, before, points in changes]
    }


def _known(context: Context, places: set[_Place]) -> dict[_Place, Rating | None]:
    """The ratings that this page has asked for, these places among them; None: the player has none there."""
    request = context.get("request")
    store: Any = context.render_context if request is None else request.__dict__
    known: dict[_Place, Rating | None] = store.setdefault(_KEPT, {})
    if missing := places - known.keys():
        known.update(dict.fromkeys(missing))
        known.update(selectors.ratings_by_name(missing))
    return known
