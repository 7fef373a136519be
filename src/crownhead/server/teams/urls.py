"""The addresses of this app's pages."""

from __future__ import annotations

from django.urls import path

from crownhead.server.teams import board_views, match_views, member_views, views

app_name = "teams"

urlpatterns = [
    path("teams/", views.all_teams, name="all"),
    path("teams/new/", views.new_team, name="new"),
    path("teams/<slug:team_id>/", views.team, name="team"),
    path("teams/<slug:team_id>/edit/", views.edit, name="edit"),
    path("teams/<slug:team_id>/join/", member_views.join, name="join"),
    path("teams/<slug:team_id>/leave/", member_views.leave, name="leave"),
    path("teams/<slug:team_id>/members/", member_views.members, name="members"),
    path("teams/<slug:team_id>/board/", board_views.board, name="board"),
    path("teams/<slug:team_id>/challenge/", match_views.challenge, name="challenge"),
    path("team-matches/<slug:match_id>/", match_views.match, name="match"),
]
