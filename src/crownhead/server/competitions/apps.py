"""The tournaments, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    """Above the games: it makes and hears of those that belong to a round."""

    name = "crownhead.server.competitions"
    label = "competitions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what others find by its name: the handlers, the jobs and the parts of the archive."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
