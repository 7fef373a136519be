"""Django's WSGI application behind an ASGI server, in a small pool of threads.

A request gets a thread once all of it has arrived, and frees it as soon as the response is made, or a piece
of a long one; reading from and writing to the client happens on the event loop. So a slow client never
occupies a thread, which matters when there is only one. Those that wait for one take turns by household.
"""

import asyncio
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from io import BytesIO
from itertools import chain
from typing import Any, TypeVar

from django.conf import settings
from django.db import close_old_connections

from crownhead.server.config.body_memory import BodyMemory, Count, MemoryFull
from crownhead.server.config.shared_files import PIECE, Contents, SentFile
from crownhead.server.core.http import MAX_COOKIES, MAX_TAGS, calling_household, read_cookies
from crownhead.server.core.http.outside_django import Scope, Send, safe_headers
from crownhead.server.core.processes.turns import ClientLeft, LineFull, Receive, Turns

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[bytes, bytes]]
T = TypeVar("T")

MAX_BODY = 1 << 20
# Django takes seconds to read the headers of many parts. None of our forms is sent so, but a mail program
# may so unsubscribe by one click (RFC 8058), which anybody may do without a CSRF token.
MAX_ONE_CLICK = 1000
ONE_CLICK = ("/no-more/", "/notices/stop/")
LONGEST_HEADERS = {b"cookie": MAX_COOKIES, b"if-match": MAX_TAGS, b"if-none-match": MAX_TAGS}  # characters
LONGEST_MEDIA_TYPE = 200  # characters of a Content-Type: parsing it takes time in their square
BODY_TIMEOUT = 30.0  # seconds within which a body must have arrived
PIECE_TIME = 0.01  # seconds of the processor: one that took longer ends with its next chunk
SAFE = frozenset({"GET", "HEAD"})  # methods of requests that need not be made once nobody waits for an answer

_FORM = b"x-www-form-urlencoded"
_UTF8 = re.compile(rb"""charset="?utf-?8"?(?=\s*(?:[;,]|$))""")  # the one encoding that is read
_NO_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")

log = logging.getLogger(__name__)


class _Rejected(Exception):
    """The request is not passed on; `status` and `reason` are the response."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class _Pieces:
    """What a WSGI application answers, read piece by piece and then closed."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._unread = chunks, chain.from_iterable([chunks])
        self.is_over = False

    def read(self) -> bytes:
        """The next piece: all of it, unless it is long, or takes long to make."""
        begun = time.thread_time()
        parts: list[bytes] = []
        size = 0
        try:
            for chunk in self._unread:
                parts.append(chunk)
                size += len(chunk)
                if size >= PIECE or time.thread_time() - begun >= PIECE_TIME:
                    return b"".join(parts)
        except BaseException:
            self.close()
            raise
        self.close()
        return b"".join(parts)

    def close(self) -> None:
        """Let the application know that nothing more is read."""
        if not self.is_over:
            self.is_over = True
            getattr(self._chunks, "close", lambda: None)()


@dataclass(slots=True)
class Response:
    """The response of the WSGI application: `body`, or the first piece of it and the `rest`, or a `file`."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    rest: _Pieces | None = None
    file: Contents | None = None


class WsgiBridge:
    """An ASGI application for `http` scopes that hands each request to `application`.

    Bodies and requests count for the address that `proxies` trusted proxies name, as in `core.http`.
    """

    def __init__(self, application: Wsgi, *, threads: int, proxies: int = 0) -> None:
        self._application, self._threads, self._proxies = application, threads, proxies
        self._memory = BodyMemory()
        self._pool = ThreadPoolExecutor(threads, "pages")
        self._turns = Turns(threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        household = calling_household(scope, proxies=self._proxies)
        try:
            self._turns.expect_room(household)
            _check_headers(scope)
            with self._memory.held_for(household) as count:
                body = await _body(scope, receive, count)
                is_safe = scope["method"] in SAFE
                response = await self._respond(scope, body, household, receive if is_safe else None)
        except ClientLeft:
            return
        except (LineFull, MemoryFull) as full:
            response = _rejection(scope, 503, str(full))
        except _Rejected as rejected:
            response = _rejection(scope, rejected.status, rejected.reason)
        await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
        await self._send_body(response, receive, send, household)

    def close(self) -> None:
        """Finish the running requests and end the threads."""
        self._pool.shutdown()

    async def _respond(self, scope: Scope, body: bytes, household: str, receive: Receive | None) -> Response:
        """The response; ``receive``: of a request that is given up if its client leaves the line."""
        environ = environ_of(scope, body, threads=self._threads)
        try:
            async with self._turns.turn_of(household, is_new=True, receive=receive):
                return await self._in_pool(lambda: self._run(environ))
        except (_Rejected, LineFull, ClientLeft):
            raise
        except Exception:
            log.exception("%s %s failed outside Django", scope["method"], scope["path"])
            return _rejection(scope, 500, "Something went wrong. It has been logged.")

    async def _send_body(self, response: Response, receive: Receive, send: Send, household: str) -> None:
        """Each piece is made once the client has taken most of the one before, while it is there."""
        if response.file is not None:
            await _send_file(response.file, send)
            return
        rest = response.rest
        if rest is None:
            await send({"type": "http.response.body", "body": response.body})
            return
        await send({"type": "http.response.body", "body": response.body, "more_body": True})
        leaving = asyncio.create_task(_leaving(receive))
        try:
            while not (rest.is_over or leaving.done()):
                piece = await self._in_thread(household, lambda: _outside_requests(rest.read))
                await send({"type": "http.response.body", "body": piece, "more_body": not rest.is_over})
        finally:
            leaving.cancel()
            if not rest.is_over:
                await self._in_thread(household, lambda: _outside_requests(rest.close))

    async def _in_thread(self, household: str, work: Callable[[], T]) -> T:
        async with self._turns.turn_of(household):
            return await self._in_pool(work)

    async def _in_pool(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def _run(self, environ: Environ) -> Response:
        _check_form(environ)
        response = Response()
        written: list[bytes] = []

        def start(
            status: str, headers: list[tuple[str, str]], _exc_info: object = None
        ) -> Callable[[bytes], None]:
            response.status = int(status.split(" ", 1)[0])
            # Django begins the value of a Set-Cookie with a space, which a strict server refuses.
            response.headers = [
                (name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers
            ]
            return written.append

        chunks = self._application(environ, start)
        if isinstance(chunks, SentFile):
            response.file = chunks.contents()
            if response.file is not None:
                return response
        pieces = _Pieces(chunks)
        first = pieces.read()
        if environ["REQUEST_METHOD"] == "HEAD":
            pieces.close()
        response.body = b"".join([*written, first])
        response.rest = None if pieces.is_over else pieces
        return response


def _outside_requests(work: Callable[[], T]) -> T:
    """Do something with a connection that works, and give it back: no request ends after it."""
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()


def environ_of(scope: Scope, body: bytes, *, threads: int) -> Environ:
    """The WSGI environment of a request (PEP 3333)."""
    host, port = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogatepass").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": SentFile,
        "wsgi.multithread": threads > 1,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        _add_header(environ, name.decode("latin-1").lower(), value.decode("latin-1"))
    if "\\" in environ.get("HTTP_COOKIE", ""):
        plain = read_cookies(environ["HTTP_COOKIE"])
        environ["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in plain.items())
    return environ


def _add_header(environ: Environ, name: str, value: str) -> None:
    # With an underscore a client could forge a header that only a proxy may set.
    if "_" in name or name == "content-length":
        return
    key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
    if key in environ:
        value = environ[key] + ("; " if name == "cookie" else ",") + value
    environ[key] = value


async def _body(scope: Scope, receive: Receive, count: Count) -> bytes:
    """The whole body; `_Rejected` when it is too large or too slow, `MemoryFull` when others are held."""
    most = _most(scope)
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > most:
            raise _too_large(most)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientLeft
                part = message.get("body", b"")
                count(len(part))
                body += part
                if len(body) > most:
                    raise _too_large(most)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise _Rejected(408, "The request did not arrive in time.") from None


async def _send_file(file: Contents, send: Send) -> None:
    """Send a file in slices, without a copy of the whole for each client."""
    data = memoryview(file.data)
    begin = 0
    while len(data) - begin > PIECE:
        await send({"type": "http.response.body", "body": data[begin : begin + PIECE], "more_body": True})
        begin += PIECE
    await send({"type": "http.response.body", "body": data[begin:]})


async def _leaving(receive: Receive) -> None:
    """Wait until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _most(scope: Scope) -> int:
    """The most bytes that the body may have; `_Rejected` when its media type is too long."""
    media_type = _media_type(scope)
    if len(media_type) > LONGEST_MEDIA_TYPE:
        raise _Rejected(
            400, f"The Content-Type is too long: at most {LONGEST_MEDIA_TYPE} characters are allowed."
        )
    if b"multipart/" in media_type or scope["path"].startswith(ONE_CLICK):
        return MAX_ONE_CLICK
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE if _FORM in media_type else MAX_BODY


def _media_type(scope: Scope) -> bytes:
    return b",".join(value for name, value in scope["headers"] if name == b"content-type").lower()


def _check_headers(scope: Scope) -> None:
    """`_Rejected` for a header that takes long to read, or that nobody sends."""
    if b"charset" in _UTF8.sub(b"", _media_type(scope)):
        # Django would read the address by it, too.
        raise _Rejected(415, "Expected a Content-Type with charset=utf-8, or without one.")
    for header, most in LONGEST_HEADERS.items():
        if sum(len(value) for name, value in scope["headers"] if name == header) > most:
            raise _Rejected(
                431, f"The header {header.decode()} is too long: at most {most} characters are allowed."
            )


def _check_form(environ: Environ) -> None:
    """`_Rejected` for a form that no browser sends: Python takes five times as long to read it."""
    if _FORM.decode() not in environ.get("CONTENT_TYPE", "").lower():
        return
    form = environ["wsgi.input"].getvalue()
    if (b"%" in form and not form.isascii()) or _NO_ESCAPE.search(form):
        raise _Rejected(400, "The form is not encoded as expected: every % and every other character as %XX.")


def _too_large(most: int) -> _Rejected:
    kinds = {MAX_ONE_CLICK: " here, or as multipart/form-data", MAX_BODY: ""}
    kind = kinds.get(most, " as a form")
    return _Rejected(413, f"The request is too large: at most {most} bytes are allowed{kind}.")


def _rejection(scope: Scope, status: int, reason: str) -> Response:
    """A response without Django: plain text for pages, a problem document (RFC 9457) for the API."""
    if scope["path"].startswith("/api/"):
        media = b"application/problem+json"
        title = HTTPStatus(status).phrase
        text = json.dumps({"type": "about:blank", "title": title, "status": status, "detail": reason})
    else:
        media, text = b"text/plain; charset=utf-8", reason
    headers = [(b"content-type", media), (b"connection", b"close"), *safe_headers(scope)]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    return Response(status, headers, f"{text}\n".encode())
