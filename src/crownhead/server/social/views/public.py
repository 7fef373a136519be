"""Public pages: news, their feed, help, FAQ."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from crownhead.server.accounts.selectors import User
from crownhead.server.core.http import site_address
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.pagination import page as page_of
from crownhead.server.core.texts import for_xml
from crownhead.server.social.models import News
from crownhead.server.social.selectors import help_pages
from crownhead.server.social.selectors.news import BY, access_news, published, read_until
from crownhead.server.social.services import news
from crownhead.server.web.page import frame, page
from crownhead.server.web.page_cache import LONG_MAX_AGE, cached_while_unchanged

PER_PAGE = 10
IN_THE_FEED = 20


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def all_news(request: HttpRequest) -> HttpResponse:
    """List the news, the latest first, marking what the member has not seen."""
    cursor = request.GET.get("cursor") or None
    rows_page = page_of(published(), order=BY, cursor=cursor, limit=PER_PAGE)
    since = read_until(user=request.user) if isinstance(request.user, User) else None
    context = {
        "news": [(row, stored_html(row), _is_fresh(row, since)) for row in rows_page.items],
        "next": rows_page.next,
        **frame(request),
    }
    answer = render(request, "social/news.html", context)
    if isinstance(request.user, User) and rows_page.items and "cursor" not in request.GET:
        _note(request.user, rows_page.items[0])
    return answer


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def one_news(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one piece of news."""
    row = access_news(public_id=public_id)
    context = {"row": row, "html": stored_html(row), **frame(request)}
    return render(request, "social/news_item.html", context)


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """Return the news as an Atom feed."""
    rows = list(published().order_by(*BY)[:IN_THE_FEED])
    context = {
        "site": site_address(request),
        "news": [(row, stored_html(row)) for row in rows],
        "updated": max((row.changed_at for row in rows), default=None),
    }
    text = for_xml(render_to_string("social/news.xml", context, request))
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8")


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def help_topics(request: HttpRequest) -> HttpResponse:
    """List the help pages."""
    context = {"topics": help_pages.topics(request), **frame(request)}
    return render(request, "social/help_topics.html", context)


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def help_topic(request: HttpRequest, key: str) -> HttpResponse:
    """Show a help page."""
    topics = help_pages.topics(request)
    at = next((number for number, topic in enumerate(topics) if topic.key == key), None)
    topic = help_pages.topic(request, key) if at is None else topics[at]
    context = {
        "topic": topic,
        "topics": topics,
        "then": topics[at + 1] if at is not None and at + 1 < len(topics) else None,
        **frame(request),
    }
    return render(request, "social/help.html", context)


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def questions(request: HttpRequest) -> HttpResponse:
    """Show the FAQ."""
    topic, parts = help_pages.questions(request)
    context = {"topic": topic, "parts": parts, **frame(request)}
    return render(request, "social/questions.html", context)


def _is_fresh(row: News, since: datetime | None) -> bool:
    return since is not None and row.published_at is not None and row.published_at > since


def _note(user: User, latest: News) -> None:
    if latest.published_at is not None:
        news.note_read(user=user, until=latest.published_at)
