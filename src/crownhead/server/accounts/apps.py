"""The accounts app as Django sees it."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "crownhead.server.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
