"""The addresses of the pages about people and of one's own data."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.people import account_views, friend_views, preference_views, tie_views, views

app_name = "people"

urlpatterns: list[URLPattern] = [
    path("players/", views.players, name="players"),
    path("players/<str:name>/", views.player, name="player"),
    path("players/<str:name>/avatar.svg", views.avatar, name="avatar"),
    path("players/<str:name>/games/", views.games, name="games"),
    path("players/<str:name>/tie/", tie_views.change, name="tie"),
    path("buddies/", tie_views.buddies, name="buddies"),
    path("ignored/", tie_views.ignored, name="ignored"),
    path("friends/", friend_views.tell, name="tell_a_friend"),
    path("friends/<slug:token>/", friend_views.welcome, name="welcome"),
    path("no-more/<str:token>/", friend_views.no_more, name="no_more"),
    path("profile/", preference_views.edit_profile, name="edit_profile"),
    path("preferences/", preference_views.edit_preferences, name="preferences"),
    path("my-data/", account_views.my_data, name="my_data"),
    path("my-data/<slug:public_id>.zip", account_views.download, name="download"),
    path("close-account/", account_views.close, name="close_account"),
]
