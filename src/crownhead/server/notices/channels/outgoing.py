"""Letters about accounts: stored by the page that asks for one, sent by a worker, at least once.

They are rows of the same transaction as what they are about: rolled back with it, kept if the process dies.
A row holds the letter as it leaves, its Message-ID included, by which a double is known. Pages store only a
note of what it is about: the worker writes it, and the letter takes the place of the note in one transaction.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.db import DatabaseError, transaction
from django.db.models import F, Q, QuerySet

from crownhead.server.accounts.services import letters
from crownhead.server.accounts.services.letters import Note
from crownhead.server.core import clock
from crownhead.server.core.mail import written_letters
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.models import LetterNote, OutgoingMail

log = logging.getLogger(__name__)

AT_ONCE = 50
LEASE = timedelta(minutes=5)


class StoredMailBackend(BaseEmailBackend):
    """Stores messages for a worker, so that a slow mail server delays no page and a crash loses none."""

    sends_later = True

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages and return their number."""
        now = clock.now()
        rows = [
            OutgoingMail(
                content=content,
                sender=message.from_email,
                recipients=message.recipients(),
                made_at=now,
                due_at=now,
            )
            for message, content in written_letters([one for one in email_messages if one.recipients()])
        ]
        OutgoingMail.objects.bulk_create(rows)
        return len(rows)

    def store_note(self, note: Note) -> None:
        """Store what a letter is about, which a worker writes."""
        now = clock.now()
        LetterNote.objects.create(note=dict(note), made_at=now, due_at=now)


class _Letter(EmailMessage):
    """A stored letter, which leaves as it was written."""

    def __init__(self, row: OutgoingMail) -> None:
        super().__init__(from_email=row.sender, to=row.recipients)
        self._content = bytes(row.content)

    def message(self) -> _Content:  # type: ignore[override]
        """What is sent."""
        return _Content(self._content)


class _Content:
    """The bytes of a letter, in the form that Django's SMTP asks for."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def as_bytes(self, *, linesep: str = "\n") -> bytes:
        """The letter with this end of lines."""
        return linesep.encode().join(self._content.splitlines()) + linesep.encode()


def is_something_due(now: datetime) -> bool:
    """Whether a letter waits, to be written or to be sent."""
    return _due(now).exists() or LetterNote.objects.filter(due_at__lte=now).exists()


def write_due(*, now: datetime) -> int:
    """Write the letters of which there are notes, oldest first; returns how many were written."""
    count = 0
    for row in list(LetterNote.objects.filter(due_at__lte=now).order_by("due_at")[:AT_ONCE]):
        try:
            with transaction.atomic():
                mine, _ = LetterNote.objects.filter(pk=row.pk).delete()
                if mine:
                    StoredMailBackend().send_messages([letters.written(row.note)])
        except DatabaseError:
            raise
        except Exception as error:  # of a template or a value: the next letter is not to wait for it
            _write_again(row, error, now)
        else:
            count += bool(mine)
    return count


def send_due(*, now: datetime, connection: BaseEmailBackend | None = None) -> int:
    """Send the letters that are due, oldest first, over one connection; returns how many left."""
    write_due(now=now)
    connection = connection or smtp.EmailBackend()
    sent, by_now = 0, clock.running_on(now)
    try:
        for row in list(_due(now).order_by("due_at")[:AT_ONCE]):
            now = by_now()  # those before may have taken minutes
            mine = _due(now).filter(pk=row.pk).update(claimed_until=now + LEASE, tries=F("tries") + 1)
            if mine:
                row.tries += 1
                sent += _send(row, connection, now)
    finally:
        connection.close()
    return sent


def _send(row: OutgoingMail, connection: BaseEmailBackend, now: datetime) -> bool:
    try:
        connection.open()
        connection.send_messages([_Letter(row)])
    except (smtplib.SMTPException, OSError) as error:
        connection.close()
        _try_again(row, error, now)
        return False
    row.delete()
    return True


def _write_again(row: LetterNote, error: Exception, now: datetime) -> None:
    """Schedule another try, or give up after too many."""
    at = schedule.next_try(row.tries + 1, now=now)
    log.error("letter %s could not be written, next try %s: %r", row.pk, at or "never", error)
    if at is None:
        row.delete()
    else:
        LetterNote.objects.filter(pk=row.pk).update(due_at=at, tries=F("tries") + 1)


def _try_again(row: OutgoingMail, error: Exception, now: datetime) -> None:
    """Schedule another try, or give up: after too many, or where the mail server refuses for good."""
    at = None if _is_final(error) else schedule.next_try(row.tries, now=now)
    if at is None:
        log.error("e-mail %s could not be sent and is given up: %s", row.pk, type(error).__name__)
        row.delete()
    else:
        log.warning("e-mail %s could not be sent, next try %s: %s", row.pk, at, type(error).__name__)
        OutgoingMail.objects.filter(pk=row.pk).update(due_at=at, claimed_until=None)


def _is_final(error: Exception) -> bool:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500


def _due(now: datetime) -> QuerySet[OutgoingMail]:
    free = Q(claimed_until__isnull=True) | Q(claimed_until__lt=now)
    return OutgoingMail.objects.filter(free, due_at__lte=now)
