"""The configuration of the pages app; it has no models."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "crownhead.server.pages"
    label = "pages"
