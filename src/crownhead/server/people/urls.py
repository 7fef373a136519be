"""The addresses of the pages about people and of one's own data."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.people.views import account, contacts, friends, players, preferences

app_name = "people"

urlpatterns: list[URLPattern] = [
    path("players/", players.players, name="players"),
    path("players/<str:name>/", players.player, name="player"),
    path("players/<str:name>/avatar.svg", players.avatar, name="avatar"),
    path("players/<str:name>/games/", players.games, name="games"),
    path("players/<str:name>/contact/", contacts.change, name="contact"),
    path("buddies/", contacts.buddies, name="buddies"),
    path("blocked/", contacts.blocked, name="blocked"),
    path("friends/", friends.invite, name="tell_a_friend"),
    path("friends/<slug:token>/", friends.welcome, name="welcome"),
    path("no-more/<str:token>/", friends.no_more, name="no_more"),
    path("profile/", preferences.edit_profile, name="edit_profile"),
    path("preferences/", preferences.edit_preferences, name="preferences"),
    path("my-data/", account.my_data, name="my_data"),
    path("my-data/<slug:public_id>.zip", account.download, name="download"),
    path("close-account/", account.close, name="close_account"),
]
