"""The mail by which somebody without an account is invited to a game."""

from __future__ import annotations

from urllib.parse import urljoin

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.services import invitation_opt_out, stranger_mail
from crownhead.server.core import clock
from crownhead.server.play.clocks.presenters import pace_of
from crownhead.server.play.events import InvitedByMail
from crownhead.server.play.games.selectors import guests
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.models import Game
from crownhead.server.play.presenters.variant_texts import variant_name


def send(event: InvitedByMail) -> None:
    """Send it, or raise what the mail server says; an address that wants no more or had enough gets none."""
    game = Game.objects.select_related("creator").get(public_id=event.game_id)
    if not stranger_mail.may_get(address=event.email, sender=game.creator, now=clock.now()):
        return
    stop = urljoin(event.link, reverse("people:no_more", args=[invitation_opt_out.token_for(event.email)]))
    variant = variant_name(VARIANTS[event.variant])
    subject = _("%(name)s invites you to a game of %(variant)s") % {
        "name": event.inviter,
        "variant": variant,
    }
    text = render_to_string(
        "play/mail/invitation.txt",
        {
            "invitation": event,
            "variant": variant,
            "pace": pace_of(game),
            "rated": game.rated,
            "own_start": has_own_start(game),
            "open_to_guests": guests.may_take(game),
            "club_name": settings.CLUB_NAME,
            "stop": stop,
        },
    )
    EmailMessage(
        f"[{settings.CLUB_NAME}] {subject}", text, to=[event.email], headers=invitation_opt_out.headers(stop)
    ).send()
