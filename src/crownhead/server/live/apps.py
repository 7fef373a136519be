"""The live app as Django sees it."""

from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "crownhead.server.live"
    label = "live"
