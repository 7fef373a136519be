"""The addresses of this app's pages."""

from __future__ import annotations

from django.urls import path

from crownhead.server.competitions import appointment_views, director_views, form_views, views

app_name = "competitions"

urlpatterns = [
    path("tournaments/", views.all_tournaments, name="all"),
    path("tournaments/new/", form_views.new, name="new"),
    path("tournaments/<slug:tournament_id>/", views.tournament, name="tournament"),
    path("tournaments/<slug:tournament_id>/edit/", form_views.edit, name="edit"),
    path("tournaments/<slug:tournament_id>/take-part/", views.take_part, name="take_part"),
    path("tournaments/<slug:tournament_id>/rounds/", views.rounds, name="rounds"),
    path("tournaments/<slug:tournament_id>/rounds/<int:number>/", views.rounds, name="round"),
    path(
        "tournaments/<slug:tournament_id>/rounds/<int:number>/<int:table>/appointment/",
        appointment_views.appointment,
        name="appointment",
    ),
    path("tournaments/<slug:tournament_id>/players/", views.players, name="players"),
    path("tournaments/<slug:tournament_id>/log/", views.log, name="log"),
    path("tournaments/<slug:tournament_id>/direct/", director_views.direct, name="direct"),
]
