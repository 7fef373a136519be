"""Inviting friends to the club by e-mail: once, and never against their will."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import check_may_write
from crownhead.server.accounts.addresses import selectors
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import invitation_opt_out, stranger_mail
from crownhead.server.accounts.validators import check_address
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.people.events import FriendInvited
from crownhead.server.people.models import ToldFriend

LINK_LASTS = timedelta(days=90)


def invite(*, user: User, address: str, message: str, site: str, now: datetime) -> None:
    """Send somebody an invitation to the club, with a link by which to join.

    Whether the address has an account, has opted out or has had enough is not revealed. ``site``: the club's
    own address. Raises ``Unprocessable``, ``Forbidden`` while the user's own address is not confirmed, and
    ``Conflict`` when the user has already invited this friend.
    """
    text, to = stranger_mail.check_note(message), _checked(address)
    check_may_write(user=user, now=now, text=text)
    stranger_mail.expect_may_send(user=user, now=now)
    try:
        with transaction.atomic():
            digest = selectors.digest(to)
            invitation = ToldFriend.objects.create(user=user, digest=digest, told_at=now)
            if stranger_mail.may_get(address=to, sender=user, now=now):
                emit(
                    FriendInvited(
                        address=to,
                        name=user.username,
                        message=text,
                        link=site + reverse("people:welcome", args=[invitation.token]),
                        stop=site + reverse("people:no_more", args=[invitation_opt_out.token_for(to)]),
                    )
                )
    except IntegrityError as error:
        raise Conflict(_("You have already invited this friend.")) from error


def forget_links(*, now: datetime) -> int:
    """Delete old links, and with them who invited whom; returns how many."""
    return sweep(ToldFriend.objects.filter(told_at__lt=now - LINK_LASTS))


def send(event: FriendInvited) -> None:
    """Send the e-mail, or raise the error of the mail server."""
    text = render_to_string("people/mail/friend.txt", {"invitation": event, "club_name": settings.CLUB_NAME})
    subject = _("%(name)s invites you to %(club)s") % {"name": event.name, "club": settings.CLUB_NAME}
    EmailMessage(
        f"[{settings.CLUB_NAME}] {subject}",
        text,
        to=[event.address],
        headers=invitation_opt_out.headers(event.stop),
    ).send()


def _checked(address: str) -> str:
    text = address.strip()
    try:
        check_address(text)
    except ValidationError as error:
        raise Unprocessable(
            _("%(given)s is not an e-mail address.") % {"given": repr(text[:80])}, field="address"
        ) from error
    return text
