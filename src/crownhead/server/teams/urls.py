"""The addresses of this app's pages."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "teams"

urlpatterns: list[URLPattern] = []
