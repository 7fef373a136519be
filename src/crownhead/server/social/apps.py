"""What people say to each other, and the host to all, as Django sees this app."""

from __future__ import annotations

from django.apps import AppConfig

from crownhead.server.core.slots import open_ways


class SocialConfig(AppConfig):
    """Messages, reports, news and help."""

    name = "crownhead.server.social"
    label = "social"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell those below what they may ask for."""
        import crownhead.server.social.handlers
        import crownhead.server.social.jobs
        import crownhead.server.social.slots  # noqa: F401 - rows may be used only from here on

        open_ways(
            report="social:report",
            contact="social:contact",
            help="social:help",
            write="social:new_message",
        )
