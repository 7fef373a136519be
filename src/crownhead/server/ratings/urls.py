"""The addresses of this app's pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.ratings import views

app_name = "ratings"

urlpatterns: list[URLPattern] = [
    path("ratings/", views.overview, name="overview"),
    path("ratings/<slug:key>/", views.variant, name="variant"),
    path("players/<str:name>/ratings/<slug:key>/", views.player, name="player"),
]
