"""The addresses of notifications, their settings, and the installable app."""

from __future__ import annotations

from django.urls import path

from crownhead.server.notices.views import app, notices, preferences

app_name = "notices"

urlpatterns = [
    path("notices/", notices.all_notices, name="all"),
    path("notices/read/", notices.read_all, name="read_all"),
    path("notices/preferences/", preferences.preferences, name="preferences"),
    path("notices/stop/<str:token>/", preferences.stop, name="stop"),
    path("notices/<slug:public_id>/", notices.follow, name="follow"),
    path("sw.js", app.worker, name="worker"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("offline/", app.offline, name="offline"),
]
