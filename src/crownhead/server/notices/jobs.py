"""Work that comes again: letters and push messages leave, old notices are forgotten.

A mail server may take its time, and whoever calls the jobs has other work to do: sending has a thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta

from django.db import close_old_connections, connections

from crownhead.server.core.jobs import repeat
from crownhead.server.notices import mailing, outgoing
from crownhead.server.notices.kinds import Channel
from crownhead.server.notices.reading import prune

log = logging.getLogger(__name__)


class Apart:
    """Does one thing at a time in a thread of its own; asked again meanwhile, it does nothing."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._last: Future[None] | None = None

    def do(self, work: Callable[[], object]) -> bool:
        """Begin, unless the work before is not done yet; whether it was begun."""
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
    """The letters that are due; how many left."""
    return outgoing.send_due(channel=Channel.MAIL, send=mailing.send, now=now)


def send_push(now: datetime) -> int:
    """The push messages that are due; to how many people."""
    # A third of a second, which a club that sends none is spared.
    from crownhead.server.notices import pushing

    return outgoing.send_due(channel=Channel.PUSH, send=pushing.send, now=now)


@repeat("notices by e-mail", timedelta(seconds=10))
def mail_apart(now: datetime) -> None:
    """Let the letters go."""
    if outgoing.is_something_due(channel=Channel.MAIL, now=now):
        MAIL.do(lambda: send_mail(now))


@repeat("notices by push message", timedelta(seconds=2))
def push_apart(now: datetime) -> None:
    """Let the push messages go."""
    if outgoing.is_something_due(channel=Channel.PUSH, now=now):
        PUSH.do(lambda: send_push(now))


@repeat("old notices", timedelta(minutes=10))
def forget_old(now: datetime) -> None:
    """Notices are kept for two months."""
    prune(now=now)
