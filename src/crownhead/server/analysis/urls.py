"""The addresses of the engine: games against it, the analysis board, reviews."""

from __future__ import annotations

from django.urls import path

from crownhead.server.analysis import computer_views

app_name = "analysis"

urlpatterns = [
    path("new/computer/", computer_views.new_game, name="new_game"),
]
