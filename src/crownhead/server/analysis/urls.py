"""The addresses of the engine: games against it, the analysis board, reviews."""

from __future__ import annotations

from django.urls import path

from crownhead.server.analysis import board_views, computer_views, review_views

app_name = "analysis"

urlpatterns = [
    path("new/computer/", computer_views.new_game, name="new_game"),
    path("analysis/", board_views.board, name="board"),
    path("analysis/begin/", board_views.begin, name="begin"),
    path("analysis/<slug:study_id>/stop/", board_views.stop, name="stop"),
    path("games/<slug:public_id>/review/", review_views.review, name="review"),
    path("games/<slug:public_id>/review.pdn", review_views.record, name="review_record"),
]
