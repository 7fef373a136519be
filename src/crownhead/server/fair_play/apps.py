"""The configuration of the fair play app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class FairPlayConfig(AppConfig):
    """The app of evidence for the staff."""

    name = "crownhead.server.fair_play"
    label = "fair_play"
    verbose_name = gettext_lazy("Fair play")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
