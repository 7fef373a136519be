"""What pages of games show of this app: the news in one line, on the home page."""

from __future__ import annotations

from dataclasses import dataclass

from django.template import Context
from django.template.loader import render_to_string

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.slots import fill
from crownhead.server.social import news


@dataclass(frozen=True, slots=True)
class NewsLine:
    """The last piece of news, and whether the reader has not seen it."""

    id: str
    title: str
    is_new: bool


@fill("news_line")
def news_line(context: Context) -> str:
    """The last piece of news, for who reads the page."""
    return render_to_string("social/news_line.html", {"news_line": _latest(context.get("user"))})


def _latest(user: object) -> NewsLine | None:
    row = news.latest(clock.now())
    if row is None or row.published_at is None:
        return None
    is_new = isinstance(user, User) and news.read_until(user=user) < row.published_at
    return NewsLine(row.public_id, row.title, is_new)
