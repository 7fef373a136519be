"""The URLs of the home page, games, the analysis board, reviews and rules."""

from __future__ import annotations

from django.urls import path

from crownhead.server.pages.views import (
    analysis,
    archive,
    computer,
    computer_board,
    crawlers,
    game,
    home,
    match,
    pictures,
    plan,
    public,
    review,
    vacation,
)
from crownhead.server.web import badges

app_name = "pages"

urlpatterns = [
    path("", home.home, name="home"),
    path("now/", home.renewed, name="now"),
    path("first-steps/hide/", home.hide_first_steps, name="hide_first_steps"),
    path("games/", public.games, name="games"),
    path("games/next/", public.next_game, name="next_game"),
    path("games/finished/", archive.finished, name="finished"),
    path("games/finished/all.pdn", archive.records, name="records"),
    path("games/<slug:public_id>/", game.game, name="game"),
    path("games/<slug:public_id>/resign/", game.resign, name="resign"),
    path("games/<slug:public_id>/draw/", game.draw, name="draw"),
    path("games/<slug:public_id>/plan/", plan.plan, name="plan"),
    path("games/<slug:public_id>/plan/news/", plan.news, name="plan_news"),
    path("games/<slug:public_id>.pdn", game.pdn, name="pdn"),
    path("games/<slug:public_id>.svg", pictures.game_svg, name="svg"),
    path("games/<slug:public_id>.png", pictures.game_png, name="png"),
    path("games/<slug:public_id>.fen", pictures.game_fen, name="fen"),
    path("matches/<slug:match_id>/", match.match, name="match"),
    path("badges/", badges.view, name="badges"),
    path("vacation/", vacation.my_vacation, name="vacation"),
    path("watch/", public.watch, name="watch"),
    path("try/", analysis.moved, name="moved_try"),
    path("editor/", analysis.moved_setup, name="moved_editor"),
    path("diagram.svg", pictures.diagram_svg, name="picture"),
    path("diagram.png", pictures.diagram_png, name="picture_png"),
    path("rules/", public.rules, name="rules"),
    path("computer/", computer_board.board, name="computer_board"),
    path("computer/keep/", computer_board.keep, name="computer_keep"),
    path("new/computer/", computer.new_game, name="computer"),
    path("analysis/", analysis.board, name="analysis"),
    path("analysis/guard/", analysis.guard, name="analysis_guard"),
    path("analysis/begin/", analysis.begin, name="analysis_begin"),
    path("analysis/<slug:study_id>/stop/", analysis.stop, name="analysis_stop"),
    path("games/<slug:public_id>/review/", review.review, name="review"),
    path("games/<slug:public_id>/review/from-browser/", review.from_browser, name="review_from_browser"),
    path("games/<slug:public_id>/review.pdn", review.record, name="review_record"),
    path("rules/<slug:key>/", public.rules_of, name="rules_of"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("favicon.ico", crawlers.favicon, name="favicon"),
]
