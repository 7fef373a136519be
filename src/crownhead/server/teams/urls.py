"""The URLs of this app's pages."""

from __future__ import annotations

from django.urls import path

from crownhead.server.teams.views import board, matches, members, teams

app_name = "teams"

urlpatterns = [
    path("teams/", teams.all_teams, name="all"),
    path("teams/new/", teams.new_team, name="new"),
    path("teams/<slug:team_id>/", teams.team, name="team"),
    path("teams/<slug:team_id>/edit/", teams.edit, name="edit"),
    path("teams/<slug:team_id>/join/", members.join, name="join"),
    path("teams/<slug:team_id>/leave/", members.leave, name="leave"),
    path("teams/<slug:team_id>/members/", members.members, name="members"),
    path("teams/<slug:team_id>/board/", board.board, name="board"),
    path("teams/<slug:team_id>/challenge/", matches.challenge, name="challenge"),
    path("team-matches/<slug:match_id>/", matches.match, name="match"),
]
