"""The teams, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """Above the ratings: people who play under one name."""

    name = "crownhead.server.teams"
    label = "teams"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what others find by its name: the handlers and the parts of the archive."""
        for module in ("exports", "handlers"):
            import_module(f"{self.name}.{module}")
