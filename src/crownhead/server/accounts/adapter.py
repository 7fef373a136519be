"""The decisions that allauth leaves to us: names, client addresses, mail that cannot be sent."""

import logging
from typing import Any
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.addresses.services import undo_link
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.sessions import plain_address
from crownhead.server.accounts.selectors import name_is_taken
from crownhead.server.accounts.validators import check_name
from crownhead.server.core import clock
from crownhead.server.core.http import client_address, site_address

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The rules of the club for accounts."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("Wrong username or password."),
        "email_password_mismatch": _("Wrong e-mail address or password."),
        "username_taken": _("This name, or one very similar to it, is already taken."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: ARG002
        """Return the name if it is well formed, not reserved, and not similar to another."""
        check_name(username)
        if name_is_taken(username, clock.now()):
            raise ValidationError(self.error_messages["username_taken"], code="taken")
        return username

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address for rate limits and the list of sessions."""
        return plain_address(client_address(request))

    def format_email_subject(self, subject: str) -> str:
        """Put the club's name before the subject."""
        return f"[{settings.CLUB_NAME}] {subject}"

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """With the link that takes a change of address back, for the old one."""
        if template_prefix == "account/email/email_changed":
            context = {**(context or {}), "undo_link": undo_link(request=self.request, user=user)}
            context["days"] = settings.EMAIL_UNDO_DAYS
        super().send_notification_mail(template_prefix, user, context, email)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link of a mail; it names the club's own address, whatever the request says."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return site_address(self.request) + path.replace("UID-KEY", quote(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link of a mail, likewise."""
        return site_address(request) + reverse("account_confirm_email", args=[emailconfirmation.key])

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send, or log why not; the visitor's action succeeds all the same."""
        try:
            super().send_mail(template_prefix, email, {"club_name": settings.CLUB_NAME, **context})
        except OSError as error:
            log.error("an e-mail could not be sent (%s): %s", template_prefix, error)
