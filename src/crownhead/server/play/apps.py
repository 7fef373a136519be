"""The Django app of the games."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class PlayConfig(AppConfig):
    """Loads the handlers of the games' events."""

    name = "crownhead.server.play"
    label = "play"
    verbose_name = gettext_lazy("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the event handlers and data exports."""
        for module in ("exports", "handlers", "jobs"):  # rows may be used only from here on
            import_module(f"{self.name}.{module}")
