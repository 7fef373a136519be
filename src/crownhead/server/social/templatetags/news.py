"""The template tag that shows the latest news in one line: {% load news %}{% latest_news %}."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.template import Context

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.social.selectors.news import latest, read_until

register = template.Library()


@dataclass(frozen=True, slots=True)
class NewsLine:
    """The latest news, and whether the reader has not seen it."""

    id: str
    title: str
    is_new: bool


@register.inclusion_tag("social/latest_news.html", takes_context=True)
def latest_news(context: Context) -> dict[str, NewsLine | None]:
    """Show the latest news."""
    return {"latest_news": _latest(context.get("user"))}


def _latest(user: object) -> NewsLine | None:
    row = latest(clock.now())
    if row is None or row.published_at is None:
        return None
    is_new = isinstance(user, User) and read_until(user=user) < row.published_at
    return NewsLine(row.public_id, row.title, is_new)
