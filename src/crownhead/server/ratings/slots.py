"""What pages show of ratings: a figure beside each name, asked for at once, and what a game has made of both.

{% slot "ratings" offers "creator" "variant_key" %}      one question for a whole list
{% slot "rating" offer.creator offer.variant_key %}      1512, or 1512? where it is provisional
{% slot "rating_changes" state.id %}                     what a finished game has made of both ratings
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.template import Context
from django.template.loader import render_to_string

from crownhead.server.core.slots import fill
from crownhead.server.ratings import selectors
from crownhead.server.ratings.selectors import Rating

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


@fill("ratings")
def ratings(context: Context, items: Iterable[Any], name: str, variant: str) -> str:
    """Ask for the ratings of all items of a list: ``name`` and ``variant`` are what they call these."""
    places = {(getattr(item, name), getattr(item, variant)) for item in items}
    kept = _kept(context)
    kept.update(dict.fromkeys(places))
    kept.update(selectors.ratings_by_name(places))
    return ""


@fill("rating")
def rating(context: Context, name: str, variant: str) -> str:
    """The rating of a player in a variant, by his name; nothing where he has none."""
    kept = _kept(context)
    if (name, variant) not in kept:
        kept[name, variant] = selectors.ratings_by_name({(name, variant)}).get((name, variant))
    return render_to_string("ratings/beside.html", {"rating": kept[name, variant]})


@fill("rating_changes")
def rating_changes(_context: Context, game_id: str) -> str:
    """What a game has made of the ratings of its players; nothing of one that did not count."""
    changes = selectors.named_changes_of_game(game_id)
    told = [Changed(name, before, points) for name, before, points in changes]
    return render_to_string("ratings/changes.html", {"changes": told})


def _kept(context: Context) -> dict[tuple[str, str], Rating | None]:
    """What has been asked for on this page."""
    request = context.get("request")
    store: Any = context.render_context if request is None else request.__dict__
    found: dict[tuple[str, str], Rating | None] = store.setdefault(_KEPT, {})
    return found
