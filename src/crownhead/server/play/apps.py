"""The app of the games, as Django sees it."""

from __future__ import annotations

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Loads the handlers of the games' events."""

    name = "crownhead.server.play"
    label = "play"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire what happens here to those who want to know."""
        import crownhead.server.play.handlers  # noqa: F401 - rows may be used only from here on
