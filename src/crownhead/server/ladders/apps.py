"""The configuration of the ladders app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    """The app of ladders."""

    name = "crownhead.server.ladders"
    label = "ladders"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
