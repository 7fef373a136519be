"""Handlers, the unread count, and the parts of the archive of a user's data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, send_mail
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts.addresses.selectors import has_opted_out
from crownhead.server.accounts.events import AccountClosed, AccountShut
from crownhead.server.accounts.selectors import User, players
from crownhead.server.accounts.services import invitation_opt_out, letters, stranger_mail
from crownhead.server.core.events import on
from crownhead.server.core.exports import part
from crownhead.server.social import selectors
from crownhead.server.social.events import GuestAnswered, PlayerBanned
from crownhead.server.social.selectors.reports import reports_of
from crownhead.server.social.services import bans, news
from crownhead.server.web.badges import badge


@badge("messages")
def conversations_not_read(user: User, _now: datetime) -> QuerySet[Any]:
    """The unread conversations."""
    return selectors.unread(user=user)


@part("messages.json")
def my_messages(user: User) -> Iterator[dict[str, Any]]:
    """Yield every message that the user can read, in the order they were sent."""
    for row in selectors.all_messages(user=user).order_by("pk").iterator(chunk_size=500):
        yield {
            "conversation": row.conversation.public_id,
            "subject": row.conversation.subject,
            "from": row.sender.username,
            "to": row.recipient.username,
            "sent_at": row.sent_at,
            "text": row.text,
        }


@part("reports.json")
def my_reports(user: User) -> Iterator[dict[str, Any]]:
    """Yield the user's reports, with the decisions."""
    for row in reports_of(user=user).order_by("pk").iterator(chunk_size=500):
        yield {
            "about": row.kind,
            "reported": row.about.username if row.about else None,
            "reason": row.reason,
            "quoted": row.quoted,
            "reported_at": row.reported_at,
            "decision": row.decision,
            "answer": row.note,
            "decided_at": row.decided_at,
        }


@on(AccountClosed)
def forget_closed_account(event: AccountClosed) -> None:
    """Delete what news they have read; a job deletes their messages."""
    news.forget(user_id=event.user_id)


@on(AccountShut)
def keep_shut_account(event: AccountShut) -> None:
    """The end of a ban does not open what the staff have shut meanwhile."""
    bans.keep_shut(user_id=event.user_id)


@on(PlayerBanned)
def mail_the_reason(event: PlayerBanned) -> None:
    """Store a mail with the reason for a banned player, who can see no page, in the same transaction."""
    context = {"reason": event.reason, "until": event.until, "club_name": settings.CLUB_NAME}
    with letters.in_words_for(players([event.user_id]).get(event.user_id)):
        subject = _("[%(club)s] Your account is suspended") % {"club": settings.CLUB_NAME}
        text = render_to_string("social/mail/banned.txt", context)
    send_mail(subject, text, None, [event.address])


@on(GuestAnswered)
def mail_the_answer(event: GuestAnswered) -> None:
    """Store a mail with the answer for a guest, who has no page for it, in the same transaction.

    Anybody may have typed this address: who wants no mail from strangers gets none, and it repeats little.
    """
    if has_opted_out(event.address):
        return
    token = invitation_opt_out.token_for(event.address)
    stop = f"{settings.PUBLIC_ADDRESS or settings.SERVED_AT}{reverse('people:no_more', args=[token])}"
    context = {
        "letter": stranger_mail.beginning(event.letter),
        "answer": event.answer,
        "club_name": settings.CLUB_NAME,
        "stop": stop,
    }
    with letters.in_words_for(None):
        subject = _("[%(club)s] Answer to your message") % {"club": settings.CLUB_NAME}
        text = render_to_string("social/mail/answer.txt", context)
    EmailMessage(subject, text, to=[event.address], headers=invitation_opt_out.headers(stop)).send()
