"""The addresses of games, of the try-out board and of the rules."""

from __future__ import annotations

from django.urls import path

from crownhead.server.play import (
    archive_views,
    badges,
    editor_views,
    game_views,
    match_views,
    picture_views,
    plan_views,
    vacation_views,
    views,
)

app_name = "play"

urlpatterns = [
    path("games/next/", views.next_game, name="next_game"),
    path("games/finished/", archive_views.finished, name="finished"),
    path("games/finished/all.pdn", archive_views.records, name="records"),
    path("games/<slug:public_id>/", game_views.game, name="game"),
    path("games/<slug:public_id>/resign/", game_views.resign, name="resign"),
    path("games/<slug:public_id>/plan/", plan_views.plan, name="plan"),
    path("games/<slug:public_id>/plan/news/", plan_views.news, name="plan_news"),
    path("games/<slug:public_id>.pdn", game_views.pdn, name="pdn"),
    path("games/<slug:public_id>.svg", picture_views.game_svg, name="svg"),
    path("games/<slug:public_id>.png", picture_views.game_png, name="png"),
    path("games/<slug:public_id>.fen", picture_views.game_fen, name="fen"),
    path("matches/<slug:match_id>/", match_views.match, name="match"),
    path("badges/", badges.view, name="badges"),
    path("vacation/", vacation_views.my_vacation, name="vacation"),
    path("watch/", views.watch, name="watch"),
    path("try/", views.try_out, name="try_out"),
    path("editor/", editor_views.editor, name="editor"),
    path("diagram.svg", picture_views.diagram_svg, name="picture"),
    path("diagram.png", picture_views.diagram_png, name="picture_png"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:key>/", views.rules_of, name="rules_of"),
]
