"""The configuration of the lobby app."""

from __future__ import annotations

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Waiting room, new games and invitations; open games are rows of ``play``."""

    name = "crownhead.server.lobby"
    label = "lobby"
