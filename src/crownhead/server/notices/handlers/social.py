"""What people are told of messages, of their reports and of news."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import after, on
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import Person, name_of
from crownhead.server.notices.services.localized import Matter, Words, speak_to, speak_to_all
from crownhead.server.notices.services.notify import read_about, withdraw
from crownhead.server.notices.tasks import spread_news
from crownhead.server.social import events


@on(events.MessageSent)
def tell_the_recipient(event: events.MessageSent) -> None:
    """Somebody wrote to him."""
    about = f"talk:{event.conversation_id}"
    read_about(user_id=event.sender_id, about=about, now=event.sent_at)  # who answers has read it
    facts = {"name": name_of(event.sender_id), "subject": event.subject}
    matter = Matter(
        kind=Kind.MESSAGE,
        key=f"message:{event.message_id}",
        about=about,
        link=reverse("social:conversation", args=[event.conversation_id]),
        actor_id=event.sender_id,
    )

    def words(_person: Person) -> Words:
        said = _("Message from %(name)s: %(subject)s") if event.subject else _("%(name)s wrote to you")
        return Words(said % facts, event.excerpt)

    speak_to(accounts.user(event.recipient_id), matter, words)


@on(events.ReportMade)
def tell_the_staff(event: events.ReportMade) -> None:
    """Something waits for them."""
    matter = Matter(
        kind=Kind.STAFF,
        key=f"report:{event.report_id}",
        about=f"report:{event.report_id}",
        link=reverse("admin:index"),
    )
    staff = User.objects.filter(is_staff=True, is_active=True).values_list("pk", flat=True)
    speak_to_all(
        staff, matter, lambda _person: Words(_("New report"), _("It is waiting in the back office."))
    )


@on(events.ReportDecided)
def tell_who_reported(event: events.ReportDecided) -> None:
    """The staff have decided."""
    withdraw(about=f"report:{event.report_id}", kinds=[Kind.STAFF], now=event.decided_at)
    matter = Matter(
        kind=Kind.REPORT,
        key=f"report:{event.report_id}:decided",
        about=f"report:{event.report_id}",
        link=reverse("social:reports"),
    )
    speak_to(
        accounts.user(event.reporter_id),
        matter,
        lambda _person: Words(_("The staff decided on your report"), event.note),
    )


@after(events.NewsPublished)
def tell_the_news(event: events.NewsPublished) -> None:
    """To those who asked for news; there may be very many, so it is a task."""
    spread_news.enqueue(event.news_id, event.title)
