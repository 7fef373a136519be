"""Lines of the log: with the id of the request, as text or JSON, without passwords and tokens."""

import json
import logging
import re
import time
from contextvars import ContextVar
from datetime import UTC, datetime

from crownhead.server.core.monitoring import metrics

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered; empty outside of one."""

_SECRETS = (
    (re.compile(r"(\w+://[^\s:/@]*):[^\s@/]+@"), r"\1:***@"),  # the password in an address
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.+/=~-]+"), r"\1 ***"),
    (re.compile(r"(?i)\b(password|secret|token|sessionid|csrftoken|key)(['\"]?\s*[=:]\s*)\S+"), r"\1\2***"),
)


def without_secrets(text: str) -> str:
    """The text with stars for what lets somebody in."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


_ONE_LINE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {9: "\t", 0x2028: "\\u2028"}
"""Control characters as they are written: a message is one line, whatever is quoted in it."""


class TextFormatter(logging.Formatter):
    """Lines for people: the time in UTC, and each message on one line."""

    converter = time.gmtime  # type: ignore[assignment] # the seconds may be left out, too
    default_msec_format = "%s.%03dZ"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the library
        """The line without a traceback."""
        return super().formatMessage(record).translate(_ONE_LINE)

    def format(self, record: logging.LogRecord) -> str:
        """The line, and a traceback below it if there is one."""
        request = REQUEST.get()
        return without_secrets(super().format(record)) + (f" [{request}]" if request else "")


class JsonFormatter(logging.Formatter):
    """A JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: ``time``, ``level``, ``logger``, ``message``; ``request`` and ``exception`` if any."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if request := REQUEST.get():
            line["request"] = request
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line | getattr(record, "facts", {}), ensure_ascii=False)


class CountErrors(logging.Filter):
    """Counts the errors that are logged; lets everything pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Count it."""
        if record.levelno >= logging.ERROR:
            metrics.ERRORS.labels(record.name).inc()
        return True
