"""The addresses of games, of the try-out board and of the rules."""

from __future__ import annotations

from django.urls import path

from crownhead.server.play import views

app_name = "play"

urlpatterns = [
    path("games/finished/", views.finished, name="finished"),
    path("games/<slug:public_id>/", views.game, name="game"),
    path("games/<slug:public_id>/resign/", views.resign, name="resign"),
    path("games/<slug:public_id>.pdn", views.pdn, name="pdn"),
    path("watch/", views.watch, name="watch"),
    path("try/", views.try_out, name="try_out"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:key>/", views.rules_of, name="rules_of"),
]
