"""The teams, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """Above the ratings: people who play under one name."""

    name = "crownhead.server.teams"
    label = "teams"
    default_auto_field = "django.db.models.BigAutoField"
