"""What templates may know of this app: the news in one line, for the home page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.social import news


@dataclass(frozen=True, slots=True)
class NewsLine:
    """The last piece of news, and whether the reader has not seen it."""

    id: str
    title: str
    is_new: bool


def news_line(request: HttpRequest) -> dict[str, Any]:
    """Asked for only where a template shows it."""
    return {"news_line": SimpleLazyObject(lambda: _latest(getattr(request, "user", None)))}


def _latest(user: object) -> NewsLine | None:
    row = news.latest(clock.now())
    if row is None or row.published_at is None:
        return None
    is_new = isinstance(user, User) and news.read_until(user=user) < row.published_at
    return NewsLine(row.public_id, row.title, is_new)
