"""Notify people of messages, of decisions on their reports, and of news."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.notify import (
    Draft,
    NotificationText,
    forget,
    notify_user,
    notify_users,
    read_about,
    withdraw,
)
from crownhead.server.notices.tasks import notify_news_subscribers
from crownhead.server.social import events


@on(events.MessageSent)
def notify_recipient(event: events.MessageSent) -> None:
    """Notify the recipient of a message."""
    about = f"talk:{event.conversation_id}"
    read_about(user_id=event.sender_id, about=about, now=event.sent_at)  # who answers has read it
    facts = {"name": name_of(event.sender_id), "subject": event.subject}
    draft = Draft(
        kind=Kind.MESSAGE,
        key=f"message:{event.message_id}",
        about=about,
        link=reverse("social:conversation", args=[event.conversation_id]),
        actor_id=event.sender_id,
    )

    def compose(_person: Person) -> NotificationText:
        template = _("Message from %(name)s: %(subject)s") if event.subject else _("%(name)s wrote to you")
        return NotificationText(template % facts, event.excerpt)

    notify_user(accounts.user(event.recipient_id), draft, compose)


@on(events.MessagesDeleted)
def forget_messages(event: events.MessagesDeleted) -> None:
    """What a notification says of a message is deleted with it, and not sent any more."""
    keys = [f"message:{message_id}" for message_id in event.message_ids]
    forget(Notice.objects.filter(user=event.user_id, key__in=keys), now=clock.now())


@on(events.ConversationsDeleted)
def forget_unread_messages(event: events.ConversationsDeleted) -> None:
    """Likewise of conversations what has not been read yet; the rest follows, message by message."""
    about = [f"talk:{conversation_id}" for conversation_id in event.conversation_ids]
    unread = Notice.objects.filter(about__in=about, user=event.user_id, read_at__isnull=True)
    forget(unread.filter(kind=Kind.MESSAGE), now=clock.now())


@on(events.ReportMade)
def notify_staff(event: events.ReportMade) -> None:
    """Notify all staff of a new report."""
    draft = Draft(
        kind=Kind.STAFF,
        key=f"report:{event.report_id}",
        about=f"report:{event.report_id}",
        link=reverse("admin:index"),
    )
    staff = User.objects.filter(is_staff=True, is_active=True).values_list("pk", flat=True)
    notify_users(
        staff,
        draft,
        lambda _person: NotificationText(_("New report"), _("It is waiting in the back office.")),
    )


@on(events.ReportDecided)
def notify_reporter(event: events.ReportDecided) -> None:
    """Notify the reporter of the decision."""
    withdraw(about=f"report:{event.report_id}", kinds=[Kind.STAFF], now=event.decided_at)
    draft = Draft(
        kind=Kind.REPORT,
        key=f"report:{event.report_id}:decided",
        about=f"report:{event.report_id}",
        link=reverse("social:reports"),
    )
    notify_user(
        accounts.user(event.reporter_id),
        draft,
        lambda _person: NotificationText(_("The staff decided on your report"), event.note),
    )


@on(events.NewsPublished)
def notify_news(event: events.NewsPublished) -> None:
    """Notify those who asked for news; there may be very many, so it is a task of the worker."""
    notify_news_subscribers.enqueue(event.news_id, event.title)
