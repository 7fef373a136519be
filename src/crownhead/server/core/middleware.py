"""Middleware: compresses answers, rejects unstorable text; in the API, errors as problems, and HEAD.

Where Django is replaced: decision 63.
"""

import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from http import HTTPStatus

import brotli  # type: ignore[import-untyped]
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.core.signals import setting_changed
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.http.request import UnreadablePostError
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from crownhead.server.core import problems
from crownhead.server.core.texts import is_storable

API = "/api/"

# Passkeys, copying a link and the full screen are all that the club's pages ask a browser for, which allows a
# site these for itself. Only what Chromium, Firefox and Safari know is named: for any other word they write
# an error into the console of every page.
_REFUSED = (
    *"accelerometer camera clipboard-read display-capture encrypted-media gamepad geolocation".split(),
    *"gyroscope hid idle-detection magnetometer microphone midi payment picture-in-picture".split(),
    *"screen-wake-lock serial usb xr-spatial-tracking".split(),
)
_PERMISSIONS = ", ".join(f"{name}=()" for name in _REFUSED)
_OF_THE_ACCOUNT = ("/accounts/", "/my-data/", "/api/v1/me/archives")
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")

_ACCEPTS_GZIP, _ACCEPTS_BROTLI = (re.compile(rf"\b{name}\b") for name in ("gzip", "br"))
_WORTH_IT, _LEVEL = 200, 4  # bytes; of zlib: its usual 6 takes more than twice as long for a twentieth less
# Of longer pages up to a fifth less than by zlib, for half as much time again; short answers stay with zlib.
_WORTH_BROTLI, _QUALITY = 10_000, 5  # bytes
_GZIP = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"  # a file that has a name and no time, from no system in particular
_OWN_POLICY = frozenset(
    f"_csp_{what}{which}" for what in ("config", "exempt", "replace", "update") for which in ("", "_ro")
)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def is_kept_for_ever(answer: HttpResponseBase) -> bool:
    """Whether browsers keep an answer and never ask for it again, as scripts, styles and the like."""
    return "immutable" in answer.headers.get("Cache-Control", "")


def guard_pages(get_response: GetResponse) -> GetResponse:
    """Say what pages may use of the browser, that other sites embed only what allows it, and who keeps it.

    What says nothing itself is kept by the reader's browser alone, to be asked for again; pages of an
    account, with addresses, keys and codes, by nobody.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if answer.headers.get("Content-Type", "").startswith("text/html"):  # it says nothing of other things
            answer.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        else:
            answer.headers.pop("Cross-Origin-Opener-Policy", None)
        if is_kept_for_ever(answer):
            answer.headers.pop("Referrer-Policy", None)
        answer.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if request.path.startswith(_OF_THE_ACCOUNT):
            answer.headers["Cache-Control"] = "private, no-store"
        elif answer.status_code != HTTPStatus.NOT_MODIFIED:  # it would change what the browser has
            answer.headers.setdefault("Cache-Control", "private, no-cache")
        return answer

    return middleware


class CompressionMiddleware(GZipMiddleware):
    """Django's, with its random padding, for a third of the time: pages get a twentieth larger."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where that is of use."""
        if response.has_header("Content-Encoding"):
            return response
        if isinstance(response, StreamingHttpResponse):
            return self._stream(request, response)
        if not isinstance(response, HttpResponse):
            return response
        content = response.content
        if len(content) < _WORTH_IT:
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        accepted = request.headers.get("Accept-Encoding", "")
        padding = b"x" * secrets.randbelow(self.max_random_bytes)
        if len(content) >= _WORTH_BROTLI and _ACCEPTS_BROTLI.search(accepted):
            return _replaced(response, _by_brotli(content, padding), "br")
        if _ACCEPTS_GZIP.search(accepted):
            return _replaced(response, _by_gzip(content, padding), "gzip")
        return response

    def _stream(self, request: HttpRequest, response: StreamingHttpResponse) -> HttpResponseBase:
        """A stream of text piece by piece; one of another kind, as an archive, is compressed already."""
        if "charset=" not in response.headers.get("Content-Type", ""):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if _ACCEPTS_GZIP.search(request.headers.get("Accept-Encoding", "")):
            padding = b"x" * secrets.randbelow(self.max_random_bytes)
            response.streaming_content = _gzipped(iter(response), padding)
            response.headers["Content-Encoding"] = "gzip"
            response.headers.pop("Content-Length", None)
        return response


def _by_gzip(content: bytes, padding: bytes) -> bytes:
    """A gzip file, padded by its name; the standard library's header takes as long as a short answer."""
    return b"".join(_gzipped((content,), padding))


def _gzipped(pieces: Iterable[bytes], padding: bytes) -> Iterator[bytes]:
    """The same of several pieces, for each what there is of the file then."""
    press = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    lead, check, size = b"".join((_GZIP, padding, b"\0")), 0, 0
    for piece in pieces:
        check, size = zlib.crc32(piece, check), size + len(piece)
        yield lead + press.compress(piece)
        lead = b""
    end = check.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
    yield b"".join((lead, press.flush(), end))


def _by_brotli(content: bytes, padding: bytes) -> bytes:
    """A brotli stream, padded by a block of metadata, which readers skip (RFC 7932, 9.2)."""
    press = brotli.Compressor(quality=_QUALITY)
    begun = press.process(content) + press.flush()  # up to a whole byte, where such a block may begin
    # Bit by bit from the lowest: not the last block, of metadata, its length in one byte, less one.
    block = (0b010110 | len(padding) - 1 << 6).to_bytes(2, "little") + padding if padding else b""
    return b"".join((begun, block, press.finish()))


def _replaced(response: HttpResponse, content: bytes, encoding: str) -> HttpResponse:
    if len(content) >= len(response.content):
        return response
    response.content = content
    response.headers["Content-Length"], response.headers["Content-Encoding"] = str(len(content)), encoding
    if (etag := response.get("ETag", "")).startswith('"'):
        response.headers["ETag"] = f"W/{etag}"
    return response


class PolicyMiddleware(CSPMiddleware):
    """That of django-csp, for a policy that is the same for every page: it is put together once."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer with its policy."""
        is_special = getattr(request, "_csp_nonce", None) or not _OWN_POLICY.isdisjoint(vars(response))
        policy = "" if is_special or HEADER in response.headers else _constant_policy()
        if not policy:
            return super().process_response(request, response)
        response.headers[HEADER] = policy
        return response


@cache
def _constant_policy() -> str:
    """The policy of all pages; empty where the settings want more of it."""
    chosen = settings.CONTENT_SECURITY_POLICY
    for_some = settings.DEBUG or getattr(settings, "CONTENT_SECURITY_POLICY_REPORT_ONLY", None)
    return "" if for_some or chosen.keys() != {"DIRECTIVES"} else build_policy()


def _forget_policy(**_of_signal: object) -> None:
    _constant_policy.cache_clear()


setting_changed.connect(_forget_policy, dispatch_uid="forget the policy")


def answer_api_with_problems(get_response: GetResponse) -> GetResponse:
    """Answer every error below /api/ with a problem document, even one from routing or middleware.

    Where pages are sent by HTTPS alone, requests without it are refused.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith(API) and not request.is_secure():
            return problems.response(problems.without_https())
        answer = get_response(request)
        if answer.status_code < 400 or not request.path.startswith(API):
            return answer
        if answer.headers.get("Content-Type", "").startswith(problems.CONTENT_TYPE):
            return answer
        problem = problems.of_status(answer.status_code)
        headers = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
        problem.headers.update(headers)
        return problems.response(problem)

    return middleware


def answer_head_in_api(get_response: GetResponse) -> GetResponse:
    """Answer HEAD below /api/ as GET, for operations know one method each; the server leaves the body out."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(API):
            return get_response(request)
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        answer = get_response(request)
        if is_head:
            request.method = "HEAD"
        allowed = answer.headers.get("Allow", "").split(", ")
        if "GET" in allowed and "HEAD" not in allowed:
            answer.headers["Allow"] = ", ".join([*allowed, "HEAD"])
        return answer

    return middleware


class StorableTextMiddleware:
    """Rejects a NUL in a path, query, cookie or form: databases cannot store it, and nobody types it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Look at what stands before the body."""
        if is_storable(request.path) and all(is_storable(value) for value in _texts(request)):
            return self.get_response(request)
        return _unstorable()

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Look at a form, as late as the check of its token, which reads it too; the API reads no forms."""
        if request.method != "POST" or request.path.startswith(API):
            return None
        try:
            fields = list(request.POST.lists())
        except UnreadablePostError:
            return None  # the view that needs the form tells
        return (
            _unstorable() if any("\0" in text for name, texts in fields for text in (name, *texts)) else None
        )


def _unstorable() -> HttpResponse:
    return HttpResponseBadRequest("The request contains a NUL character.\n", content_type="text/plain")


def _texts(request: HttpRequest) -> list[str]:
    queries = [request.GET] if "%00" in request.META.get("QUERY_STRING", "") else []
    texts = [text for query in queries for values in query.lists() for text in (values[0], *values[1])]
    return [*texts, *(value for value in request.COOKIES.values() if "\0" in value)]
