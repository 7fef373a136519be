"""Catches outgoing e-mails and push messages, and parses them."""

from __future__ import annotations

import json
import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import locmem

CLUB = "https://club.example"
REFUSING = "nobody."  # prefix of addresses that reject mail
_ADDRESS = re.compile(rf"^{re.escape(CLUB)}(/\S*)$")
_MORE = re.compile(r"^And (\d+) more things?:$")
_COUNT = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Item:
    """What is said about one subject: its link and every line."""

    link: str
    lines: frozenset[str]


@dataclass(slots=True)
class Delivery:
    """Everything sent to a member at once; ``things``: the number of items, if they are not listed."""

    items: list[Item] = field(default_factory=list)
    things: int | None = None
    stop: str = ""  # the link to unsubscribe


@dataclass(slots=True)
class PushService:
    """Stands in for the push services; messages by endpoint of the browser."""

    taken: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    count: int = 0

    def push(self, subscription: dict[str, Any], data: str = "", **_options: Any) -> None:
        """Take a message for a browser."""
        self.count += 1
        self.taken.setdefault(subscription["endpoint"], []).append(json.loads(data))

    def empty(self) -> dict[str, Delivery]:
        """The messages since the last call, by endpoint."""
        found = {endpoint: _pushed(messages) for endpoint, messages in self.taken.items()}
        self.taken.clear()
        return found


def parse_email(email: EmailMessage) -> Delivery:
    """Parse a notification e-mail from its plain text."""
    text = str(email.body).partition("\n-- \n")[0]
    delivery = Delivery(stop=str(email.extra_headers["List-Unsubscribe"]).strip("<>").removeprefix(CLUB))
    block: list[str] = []
    for line in text.splitlines():
        found = _ADDRESS.match(line)
        more = _MORE.match(line)
        if more:
            delivery.things = len(delivery.items) + int(more[1])
            break
        if found:
            delivery.items.append(Item(found[1], _lines(block)))
            block = []
        elif line:
            block.append(line)
    return delivery


def is_notice(email: EmailMessage) -> bool:
    """Whether it is a notification; others are invitations to strangers and the like."""
    return "List-Id" in email.extra_headers


def _lines(block: Sequence[str]) -> frozenset[str]:
    """The subject and lines of a block, without further text."""
    starred = [line.removeprefix("* ") for line in block if line.startswith("* ")]
    before = [line.removeprefix("- ") for line in block if line.startswith("- ")]
    return frozenset([*(starred or block[:1]), *before])


def _pushed(messages: Sequence[dict[str, Any]]) -> Delivery:
    if messages[0]["tag"] == "several":
        count = _COUNT.search(messages[0]["title"])
        return Delivery(things=int(count[1]) if count else 0)
    return Delivery([Item(message["link"], frozenset([message["title"]])) for message in messages])


class MailBackend(locmem.EmailBackend):
    """Keeps e-mails like Django's test backend, but rejects some addresses."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Keep them, or reject them as a mail server does."""
        for message in messages:
            if message.to[0].startswith(REFUSING):
                raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such mailbox")})
        return super().send_messages(messages)
