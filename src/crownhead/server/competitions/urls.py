"""The URLs of this app's pages."""

from __future__ import annotations

from django.urls import path

from crownhead.server.competitions.views import appointments, directing, editing, tournaments

app_name = "competitions"

urlpatterns = [
    path("tournaments/", tournaments.all_tournaments, name="all"),
    path("tournaments/new/", editing.new, name="new"),
    path("tournaments/<slug:tournament_id>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:tournament_id>/edit/", editing.edit, name="edit"),
    path("tournaments/<slug:tournament_id>/take-part/", tournaments.take_part, name="take_part"),
    path("tournaments/<slug:tournament_id>/rounds/", tournaments.rounds, name="rounds"),
    path("tournaments/<slug:tournament_id>/rounds/<int:number>/", tournaments.rounds, name="round"),
    path(
        "tournaments/<slug:tournament_id>/rounds/<int:number>/<int:table>/appointment/",
        appointments.appointment,
        name="appointment",
    ),
    path("tournaments/<slug:tournament_id>/players/", tournaments.players, name="players"),
    path("tournaments/<slug:tournament_id>/log/", tournaments.log, name="log"),
    path("tournaments/<slug:tournament_id>/direct/", directing.direct, name="direct"),
]
