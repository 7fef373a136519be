"""The addresses of the home page, new games, the waiting room and invitations."""

from __future__ import annotations

from django.urls import path

from crownhead.server.lobby import invitation_views, new_game_views, views

app_name = "lobby"

urlpatterns = [
    path("", views.home, name="home"),
    path("new/", new_game_views.new_game, name="new_game"),
    path("waiting-room/", views.waiting_room, name="waiting_room"),
    path("waiting-room/<slug:public_id>/take/", views.take, name="take"),
    path("waiting-room/<slug:public_id>/withdraw/", views.withdraw, name="withdraw"),
    path("invitations/", invitation_views.list_all, name="invitations"),
    path("invitations/<slug:public_id>/accept/", invitation_views.accept, name="accept"),
    path("invitations/<slug:public_id>/decline/", invitation_views.decline, name="decline"),
    path("join/<str:token>/", invitation_views.join, name="join"),
]
