"""The API of messages, reports and news."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from ninja import Status as Answer

from crownhead.server.accounts.api.auth import SIGNED_IN, needs, signed_in
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.selectors import player
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.pagination import page, shortened
from crownhead.server.core.problems import BadRequest
from crownhead.server.social import selectors
from crownhead.server.social.models import Message, News, Report, Side
from crownhead.server.social.selectors.news import BY, access_news, published
from crownhead.server.social.selectors.reports import reports_of
from crownhead.server.social.services import messages, reports
from crownhead.server.social.services.limits import spend_for

router = Router(tags=["messages, reports and news"])

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
    """A page of messages, newest first."""

    items: list[MessageOut]
    next: str | None


class ConversationOut(Schema):
    """A conversation with a player, as you have it; ``last`` is null when you have deleted all of it."""

    id: str
    player: str = Field(description="The other player's username.")
    subject: str
    unread: int = Field(description="The number of unread messages.")
    last: MessageOut | None


class ConversationsPage(Schema):
    """A page of conversations, the latest first."""

    items: list[ConversationOut]
    next: str | None


class NewMessage(Schema):
    """A message to a player; without a subject it continues your last conversation."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: Annotated[str, Field(max_length=400)] = ""
    text: Text


class Reply(Schema):
    """A reply in a conversation."""

    text: Text


class NewReport(Schema):
    """What you report, and why."""

    about: Annotated[
        str, Field(max_length=20, description="`message`, `player`, `chat`, `game`, `post` or `staff`.")
    ]
    key: Annotated[
        str,
        Field(
            max_length=64,
            description="The id of a message or a game, or a username; empty for a message to the staff.",
        ),
    ] = ""
    reason: Text


class ReportOut(Schema):
    """What you reported; ``decision`` is empty until the staff have decided."""

    id: str
    about: str
    player: str | None = Field(description="The player reported, if there is one.")
    reason: str
    reported_at: datetime
    decision: str = Field(
        description="`nothing`, `warned`, `muted`, `banned` or `answered`; empty until then."
    )
    answer: str = Field(description="The staff's answer.")
    decided_at: datetime | None


class ReportsPage(Schema):
    """A page of reports, newest first."""

    items: list[ReportOut]
    next: str | None


class NewsOut(Schema):
    """An announcement of the club; ``text`` is Markdown, ``html`` the same as safe HTML."""

    id: str
    title: str
    author: str
    text: str
    html: str
    published_at: datetime
    changed_at: datetime


class NewsPage(Schema):
    """A page of announcements, the latest first."""

    items: list[NewsOut]
    next: str | None


@router.get("/conversations", auth=SIGNED_IN, response=ConversationsPage, summary="List your conversations")
def list_conversations(
    request: HttpRequest,
    unread: Annotated[bool, Query(description="Only those with unread messages.")] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> ConversationsPage:
    """The latest first; those with players you block are left out."""
    rows = selectors.conversations(user=signed_in(request), only_unread=unread)
    rows_page = page(rows, order=selectors.CONVERSATIONS_BY, cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.last.text) if row.last else 0)
    return ConversationsPage(items=[_conversation(row) for row in rows_page.items], next=rows_page.next)


@router.get(
    "/conversations/{conversation_id}", auth=SIGNED_IN, response=ConversationOut, summary="Get a conversation"
)
def get_conversation(request: HttpRequest, conversation_id: str) -> ConversationOut:
    """Getting it doesn't mark it as read."""
    return _conversation(selectors.access_conversation(user=signed_in(request), public_id=conversation_id))


@router.get(
    "/conversations/{conversation_id}/messages",
    auth=SIGNED_IN,
    response=MessagesPage,
    summary="List the messages of a conversation",
)
def list_conversation_messages(
    request: HttpRequest, conversation_id: str, cursor: CURSOR = None, limit: LIMIT = 50
) -> MessagesPage:
    """Newest first."""
    side = selectors.access_conversation(user=signed_in(request), public_id=conversation_id)
    rows = selectors.messages(side=side).select_related("recipient")
    rows_page = page(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.text))
    return MessagesPage(items=[_message(row) for row in rows_page.items], next=rows_page.next)


@router.post(
    "/conversations/{conversation_id}/messages",
    auth=SIGNED_IN,
    throttle=Limit("messages"),
    response={201: MessageOut},
    summary="Reply in a conversation",
)
@problems(409)
def reply(request: HttpRequest, conversation_id: str, body: Reply) -> Answer[MessageOut]:
    """To the other player."""
    user = signed_in(request)
    side = selectors.access_conversation(user=user, public_id=conversation_id)
    spend_for(user=user, other=side.other)
    message = messages.reply(user=user, conversation_id=conversation_id, text=body.text, now=clock.now())
    return Answer(201, _message(message))


@router.post(
    "/conversations/{conversation_id}/read",
    auth=SIGNED_IN,
    response=ConversationOut,
    summary="Mark a conversation as read",
)
@needs(Scope.TALK, shows=True)
def mark_conversation_read(request: HttpRequest, conversation_id: str) -> ConversationOut:
    """Up to its last message."""
    user = signed_in(request)
    messages.mark_read(user=user, conversation_id=conversation_id)
    return _conversation(selectors.access_conversation(user=user, public_id=conversation_id))


@router.delete(
    "/conversations/{conversation_id}", auth=SIGNED_IN, response={204: None}, summary="Delete a conversation"
)
def delete_conversation(request: HttpRequest, conversation_id: str) -> Answer[None]:
    """For you only; the other player keeps it."""
    messages.delete_conversation(user=signed_in(request), conversation_id=conversation_id)
    return Answer(204, None)


@router.get("/messages", auth=SIGNED_IN, response=MessagesPage, summary="List your messages")
def list_messages(
    request: HttpRequest,
    box: Annotated[Literal["received", "sent"], Query(description="Which of your messages.")] = "received",
    q: Annotated[str, Query(max_length=80, description="Words to look for, in either box.")] = "",
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> MessagesPage:
    """Newest first: received or sent, or with ``q`` those that contain every word of it.

    A search looks through some hundred messages at a time: ``next`` goes on to older ones, even if there are
    few items or none. Five words count, and thirty characters of each.
    """
    user = signed_in(request)
    if q.strip():
        rows_page = selectors.search(user=user, words=q, cursor=cursor, limit=limit)
    else:
        rows = selectors.sent(user=user) if box == "sent" else selectors.received(user=user)
        rows_page = page(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.text))
    return MessagesPage(items=[_message(row) for row in rows_page.items], next=rows_page.next)


@router.post(
    "/messages",
    auth=SIGNED_IN,
    throttle=Limit("messages"),
    response={201: MessageOut},
    summary="Send a message",
)
@problems(404, 409)
def send_message(request: HttpRequest, body: NewMessage) -> Answer[MessageOut]:
    """With a subject it starts a new conversation."""
    user = signed_in(request)
    spend_for(user=user, other=player(body.to))
    message = messages.write(user=user, to=body.to, subject=body.subject, text=body.text, now=clock.now())
    return Answer(201, _message(message))


@router.delete("/messages/{message_id}", auth=SIGNED_IN, response={204: None}, summary="Delete a message")
def delete_message(request: HttpRequest, message_id: str) -> Answer[None]:
    """For you only; the other player keeps it."""
    messages.delete_message(user=signed_in(request), message_id=message_id)
    return Answer(204, None)


@router.get("/reports", auth=SIGNED_IN, response=ReportsPage, summary="List your reports")
def list_reports(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> ReportsPage:
    """Newest first."""
    rows = reports_of(user=signed_in(request))
    rows_page = page(rows, order=("-id",), cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.reason) + len(row.note))
    return ReportsPage(items=[_report(row) for row in rows_page.items], next=rows_page.next)


@router.post(
    "/reports",
    auth=SIGNED_IN,
    throttle=Limit("reports"),
    response={201: ReportOut},
    summary="Report something to the staff",
)
@problems(404, 409)
def create_report(request: HttpRequest, body: NewReport) -> Answer[ReportOut]:
    """The club stores what you report as it is now. With ``staff`` the reason is a message to the staff."""
    user, now = signed_in(request), clock.now()
    if body.about == "staff":
        if body.key:
            raise BadRequest("expected none with a letter to the staff", field="key")
        return Answer(201, _report(reports.letter(user=user, address="", reason=body.reason, now=now)))
    made = reports.report(user=user, kind=body.about, key=body.key, reason=body.reason, now=now)
    return Answer(201, _report(made))


@router.get("/news", auth=None, response=NewsPage, summary="List the news")
def list_news(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> NewsPage:  # noqa: ARG001
    """Announcements of the club, the latest first."""
    rows_page = page(published(), order=BY, cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.text) + len(row.html))
    return NewsPage(items=[_news(row) for row in rows_page.items], next=rows_page.next)


@router.get("/news/{news_id}", auth=None, response=NewsOut, summary="Get a news item")
def get_news(request: HttpRequest, news_id: str) -> NewsOut:  # noqa: ARG001 - given by the router
    """One announcement of the club."""
    return _news(access_news(public_id=news_id))


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
        html=stored_html(row),
        published_at=row.published_at,
        changed_at=row.changed_at,
    )
