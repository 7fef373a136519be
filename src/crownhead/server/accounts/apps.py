"""The accounts app as Django sees it."""

from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "crownhead.server.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire the handlers, the jobs and what one may take along of one's data."""
        for module in ("exports", "handlers", "jobs", "security.handlers"):
            import_module(f"{self.name}.{module}")
