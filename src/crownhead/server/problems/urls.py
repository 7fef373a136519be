"""The addresses of this app's pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.problems import views

app_name = "problems"

urlpatterns: list[URLPattern] = [
    path("problems/", views.overview, name="all"),
    path("problems/next/", views.next_problem, name="next"),
    path("problems/practice/", views.practice, name="practice"),
    path("problems/<slug:key>/", views.problem, name="problem"),
]
