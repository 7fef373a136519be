"""Answers that are the same for everybody: cached, hashed and compressed once by each process."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, Self

from django.core.signals import setting_changed
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from crownhead.server.core.http import FOR_EVERY_SITE

View = Callable[..., HttpResponse]

_ACCEPTS_GZIP = re.compile(r"\bgzip\b")


@dataclass(frozen=True, slots=True)
class ConstantAnswer:
    """An answer with its hash, plain and compressed; pages ``for_every_site`` may load it."""

    content: bytes
    compressed: bytes
    media_type: str
    etag: str
    for_every_site: bool = False

    @classmethod
    def of(cls, content: bytes, media_type: str, *, for_every_site: bool = False) -> Self:
        """An answer of this content."""
        etag = f'W/"{sha256(content).hexdigest()[:32]}"'
        return cls(content, gzip.compress(content, mtime=0), media_type, etag, for_every_site)

    def response(self, request: HttpRequest) -> HttpResponse:
        """The answer to a request, which may have it already."""
        is_compressed = _ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", ""))
        encoding = {"Content-Encoding": "gzip"} if is_compressed else {}
        response = HttpResponse(
            self.compressed if is_compressed else self.content,
            content_type=self.media_type,
            headers={"ETag": self.etag, **encoding, **(FOR_EVERY_SITE if self.for_every_site else {})},
        )
        patch_vary_headers(response, ["Accept-Encoding"])
        return get_conditional_response(request, etag=self.etag, response=response) or response


def cached_once(view: View) -> View:
    """Cache what the view answers first in each language; it must depend on nothing but the settings."""
    cached: dict[str, ConstantAnswer] = {}

    @wraps(view)
    def constant(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        language = get_language() or ""
        if language not in cached:
            answer = view(request, *args, **kwargs)
            cached[language] = ConstantAnswer.of(answer.content, answer.headers["Content-Type"])
        return cached[language].response(request)

    def clear(**_of_signal: object) -> None:
        cached.clear()

    setting_changed.connect(clear, weak=False)
    return constant
