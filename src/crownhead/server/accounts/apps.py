"""The accounts app as Django sees it."""

from importlib import import_module

from django.apps import AppConfig
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy

from crownhead.server.accounts.validators import PLAIN_MAILBOX


class AccountsConfig(AppConfig):
    name = "crownhead.server.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Wire the handlers, the jobs, what one may take along of one's data, and how e-mail is spelt."""
        for module in ("exports", "handlers", "jobs", "security.handlers"):
            import_module(f"{self.name}.{module}")
        validate_email.message = gettext_lazy("Enter a valid e-mail address.")  # as the site spells it
        validate_email.user_regex = PLAIN_MAILBOX
