"""The app of the waiting room, as Django sees it; an open game is a row of games, not of this app."""

from __future__ import annotations

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Above the games: it decides who may take which."""

    name = "crownhead.server.lobby"
    label = "lobby"
