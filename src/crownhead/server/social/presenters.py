"""Presenters of messages and reports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.html import escape, urlize
from django.utils.safestring import SafeString, mark_safe

from crownhead.server.accounts.selectors import User
from crownhead.server.social.models import Message, Side
from crownhead.server.social.selectors import excerpt

MAX_LINKS = 20  # of one text: to look whether a word is an address takes as long as reading a page
_SIGNS = re.compile(r"://|www\.|@|\.(?:com|edu|gov|int|mil|net|org)\b", re.IGNORECASE)  # of an address
_WORD = re.compile(r"""[^\s<>"']*""")
_GAP = re.compile(r"\n\s*\n")


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
    linked = _linked(text.replace("\r\n", "\n").strip())
    html = _GAP.sub("</p><p>", linked).replace("\n", "<br>")
    return mark_safe(f"<p>{html}</p>")  # nosec B308 B703 # each part of it is escaped


def _linked(text: str) -> str:
    """The text as HTML, with links for the first web and e-mail addresses in it."""
    parts: list[str] = []
    end = 0
    for sign in _SIGNS.finditer(text):
        if sign.start() < end:
            continue
        begin = sign.start() - len(_word(text[end : sign.start()][::-1]))
        parts.append(escape(text[end:begin]))
        word = _word(text[begin:])
        parts.append(urlize(word, nofollow=True, autoescape=True))
        end = begin + len(word)
        if len(parts) == 2 * MAX_LINKS:
            break
    return "".join([*parts, escape(text[end:])])


def _word(text: str) -> str:
    """The text up to the end of its first word."""
    found = _WORD.match(text)
    return found[0] if found else ""
