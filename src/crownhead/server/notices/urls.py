"""The addresses of notices, of what one wants to be told, and of the club as an app."""

from __future__ import annotations

from django.urls import path

from crownhead.server.notices import app_views, settings_views, views

app_name = "notices"

urlpatterns = [
    path("notices/", views.all_notices, name="all"),
    path("notices/read/", views.read_all, name="read_all"),
    path("notices/preferences/", settings_views.preferences, name="preferences"),
    path("notices/stop/<str:token>/", settings_views.stop, name="stop"),
    path("notices/<slug:public_id>/", views.follow, name="follow"),
    path("sw.js", app_views.worker, name="worker"),
    path("manifest.webmanifest", app_views.manifest, name="manifest"),
    path("offline/", app_views.offline, name="offline"),
]
