"""The pages about people, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Near the top: a profile shows what every app below knows."""

    name = "crownhead.server.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the handlers, jobs and exports."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
