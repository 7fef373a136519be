"""The URLs of this app's pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.ladders import views

app_name = "ladders"

urlpatterns: list[URLPattern] = [
    path("ladders/", views.list_all, name="list"),
    path("ladders/challenges/", views.my_challenges, name="my_challenges"),
    path("ladders/<slug:ladder_id>/", views.standings, name="ladder"),
    path("ladders/<slug:ladder_id>/rules/", views.rules, name="rules"),
    path("ladders/<slug:ladder_id>/challenges/", views.challenges, name="challenges"),
    path("ladders/<slug:ladder_id>/history/", views.history, name="history"),
    path("ladders/<slug:ladder_id>/join/", views.join, name="join"),
    path("ladders/<slug:ladder_id>/leave/", views.leave, name="leave"),
    path("ladders/<slug:ladder_id>/challenge/", views.challenge, name="challenge"),
]
