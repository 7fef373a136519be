"""Pages that a process caches for guests, by everything they show.

`cached_for_guests(key)` caches what a view answers to people without a session. ``key`` gets what the view
gets and returns, by little work, a value that differs wherever the page would; None: this one is not cached.
The path, the language, the way it is asked for and the club are always part of the key. The query is not: the
``key`` of a page that reads or shows one (`has_query`) returns None for it, or what the page reads; a made-up
one costs nothing and pushes no page out. What is of one request alone, the CSRF token and the position of its
stream, is left out and filled in again.

`cached_while_unchanged()` does the same for pages made of many queries: what they show is what those queries
answer, so a page is given again while all of them, asked again, answer as they did (`core.queries.repeated`).
"""

from __future__ import annotations

import gzip
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from crownhead.server.core import clock
from crownhead.server.core.http import names_our_host
from crownhead.server.core.queries.repeated import Answers, record_answers

View = Callable[..., HttpResponse]
MakeKey = Callable[..., Hashable | None]

MOST = 512  # pages in all
MAX_AGE = 5  # seconds: how long a cached page may show the same times left
LONG_MAX_AGE = 60  # the same for pages that show times by the minute or the day
# Both within a tag: what members write has no tags of its own, so it makes no gaps.
_GAPS = re.compile(
    rb'<input type="hidden" name="csrfmiddlewaretoken" value="(?P<token>[A-Za-z0-9]+)"'
    rb'|<[a-z][^<>]*\sdata-from="(?P<place>\d+)"'
)
_ACCEPTS_GZIP = re.compile(r"\bgzip\b")


@dataclass(frozen=True, slots=True)
class _CachedPage:
    """A page: its text around the gaps, and whole and compressed where there are none."""

    parts: tuple[bytes, ...]
    gaps: tuple[bool, ...]  # whether each is that of a token; else that of a place in the stream
    compressed: bytes
    media_type: str
    etag: str

    @classmethod
    def of(cls, response: HttpResponse) -> _CachedPage:
        content, begin = response.content, 0
        parts: list[bytes] = []
        gaps: list[bool] = []
        for match in _GAPS.finditer(content):
            kind = "place" if match["token"] is None else "token"
            parts.append(content[begin : match.start(kind)])
            gaps.append(kind == "token")
            begin = match.end(kind)
        parts.append(content[begin:])
        return cls(
            tuple(parts),
            tuple(gaps),
            b"" if gaps else gzip.compress(content, mtime=0),
            response.headers["Content-Type"],
            f'W/"{sha256(b" ".join(parts)).hexdigest()[:32]}"',
        )

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The page for a request, which may have it already."""
        if self.gaps:
            return HttpResponse(self._filled(request), content_type=self.media_type)
        response = HttpResponse(self.parts[0], content_type=self.media_type, headers={"ETag": self.etag})
        if _ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            response.content, response.headers["Content-Encoding"] = self.compressed, "gzip"
        found: HttpResponse = get_conditional_response(request, etag=self.etag, response=response) or response
        return found

    def part_again(self, request: HttpRequest) -> HttpResponse:
        """A part of a page, for a page that may show it as it is."""
        found = get_conditional_response(request, etag=self.etag)
        if found is None:
            found = HttpResponse(self._filled(request), content_type=self.media_type)
        found.headers["ETag"] = self.etag
        found.headers["Cache-Control"] = "no-store"  # a copy would outlive the token in it
        return found

    def _filled(self, request: HttpRequest) -> bytes:
        token = get_token(request).encode() if any(self.gaps) else b""
        place = b"" if all(self.gaps) else str(_stream_position(request)).encode()
        filled = [self.parts[0]]
        for is_token, part in zip(self.gaps, self.parts[1:], strict=True):
            filled += [token if is_token else place, part]
        return b"".join(filled)


_pages: OrderedDict[Hashable, _CachedPage] = OrderedDict()
_answers: OrderedDict[Hashable, tuple[Answers, _CachedPage]] = OrderedDict()  # cached while unchanged


def stream_position_from(position: Callable[[HttpRequest], int]) -> Callable[[HttpRequest], int]:
    """Register the function that gives the position from which the stream of a page continues."""
    global _stream_position  # one function of one app above
    _stream_position = position
    return position


def _from_the_beginning(_request: HttpRequest) -> int:
    return 0


_stream_position: Callable[[HttpRequest], int] = _from_the_beginning


def cached_for_guests(
    key: MakeKey, *, else_unchanged: bool = False, of_part: bool = False
) -> Callable[[View], View]:
    """Cache what a view answers to guests; it stands below `page`.

    ``else_unchanged``: where ``key`` returns None, cache it as `cached_while_unchanged` does.
    ``of_part``: it is a part of a page, which the page asks for again and again; a request that names what it
    has gets it only once it is another, those of members too.
    """
    answer = _CachedPage.part_again if of_part else _CachedPage.answer

    def decorator(view: View) -> View:
        otherwise = cached_while_unchanged()(view) if else_unchanged else view

        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not _is_of_any_guest(request):
                response = view(request, *args, **kwargs)
                return answer(_CachedPage.of(response), request) if of_part else response
            own_key = key(request, *args, **kwargs)
            if own_key is None:
                return otherwise(request, *args, **kwargs)
            whole_key = (*_request_key(view, request), own_key)
            cached = _pages.get(whole_key)
            if cached is None:
                response = view(request, *args, **kwargs)
                if not _is_cacheable(response):
                    return response
                cached = _pages[whole_key] = _CachedPage.of(response)
                _evict_oldest(_pages)
            return answer(cached, request)

        return wrapper

    return decorator


def cached_while_unchanged(seconds: int = MAX_AGE) -> Callable[[View], View]:
    """Cache what a view answers to guests who send no query, as long as its own queries are answered alike.

    It stands below `page`. The view must depend on nothing else that changes, and is made again after so many
    seconds, for the times that it shows.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if has_query(request) or not _is_of_any_guest(request):
                return view(request, *args, **kwargs)
            now = clock.now()
            key = _request_key(view, request)
            found = _answers.get(key)
            if found is not None:
                answers, cached = found
                age = (now - answers.asked_at).total_seconds()
                if 0 <= age < seconds and answers.are_the_same(now):
                    return cached.answer(request)
            with record_answers() as answers:
                response = view(request, *args, **kwargs)
            if not _is_cacheable(response) or not answers.is_repeatable:
                return response
            cached = _CachedPage.of(response)
            _answers[key] = answers, cached
            _evict_oldest(_answers)
            return cached.answer(request)

        return wrapper

    return decorator


def has_query(request: HttpRequest) -> bool:
    """Whether an address has a query, also one that says nothing: a page may show its address."""
    return bool(request.META.get("QUERY_STRING"))


def clear(**_of_signal: object) -> None:
    """Remove all pages: a setting has changed."""
    _pages.clear()
    _answers.clear()


setting_changed.connect(clear, dispatch_uid="clear cached pages")


def _is_cacheable(response: HttpResponse) -> bool:
    return response.status_code == 200 and not response.streaming and not response.cookies


def _evict_oldest(pages: OrderedDict[Hashable, Any]) -> None:
    while len(pages) > MOST:
        pages.popitem(last=False)


def _is_of_any_guest(request: HttpRequest) -> bool:
    """Whether the request is a guest's who has no session, and no message that waits for them.

    Nor has it a host of its own making, which would push the pages of others out.
    """
    cookies = request.COOKIES
    if settings.SESSION_COOKIE_NAME in cookies or settings.MESSAGE_COOKIE_NAME in cookies:
        return False
    return request.method == "GET" and not request.user.is_authenticated and names_our_host(request)


def _request_key(view: View, request: HttpRequest) -> tuple[Hashable, ...]:
    """The view, and what its page may show of a request itself."""
    return (
        view.__module__,
        view.__qualname__,
        request.path,
        request.scheme,
        request.get_host(),
        get_language(),
        "HX-Request" in request.headers,
        settings.CLUB_NAME,
    )
