"""The configuration of the app of messages, reports, news and help."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class SocialConfig(AppConfig):
    """Messages, reports, news and help."""

    name = "crownhead.server.social"
    label = "social"
    verbose_name = gettext_lazy("Community")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the handlers and jobs."""
        import crownhead.server.social.handlers
        import crownhead.server.social.jobs  # noqa: F401 - rows may be used only from here on
