"""The ops app as Django sees it."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "crownhead.server.ops"
    label = "ops"
