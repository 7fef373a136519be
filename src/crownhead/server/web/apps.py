"""The frame of every page, as Django sees this app; it has no rows of its own."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "crownhead.server.web"
    label = "web"
