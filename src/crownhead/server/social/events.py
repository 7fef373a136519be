"""Events of messages, reports and news."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent:
    """A message was sent to somebody who has not blocked the sender; ``excerpt`` is its beginning."""

    message_id: str
    conversation_id: str
    sender_id: int
    recipient_id: int
    subject: str
    excerpt: str
    sent_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesDeleted:
    """Some messages are deleted for one of the two; those of a long conversation come part by part."""

    message_ids: tuple[str, ...]
    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationsDeleted:
    """Somebody has deleted whole conversations for themselves."""

    conversation_ids: tuple[str, ...]
    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMade:
    """A report waits for the staff."""

    report_id: str
    kind: str
    reporter_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDecided:
    """The staff have decided on a member's report; ``note`` is for the reporter."""

    report_id: str
    kind: str
    decision: str
    note: str
    reporter_id: int
    decided_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestAnswered:
    """The staff have answered a guest who left an address."""

    address: str
    letter: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBanned:
    """The staff have banned a player; ``until`` None: until they lift it."""

    user_id: int
    address: str
    reason: str
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPublished:
    """The host has published news."""

    news_id: str
    title: str
    published_at: datetime
