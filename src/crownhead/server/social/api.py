"""The API of messages, reports and news."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from ninja import Status as Answer

from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.core import clock
from crownhead.server.core.limits import Limit
from crownhead.server.core.pagination import page
from crownhead.server.core.problems import BadRequest
from crownhead.server.social import selectors
from crownhead.server.social.models import Message, News, Report, Side
from crownhead.server.social.services import messages as message_services
from crownhead.server.social.services import news, reports
from crownhead.server.social.services.limits import spend_for

router = Router(tags=["messages, reports and news"])

LIMIT = Annotated[int, Query(ge=1, le=100)]
CURSOR = Annotated[str | None, Query(max_length=200)]
Text = Annotated[str, Field(max_length=20_000)]


class MessageOut(Schema):
    """A message."""

    id: str
    conversation: str
    sender: str
    recipient: str
    subject: str
    text: str
    sent_at: datetime


class MessagesPage(Schema):
    """Messages, newest first."""

    items: list[MessageOut]
    next: str | None


class ConversationOut(Schema):
    """A conversation with a player as I have it; ``last`` is null when I have deleted all of it."""

    id: str
    player: str
    subject: str
    unread: int
    last: MessageOut | None


class ConversationsPage(Schema):
    """Conversations, the latest first."""

    items: list[ConversationOut]
    next: str | None


class NewMessage(Schema):
    """A message to a player; without a subject it goes on where the two stopped."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: Annotated[str, Field(max_length=400)] = ""
    text: Text


class Reply(Schema):
    """What is answered in a conversation."""

    text: Text


class NewReport(Schema):
    """What is wrong with what: ``key`` is the id of a message or a game, or the name of a player."""

    about: Annotated[str, Field(max_length=20, description="message, player, chat, game, post or staff")]
    key: Annotated[str, Field(max_length=64, description="empty for a letter to the staff")] = ""
    reason: Text


class ReportOut(Schema):
    """What I told the staff, and what they decided: ``decision`` is empty until then."""

    id: str
    about: str
    player: str | None
    reason: str
    reported_at: datetime
    decision: str
    answer: str
    decided_at: datetime | None


class ReportsPage(Schema):
    """Reports, newest first."""

    items: list[ReportOut]
    next: str | None


class NewsOut(Schema):
    """What the host tells everybody; ``html`` is ``text``, which is Markdown, cleaned."""

    id: str
    title: str
    author: str
    text: str
    html: str
    published_at: datetime
    changed_at: datetime


class NewsPage(Schema):
    """News, the latest first."""

    items: list[NewsOut]
    next: str | None


@router.get("/conversations", auth=SIGNED_IN, response=ConversationsPage, summary="My conversations")
def conversations(
    request: HttpRequest, unread: bool = False, cursor: CURSOR = None, limit: LIMIT = 20
) -> ConversationsPage:
    """The latest first; those with people whom I ignore are left out."""
    rows = selectors.conversations(user=signed_in(request), only_unread=unread)
    found = page(rows, order=selectors.CONVERSATIONS_BY, cursor=cursor, limit=limit)
    return ConversationsPage(items=[_conversation(row) for row in found.items], next=found.next)


@router.get(
    "/conversations/{conversation_id}", auth=SIGNED_IN, response=ConversationOut, summary="A conversation"
)
def read_conversation(request: HttpRequest, conversation_id: str) -> ConversationOut:
    """Looking at it does not make it read."""
    return _conversation(selectors.access_conversation(user=signed_in(request), public_id=conversation_id))


@router.get(
    "/conversations/{conversation_id}/messages",
    auth=SIGNED_IN,
    response=MessagesPage,
    summary="What was written",
)
def conversation_messages(
    request: HttpRequest, conversation_id: str, cursor: CURSOR = None, limit: LIMIT = 50
) -> MessagesPage:
    """Newest first."""
    side = selectors.access_conversation(user=signed_in(request), public_id=conversation_id)
    rows = selectors.messages(side=side).select_related("recipient")
    found = page(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=limit)
    return MessagesPage(items=[_message(row) for row in found.items], next=found.next)


@router.post(
    "/conversations/{conversation_id}/messages",
    auth=SIGNED_IN,
    throttle=Limit("messages"),
    response={201: MessageOut},
    summary="Answer",
)
def reply(request: HttpRequest, conversation_id: str, body: Reply) -> Answer[MessageOut]:
    """It goes to the other of the two."""
    message = message_services.reply(
        user=signed_in(request), conversation_id=conversation_id, text=body.text, now=clock.now()
    )
    return Answer(201, _message(message))


@router.post(
    "/conversations/{conversation_id}/read",
    auth=SIGNED_IN,
    response=ConversationOut,
    summary="Note it as read",
)
def mark_read(request: HttpRequest, conversation_id: str) -> ConversationOut:
    """To its end."""
    user = signed_in(request)
    message_services.mark_read(user=user, conversation_id=conversation_id)
    return _conversation(selectors.access_conversation(user=user, public_id=conversation_id))


@router.delete(
    "/conversations/{conversation_id}", auth=SIGNED_IN, response={204: None}, summary="Delete a conversation"
)
def delete_conversation(request: HttpRequest, conversation_id: str) -> Answer[None]:
    """On my side; the other keeps it."""
    message_services.delete_conversation(user=signed_in(request), conversation_id=conversation_id)
    return Answer(204, None)


@router.get("/messages", auth=SIGNED_IN, response=MessagesPage, summary="My messages")
def messages(
    request: HttpRequest,
    box: Literal["received", "sent"] = "received",
    q: Annotated[str, Query(max_length=80)] = "",
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> MessagesPage:
    """Newest first; with ``q`` those received and sent that hold every word of it."""
    user = signed_in(request)
    if q.strip():
        rows = selectors.search(user=user, words=q)
    else:
        rows = selectors.sent(user=user) if box == "sent" else selectors.received(user=user)
    found = page(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=limit)
    return MessagesPage(items=[_message(row) for row in found.items], next=found.next)


@router.post(
    "/messages",
    auth=SIGNED_IN,
    throttle=Limit("messages"),
    response={201: MessageOut},
    summary="Write to somebody",
)
def write(request: HttpRequest, body: NewMessage) -> Answer[MessageOut]:
    """With a subject a conversation begins."""
    user = signed_in(request)
    spend_for(user=user, to=body.to)
    message = message_services.write(
        user=user, to=body.to, subject=body.subject, text=body.text, now=clock.now()
    )
    return Answer(201, _message(message))


@router.delete("/messages/{message_id}", auth=SIGNED_IN, response={204: None}, summary="Delete a message")
def delete_message(request: HttpRequest, message_id: str) -> Answer[None]:
    """On my side; the other keeps it."""
    message_services.delete_message(user=signed_in(request), message_id=message_id)
    return Answer(204, None)


@router.get("/reports", auth=SIGNED_IN, response=ReportsPage, summary="What I told the staff")
def my_reports(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> ReportsPage:
    """Newest first."""
    rows = reports.reports_of(user=signed_in(request))
    found = page(rows, order=("-id",), cursor=cursor, limit=limit)
    return ReportsPage(items=[_report(row) for row in found.items], next=found.next)


@router.post(
    "/reports",
    auth=SIGNED_IN,
    throttle=Limit("reports"),
    response={201: ReportOut},
    summary="Tell the staff of something",
)
def report(request: HttpRequest, body: NewReport) -> Answer[ReportOut]:
    """What is reported is kept as it is now; with ``staff`` the reason is a letter."""
    user, now = signed_in(request), clock.now()
    if body.about == "staff":
        if body.key:
            raise BadRequest("key: expected none with a letter to the staff")
        return Answer(201, _report(reports.letter(user=user, address="", reason=body.reason, now=now)))
    made = reports.report(user=user, kind=body.about, key=body.key, reason=body.reason, now=now)
    return Answer(201, _report(made))


@router.get("/news", auth=None, response=NewsPage, summary="News")
def all_news(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> NewsPage:  # noqa: ARG001
    """What the host tells everybody, the latest first; needs nobody."""
    found = page(news.published(), order=news.BY, cursor=cursor, limit=limit)
    return NewsPage(items=[_news(row) for row in found.items], next=found.next)


@router.get("/news/{news_id}", auth=None, response=NewsOut, summary="One piece of news")
def one_news(request: HttpRequest, news_id: str) -> NewsOut:  # noqa: ARG001 - given by the router
    """Needs nobody."""
    return _news(news.access_news(public_id=news_id))


def _message(row: Message) -> MessageOut:
    return MessageOut(
        id=row.public_id,
        conversation=row.conversation.public_id,
        sender=row.sender.username,
        recipient=row.recipient.username,
        subject=row.conversation.subject,
        text=row.text,
        sent_at=row.sent_at,
    )


def _conversation(row: Side) -> ConversationOut:
    return ConversationOut(
        id=row.conversation.public_id,
        player=row.other.username,
        subject=row.conversation.subject,
        unread=row.unread,
        last=_last(row),
    )


def _last(row: Side) -> MessageOut | None:
    """The last message of a side, its two people taken from the side."""
    message = row.last
    if message is None:
        return None
    known = {row.user_id: row.user, row.other_id: row.other}
    message.conversation = row.conversation
    message.sender, message.recipient = known[message.sender_id], known[message.recipient_id]
    return _message(message)


def _report(row: Report) -> ReportOut:
    return ReportOut(
        id=row.public_id,
        about=row.kind,
        player=row.about.username if row.about else None,
        reason=row.reason,
        reported_at=row.reported_at,
        decision=row.decision,
        answer=row.note,
        decided_at=row.decided_at,
    )


def _news(row: News) -> NewsOut:
    assert row.published_at is not None
    return NewsOut(
        id=row.public_id,
        title=row.title,
        author=row.author.username,
        text=row.text,
        html=news.html(row),
        published_at=row.published_at,
        changed_at=row.changed_at,
    )
