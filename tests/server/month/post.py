"""What leaves the club: letters and push messages, caught and read as those read them who get them."""

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
REFUSING = "nobody."  # so begin the addresses that take no letters
_ADDRESS = re.compile(rf"^{re.escape(CLUB)}(/\S*)$")
_MORE = re.compile(r"^And (\d+) more things?:$")
_COUNT = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Item:
    """What is told of one thing: the page to which it leads, and every line about it."""

    link: str
    lines: frozenset[str]


@dataclass(slots=True)
class Parcel:
    """All that leaves for somebody at once; ``things``: how many, where they are not told one by one."""

    items: list[Item] = field(default_factory=list)
    things: int | None = None
    stop: str = ""  # the address by which he stops such letters


@dataclass(slots=True)
class PushService:
    """Stands where the push services are: takes messages, by the endpoint of the browser."""

    taken: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    count: int = 0

    def push(self, subscription: dict[str, Any], data: str = "", **_options: Any) -> None:
        """A message for a browser."""
        self.count += 1
        self.taken.setdefault(subscription["endpoint"], []).append(json.loads(data))

    def empty(self) -> dict[str, Parcel]:
        """What came since the last time, by endpoint."""
        found = {endpoint: _pushed(messages) for endpoint, messages in self.taken.items()}
        self.taken.clear()
        return found


def read_letter(letter: EmailMessage) -> Parcel:
    """A letter of notices, from its plain text."""
    text = str(letter.body).partition("\n-- \n")[0]
    parcel = Parcel(stop=str(letter.extra_headers["List-Unsubscribe"]).strip("<>").removeprefix(CLUB))
    block: list[str] = []
    for line in text.splitlines():
        found = _ADDRESS.match(line)
        more = _MORE.match(line)
        if more:
            parcel.things = len(parcel.items) + int(more[1])
            break
        if found:
            parcel.items.append(Item(found[1], _lines(block)))
            block = []
        elif line:
            block.append(line)
    return parcel


def is_notice(letter: EmailMessage) -> bool:
    """Whether it tells what the club's notices tell; others are invitations of strangers, and the like."""
    return "List-Id" in letter.extra_headers


def _lines(block: Sequence[str]) -> frozenset[str]:
    """The subject and the lines of what came before; not what more there is to say."""
    starred = [line.removeprefix("* ") for line in block if line.startswith("* ")]
    before = [line.removeprefix("- ") for line in block if line.startswith("- ")]
    return frozenset([*(starred or block[:1]), *before])


def _pushed(messages: Sequence[dict[str, Any]]) -> Parcel:
    if messages[0]["tag"] == "several":
        count = _COUNT.search(messages[0]["title"])
        return Parcel(things=int(count[1]) if count else 0)
    return Parcel([Item(message["link"], frozenset([message["title"]])) for message in messages])


class Box(locmem.EmailBackend):
    """Keeps letters as Django's own box does; some addresses take none."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Keep them, or refuse them as a mail server does."""
        for message in messages:
            if message.to[0].startswith(REFUSING):
                raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such mailbox")})
        return super().send_messages(messages)
