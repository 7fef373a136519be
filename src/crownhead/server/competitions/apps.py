"""The tournaments, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    """Above the games: it makes and hears of those that belong to a round."""

    name = "crownhead.server.competitions"
    label = "competitions"
    default_auto_field = "django.db.models.BigAutoField"
