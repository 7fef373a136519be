"""The pages of games, as Django sees this app; it has no rows of its own."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "crownhead.server.pages"
    label = "pages"
