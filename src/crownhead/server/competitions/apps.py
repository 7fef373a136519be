"""The configuration of the tournaments app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CompetitionsConfig(AppConfig):
    """The app of tournaments."""

    name = "crownhead.server.competitions"
    label = "competitions"
    verbose_name = gettext_lazy("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
