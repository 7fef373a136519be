"""The app of the waiting room, for Django."""

from __future__ import annotations

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """The waiting room has no rows of its own: an open game is a game."""

    name = "crownhead.server.lobby"
    label = "lobby"
