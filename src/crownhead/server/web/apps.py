"""The configuration of the web app; it has no models."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "crownhead.server.web"
    label = "web"
