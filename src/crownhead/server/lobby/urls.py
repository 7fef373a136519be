"""The URLs of new games, the waiting room and invitations."""

from __future__ import annotations

from django.urls import path

from crownhead.server.lobby.views import invitations, new_game, waiting_room

app_name = "lobby"

urlpatterns = [
    path("new/", new_game.new_game, name="new_game"),
    path("waiting-room/", waiting_room.waiting_room, name="waiting_room"),
    path("waiting-room/<slug:public_id>/take/", waiting_room.take, name="take"),
    path("waiting-room/<slug:public_id>/withdraw/", waiting_room.withdraw, name="withdraw"),
    path("invitations/", invitations.list_all, name="invitations"),
    path("invitations/<slug:public_id>/accept/", invitations.accept, name="accept"),
    path("invitations/<slug:public_id>/decline/", invitations.decline, name="decline"),
    path("join/<str:token>/", invitations.join, name="join"),
]
