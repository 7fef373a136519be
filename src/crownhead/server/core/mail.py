"""The e-mail backend until an SMTP server is set: files. With one, see `notices.channels.outgoing`."""

import logging
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.translation import gettext as _

from crownhead.server.core import clock

log = logging.getLogger(__name__)


class FileBackend(BaseEmailBackend):
    """Writes each message to a file in the data folder and logs it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages and return their number."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = list(written_letters(email_messages))
        for message, content in written:
            file = folder / f"{clock.now():%Y%m%d-%H%M%S}-{secrets.token_hex(8)}.eml"
            file.touch(mode=0o600)
            file.write_bytes(content)
            log.info(
                "e-mail to %s (%s) written to %s: no mail server is set",
                ", ".join(message.to),
                message.subject,
                folder,
            )
        return len(written)


def written_letters(messages: Sequence[EmailMessage]) -> Iterator[tuple[EmailMessage, bytes]]:
    """Yield letters as they leave. One that can't be written, such as to no address, is logged and left out.

    What it is about happens all the same: nobody is spared a decision of the staff by their address.
    """
    for message in messages:
        try:
            content = message.message().as_bytes()
        except Exception as error:  # Python's own parser of addresses raises more than it says
            log.error("a letter could not be written and is left out: %r", error)
        else:
            yield message, content


def no_mail() -> str:
    """What people are told instead of "we've sent you a link" while mail goes to files; else empty."""
    if f"{FileBackend.__module__}.{FileBackend.__qualname__}" != settings.EMAIL_BACKEND:
        return ""
    return _("This club can't send e-mail yet. Ask its host for the link that was to be in the e-mail.")


def blocking_connection() -> BaseEmailBackend:
    """A connection for work that retries: it returns when the mail is sent, and raises errors."""
    connection: BaseEmailBackend = get_connection()
    return smtp.EmailBackend() if getattr(connection, "sends_later", False) else connection
