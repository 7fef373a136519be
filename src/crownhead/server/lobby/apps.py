"""The configuration of the lobby app."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Waiting room, new games and invitations; open games are rows of ``play``."""

    name = "crownhead.server.lobby"
    label = "lobby"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        for module in ("exports", "handlers"):
            import_module(f"{self.name}.{module}")
