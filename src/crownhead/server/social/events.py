"""What happens between people, told upwards to whoever wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent:
    """Somebody wrote to somebody who does not ignore him; ``excerpt`` is the beginning, on one line."""

    message_id: str
    conversation_id: str
    sender_id: int
    recipient_id: int
    subject: str
    excerpt: str
    sent_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMade:
    """Something waits for the staff."""

    report_id: str
    kind: str
    reporter_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDecided:
    """The staff have decided on a member's report; ``note`` is theirs to him."""

    report_id: str
    kind: str
    decision: str
    note: str
    reporter_id: int
    decided_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestAnswered:
    """The staff have answered a letter of somebody without an account, who left an address."""

    address: str
    letter: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBanned:
    """The staff have shut somebody out; ``until`` None: until they lift it."""

    user_id: int
    address: str
    reason: str
    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsPublished:
    """The host tells everybody something."""

    news_id: str
    title: str
    published_at: datetime
