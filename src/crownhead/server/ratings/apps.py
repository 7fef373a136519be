"""The ratings of players, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Above the games: every result of one counts here in its own transaction."""

    name = "crownhead.server.ratings"
    label = "ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the event handlers and data exports."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
