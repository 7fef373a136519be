"""The app of the games, for Django."""

from __future__ import annotations

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Loads the handlers of the games' events."""

    name = "crownhead.server.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire what happens here to those who want to know."""
        from crownhead.server.play import handlers

        handlers.wire()
