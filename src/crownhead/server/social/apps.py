"""What people say to each other, and the host to all, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig


class SocialConfig(AppConfig):
    """Messages, reports, news and help."""

    name = "crownhead.server.social"
    label = "social"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell those below what they may ask for."""
        import crownhead.server.social.handlers
        import crownhead.server.social.jobs  # noqa: F401 - rows may be used only from here on
