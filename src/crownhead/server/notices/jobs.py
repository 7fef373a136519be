"""Work that comes again: letters and push messages leave, old notices are forgotten.

A mail server may take its time, and whoever calls the jobs has other work to do: sending has a thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta

from django.db import close_old_connections, connection, connections

from crownhead.server.core import clock
from crownhead.server.core.jobs import repeat
from crownhead.server.notices.channels import delivery, mail
from crownhead.server.notices.kinds import Channel
from crownhead.server.notices.services.reading import prune

log = logging.getLogger(__name__)

LONGEST_RUN = timedelta(seconds=10)


class Apart:
    """Does one thing at a time in a thread of its own; asked again meanwhile, it does nothing.

    Within a transaction, whose rows no other thread sees, it does it at once.
    """

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._last: Future[None] | None = None

    def do(self, work: Callable[[], object]) -> bool:
        """Begin, unless the work before is not done yet; whether it was begun."""
        if connection.in_atomic_block:
            work()
            return True
        if self._last is not None and not self._last.done():
            return False
        self._last = self._thread.submit(_in_thread, work)
        return True

    def wait(self) -> None:
        """Return when nothing is being done."""
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


MAIL, PUSH = Apart("notices-mail"), Apart("notices-push")


def send_mail(now: datetime) -> int:
    """The letters that are due, over one connection; how many left."""
    with mail.office() as send:
        return _while_there_is_time(lambda: delivery.send_due(channel=Channel.MAIL, send=send, now=now))


def send_push(now: datetime) -> int:
    """The push messages that are due; to how many people."""
    # A third of a second, which a club that sends none is spared.
    from crownhead.server.notices.channels import push

    with push.session() as session:
        return _while_there_is_time(
            lambda: delivery.send_due(
                channel=Channel.PUSH, send=lambda parcel: push.send(parcel, session=session), now=now
            )
        )


def _while_there_is_time(send: Callable[[], int]) -> int:
    """Again and again while something leaves, but not for so long that a server could not stop."""
    total, end = 0, clock.now() + LONGEST_RUN
    while sent := send():
        total += sent
        if clock.now() > end:
            break
    return total


@repeat("notices by e-mail", timedelta(seconds=10))
def mail_apart(now: datetime) -> None:
    """Let the letters go."""
    if delivery.is_something_due(channel=Channel.MAIL, now=now):
        MAIL.do(lambda: send_mail(now))


@repeat("notices by push message", timedelta(seconds=2))
def push_apart(now: datetime) -> None:
    """Let the push messages go."""
    if delivery.is_something_due(channel=Channel.PUSH, now=now):
        PUSH.do(lambda: send_push(now))


@repeat("old notices", timedelta(minutes=10))
def forget_old(now: datetime) -> None:
    """Notices are kept for two months."""
    prune(now=now)
