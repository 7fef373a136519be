"""The engine at the club, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Beside the lobby: what the engine does for people."""

    name = "crownhead.server.analysis"
    label = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what others find by its name: handlers, jobs, and what games ask of this app."""
        for module in ("exports", "handlers", "jobs", "computer.services"):
            import_module(f"{self.name}.{module}")
