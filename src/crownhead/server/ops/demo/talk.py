"""What the members of the sample club write to one another, and the host to all of them."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core import clock
from crownhead.server.ops.demo.people import Members
from crownhead.server.ops.demo.script import SCRIPT
from crownhead.server.social.services import messages, news

_DAY = timedelta(days=1)


def add_messages(members: Members, *, now: datetime) -> None:
    """Conversations of the member and of others; the last ones are unread."""
    rows = SCRIPT["messages"]
    for number, row in enumerate(rows):
        at = now - (len(rows) - number) * _DAY / 4
        writer, reader = members.everybody[row["from"]], members.everybody[row["to"]]
        with clock.stopped(at):
            messages.write(user=writer, to=reader.username, subject=row["subject"], text=row["text"], now=at)


def add_news(members: Members, *, now: datetime) -> None:
    """What the host has published."""
    for row in SCRIPT["news"]:
        at = now - row["days_ago"] * _DAY
        with clock.stopped(at):
            made = news.draft(staff=members.host, title=row["title"], text=row["text"], now=at)
            news.publish(staff=members.host, news=made, now=at)
