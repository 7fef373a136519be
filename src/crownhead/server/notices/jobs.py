"""Repeated work: send e-mail and push messages, delete old notifications.

A mail server may be slow, so sending has threads of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta

from django.db import close_old_connections, connection, connections

from crownhead.server.core import clock
from crownhead.server.core.jobs import repeat
from crownhead.server.notices.channels import delivery, mail, outgoing
from crownhead.server.notices.kinds import Channel
from crownhead.server.notices.services.reading import prune, prune_beyond

log = logging.getLogger(__name__)

LONGEST_RUN = timedelta(seconds=10)


class BackgroundThread:
    """Runs one task at a time in a thread; while one runs, others are refused.

    Inside a transaction, whose rows no other thread sees, it runs the task directly.
    """

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._last: Future[None] | None = None

    def do(self, work: Callable[[], object]) -> bool:
        """Start a task unless one is running; returns whether it was started."""
        if connection.in_atomic_block:
            work()
            return True
        if self._last is not None and not self._last.done():
            return False
        self._last = self._thread.submit(_in_thread, work)
        return True

    def wait(self) -> None:
        """Wait until the current task is done."""
        if self._last is not None:
            self._last.result()


def _in_thread(work: Callable[[], object]) -> None:
    close_old_connections()
    try:
        work()
    except Exception:
        log.exception("notices could not be sent")
    finally:
        connections.close_all()


MAIL, PUSH = BackgroundThread("notices-mail"), BackgroundThread("notices-push")
LETTERS = BackgroundThread("letters")


def send_mail(now: datetime) -> int:
    """Send the e-mails that are due over one connection; returns how many."""
    with mail.mail_sender() as send:
        return _while_there_is_time(lambda: delivery.send_due(channel=Channel.MAIL, send=send, now=now))


def send_push(now: datetime) -> int:
    """Send the push messages that are due; returns to how many people."""
    # A third of a second, which a club that sends none is spared.
    from crownhead.server.notices.channels import push

    with push.session() as session:
        return _while_there_is_time(
            lambda: delivery.send_due(
                channel=Channel.PUSH, send=lambda batch: push.send(batch, session=session), now=now
            )
        )


def _while_there_is_time(send: Callable[[], int]) -> int:
    """Repeat while something is sent, but only for a limited time so that a server can stop."""
    total, end = 0, clock.now() + LONGEST_RUN
    while sent := send():
        total += sent
        if clock.now() > end:
            break
    return total


@repeat("notices by e-mail", timedelta(seconds=10))
def send_mail_in_background(now: datetime) -> None:
    """Send e-mail that is due."""
    if delivery.is_something_due(channel=Channel.MAIL, now=now):
        MAIL.do(lambda: send_mail(now))


@repeat("e-mail about accounts", timedelta(seconds=2))
def send_letters_in_background(now: datetime) -> None:
    """Send letters that pages have asked for."""
    if outgoing.is_something_due(now):
        LETTERS.do(lambda: _while_there_is_time(lambda: outgoing.send_due(now=now)))


@repeat("notices by push message", timedelta(seconds=2))
def send_push_in_background(now: datetime) -> None:
    """Send push messages that are due."""
    if delivery.is_something_due(channel=Channel.PUSH, now=now):
        PUSH.do(lambda: send_push(now))


@repeat("notices beyond the latest", timedelta(hours=1), lasts=True)
def delete_beyond(_now: datetime) -> None:
    """Delete the oldest notifications of members who have very many."""
    prune_beyond()


@repeat("old notices", timedelta(minutes=10), lasts=True)
def delete_old(now: datetime) -> None:
    """Delete notifications after two months, and those of closed accounts."""
    prune(now=now)
