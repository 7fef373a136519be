"""The configuration of the problems app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ProblemsConfig(AppConfig):
    """The app of problems to solve."""

    name = "crownhead.server.problems"
    label = "problems"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
