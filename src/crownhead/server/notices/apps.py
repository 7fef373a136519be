"""The notices, as Django sees this app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class NoticesConfig(AppConfig):
    """Notifies members, once, of what happens in the apps below."""

    name = "crownhead.server.notices"
    label = "notices"
    verbose_name = gettext_lazy("Notifications")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire what happens in the club to those who want to know."""
        for module in ("exports", "handlers", "jobs"):
            import_module(f"{self.name}.{module}")
