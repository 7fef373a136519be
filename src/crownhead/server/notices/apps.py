"""The notices, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Above all that happens: it tells people of it, once."""

    name = "crownhead.server.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"
