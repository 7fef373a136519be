"""The app of the waiting room, as Django sees it; an open game is a row of games, not of this app."""

from __future__ import annotations

from django.apps import AppConfig

from crownhead.server.core.slots import open_ways


class LobbyConfig(AppConfig):
    """Above the games: it decides who may take which."""

    name = "crownhead.server.lobby"
    label = "lobby"

    def ready(self) -> None:
        """Let pages of games lead here."""
        open_ways(
            home="lobby:home",
            new_game="lobby:new_game",
            waiting_room="lobby:waiting_room",
            take_game="lobby:take",
            withdraw_game="lobby:withdraw",
            accept_game="lobby:accept",
            decline_game="lobby:decline",
        )
