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
from crownhead.server.ratings.shown import Changed

_KEPT = "ratings beside names"
_Place = tuple[str, str]  # a player's name and the key of a variant


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChange(Changed):
    """What a game has made of the rating of a player, by his name."""

    name: str


@fill("ratings")
def ratings(context: Context, items: Iterable[Any], name: str, variant: str) -> str:
    """Ask for the ratings of all items of a list: ``name`` and ``variant`` are what they call these."""
    places = {(getattr(item, name), getattr(item, variant)) for item in items}
    _known(context, places)
    return ""


@fill("rating")
def rating(context: Context, name: str, variant: str) -> str:
    """The rating of a player in a variant, by his name; nothing where he has none."""
    place = (name, variant)
    return render_to_string("ratings/beside.html", {"rating": _known(context, {place})[place]})


@fill("rating_changes")
def rating_changes(_context: Context, game_id: str) -> str:
    """What a game has made of the ratings of its players; nothing of one that did not count."""
    changes = selectors.named_changes_of_game(game_id)
    told = [NamedChange(name=name, before=before, points=points) for name, before, points in changes]
    return render_to_string("ratings/changes.html", {"changes": told})


def _known(context: Context, places: set[_Place]) -> dict[_Place, Rating | None]:
    """The ratings that this page has asked for, these places among them; None: the player has none there."""
    request = context.get("request")
    store: Any = context.render_context if request is None else request.__dict__
    known: dict[_Place, Rating | None] = store.setdefault(_KEPT, {})
    if asked := places - known.keys():
        known.update(dict.fromkeys(asked))
        known.update(selectors.ratings_by_name(asked))
    return known
