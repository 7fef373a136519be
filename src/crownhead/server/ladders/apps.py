"""The ladders, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    """Above the games: it makes and hears of those that are challenges."""

    name = "crownhead.server.ladders"
    label = "ladders"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire what happens here to those who want to know."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
