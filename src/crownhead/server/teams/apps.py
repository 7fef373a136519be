"""The configuration of the teams app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """The app of teams."""

    name = "crownhead.server.teams"
    label = "teams"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
