"""The verbs of ratings, for the doors."""

from __future__ import annotations

from crownhead.server.ratings.services.recounting import recalculate, recount_waiting

__all__ = ["recalculate", "recount_waiting"]
