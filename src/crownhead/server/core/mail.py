"""How e-mail leaves: into files until a host names an SMTP server, then by a thread of its own."""

import logging
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend

from crownhead.server.core import clock

log = logging.getLogger(__name__)

_sender = ThreadPoolExecutor(1, "mail")


class KeptInFiles(BaseEmailBackend):
    """Writes each message to a file of its own in the data folder, and says on the console that it did."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages; how many."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            file = folder / f"{clock.now():%Y%m%d-%H%M%S}-{secrets.token_hex(8)}.eml"
            file.write_bytes(message.message().as_bytes())
            log.info(
                "an e-mail to %s (%s) was written to %s, since no mail server is set",
                ", ".join(message.to),
                message.subject,
                folder,
            )
        return len(email_messages)


class SentApart(smtp.EmailBackend):
    """Sends by SMTP in another thread: a slow mail server holds up no page, a failing one is logged."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Hand the messages over; how many."""
        _sender.submit(self._send, list(email_messages))
        return len(email_messages)

    def _send(self, messages: Sequence[EmailMessage]) -> None:
        try:
            super().send_messages(messages)
        except Exception:
            log.exception("%d e-mails could not be sent by %s:%s", len(messages), self.host, self.port)


def sender_that_tells() -> BaseEmailBackend:
    """A way out for work that tries again later: it has sent when it returns, and raises where it cannot."""
    connection: BaseEmailBackend = get_connection()
    return smtp.EmailBackend() if isinstance(connection, SentApart) else connection


def wait_until_sent() -> None:
    """Return when everything handed over so far has been sent, or has failed."""
    _sender.submit(lambda: None).result()
