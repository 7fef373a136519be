"""The core app as Django sees it."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "crownhead.server.core"
    label = "core"
