"""The mail by which somebody without an account is invited to a game."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.play.events import InvitedByMail


def send(event: InvitedByMail) -> None:
    """Send it, or raise what the mail server says."""
    variant = VARIANTS[event.variant].name
    subject = _("%(name)s invites you to a game of %(variant)s") % {
        "name": event.inviter,
        "variant": variant,
    }
    text = render_to_string(
        "play/mail/invitation.txt",
        {"invitation": event, "variant": variant, "club_name": settings.CLUB_NAME},
    )
    send_mail(f"[{settings.CLUB_NAME}] {subject}", text, None, [event.email])
