"""The app of the waiting room, as Django sees it; it has no rows of its own: an open game is a game."""

from __future__ import annotations

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Above the games: it decides who may take which."""

    name = "crownhead.server.lobby"
    label = "lobby"
