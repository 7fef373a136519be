"""Presenters of messages and reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.html import urlize
from django.utils.safestring import SafeString, mark_safe

from crownhead.server.accounts.selectors import User
from crownhead.server.social.models import Message, Side
from crownhead.server.social.selectors import excerpt


@dataclass(frozen=True, slots=True)
class Person:
    """A person with their name; a closed account has no page."""

    name: str
    here: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation in a list."""

    id: str
    other: Person
    subject: str
    excerpt: str
    mine: bool
    at: datetime
    unread: int


@dataclass(frozen=True, slots=True)
class Line:
    """A message in a list."""

    id: str
    conversation: str
    other: Person
    subject: str
    excerpt: str
    mine: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message in its conversation."""

    id: str
    name: str
    mine: bool
    html: SafeString
    at: datetime


def person(user: User) -> Person:
    """Present a person."""
    return Person(user.username, user.is_active)


def threads(rows: Iterable[Side]) -> list[Thread]:
    """Present conversations in a list."""
    return [
        Thread(
            id=row.conversation.public_id,
            other=person(row.other),
            subject=row.conversation.subject,
            excerpt=excerpt(row.last.text) if row.last else "",
            mine=row.last is not None and row.last.sender_id == row.user_id,
            at=row.last_at,
            unread=row.unread,
        )
        for row in rows
        if row.last_at
    ]


def lines(rows: Iterable[Message], *, viewer: User) -> list[Line]:
    """Present messages in a list."""
    return [
        Line(
            id=row.public_id,
            conversation=row.conversation.public_id,
            other=person(row.recipient if row.sender_id == viewer.pk else row.sender),
            subject=row.conversation.subject,
            excerpt=excerpt(row.text),
            mine=row.sender_id == viewer.pk,
            at=row.sent_at,
        )
        for row in rows
    ]


def message_lines(rows: Iterable[Message], *, viewer: User) -> list[MessageLine]:
    """The messages of a conversation, the oldest first."""
    return [
        MessageLine(
            id=row.public_id,
            name=row.sender.username,
            mine=row.sender_id == viewer.pk,
            html=plain(row.text),
            at=row.sent_at,
        )
        for row in sorted(rows, key=lambda row: row.pk)
    ]


def plain(text: str) -> SafeString:
    """Return a plain text in paragraphs, with web addresses as links."""
    paragraphs = [part.strip("\n") for part in text.replace("\r\n", "\n").split("\n\n")]
    linked = (urlize(part, nofollow=True, autoescape=True) for part in paragraphs if part.strip())
    html = "".join(f"<p>{part}</p>".replace("\n", "<br>") for part in linked)
    return mark_safe(html)  # nosec B308 B703 # urlize has escaped it
