"""What pages of games show of ratings: a figure beside each name, and what a game has made of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.template import Context
from django.template.loader import render_to_string

from crownhead.server.core.slots import fill
from crownhead.server.ratings.templatetags import rating_marks


@fill("ratings")
def ratings(context: Context, items: Iterable[Any], name: str, variant: str) -> str:
    """Nothing to be seen: the ratings of a whole list are asked for at once."""
    return rating_marks.ratings_for(context, items, name, variant)


@fill("rating")
def rating(context: Context, name: str, variant: str) -> str:
    """The rating of a player in a variant."""
    return render_to_string("ratings/beside.html", rating_marks.rating_beside(context, name, variant))


@fill("rating_changes")
def rating_changes(_context: Context, game_id: str) -> str:
    """What a game has made of the ratings of its players."""
    return render_to_string("ratings/changes.html", rating_marks.rating_changes(game_id))
