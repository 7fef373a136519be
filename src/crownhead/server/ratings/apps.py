"""The ratings of players, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Above the games: every result of one counts here in its own transaction."""

    name = "crownhead.server.ratings"
    label = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
