"""The accounts app as Django sees it."""

from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "crownhead.server.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire the handlers."""
        import_module("crownhead.server.accounts.handlers")
