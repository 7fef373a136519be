"""Django's WSGI application behind an ASGI server, in a small pool of threads.

A request gets a thread once all of it has arrived, and frees it as soon as the response is made; reading from
and writing to the client happens on the event loop. So a slow client never occupies a thread, which matters
when there is only one.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from io import BytesIO
from typing import Any

from crownhead.server.config.body_memory import BodyMemory, Count, MemoryFull
from crownhead.server.core.http import MAX_COOKIES, calling_household, read_cookies

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[bytes, bytes]]

MAX_BODY = 1 << 20
# Django takes seconds to read the headers of many parts. None of our forms is sent so, but a mail program
# may so unsubscribe by one click (RFC 8058).
MAX_MULTIPART = 1000
LONGEST_MEDIA_TYPE = 200  # characters of a Content-Type: parsing it takes time in their square
BODY_TIMEOUT = 30.0  # seconds within which a body must have arrived
MAX_QUEUED = 1000  # requests queued for a thread before new ones are rejected

log = logging.getLogger(__name__)


class _Gone(Exception):
    """The client left before its request was complete."""


class _Rejected(Exception):
    """The request is not passed on; `status` and `reason` are the response."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass(slots=True)
class Response:
    """The response of the WSGI application."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes = b""


class WsgiBridge:
    """An ASGI application for `http` scopes that hands each request to `application`.

    Bodies count for the address that `proxies` trusted proxies name, as in `core.http`.
    """

    def __init__(self, application: Wsgi, *, threads: int, proxies: int = 0) -> None:
        self._application, self._threads, self._proxies = application, threads, proxies
        self._memory = BodyMemory()
        self._pool = ThreadPoolExecutor(threads, "pages")
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        try:
            if self._waiting >= MAX_QUEUED:
                raise _Rejected(503, "The club is too busy. Try again in a moment.")
            _check_cookies(scope)
            with self._memory.held_for(calling_household(scope, proxies=self._proxies)) as count:
                response = await self._respond(scope, await _body(scope, receive, count))
        except _Gone:
            return
        except MemoryFull as full:
            response = _rejection(scope, 503, str(full))
        except _Rejected as rejected:
            response = _rejection(scope, rejected.status, rejected.reason)
        await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
        await send({"type": "http.response.body", "body": response.body})

    def close(self) -> None:
        """Finish the running requests and end the threads."""
        self._pool.shutdown()

    async def _respond(self, scope: Scope, body: bytes) -> Response:
        environ = environ_of(scope, body, threads=self._threads)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, environ)
        except Exception:
            log.exception("%s %s failed outside Django", scope["method"], scope["path"])
            return _rejection(scope, 500, "Something went wrong. It has been logged.")
        finally:
            self._waiting -= 1

    def _run(self, environ: Environ) -> Response:
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
        try:
            written.extend(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        response.body = b"".join(written)
        return response


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
                    raise _Gone
                part = message.get("body", b"")
                count(len(part))
                body += part
                if len(body) > most:
                    raise _too_large(most)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise _Rejected(408, "The request did not arrive in time.") from None


def _most(scope: Scope) -> int:
    """The most bytes that the body may have, by its media type; `_Rejected` when that is too long."""
    media_type = b",".join(value for name, value in scope["headers"] if name == b"content-type").lower()
    if len(media_type) > LONGEST_MEDIA_TYPE:
        raise _Rejected(
            400, f"The Content-Type is too long: at most {LONGEST_MEDIA_TYPE} characters are allowed."
        )
    return MAX_MULTIPART if b"multipart/" in media_type else MAX_BODY


def _check_cookies(scope: Scope) -> None:
    if sum(len(value) for name, value in scope["headers"] if name == b"cookie") > MAX_COOKIES:
        raise _Rejected(431, f"The cookies are too long: at most {MAX_COOKIES} characters are allowed.")


def _too_large(most: int) -> _Rejected:
    kind = " as multipart/form-data" if most == MAX_MULTIPART else ""
    return _Rejected(413, f"The request is too large: at most {most} bytes are allowed{kind}.")


def _rejection(scope: Scope, status: int, reason: str) -> Response:
    """A response without Django: plain text for pages, a problem document (RFC 9457) for the API."""
    if scope["path"].startswith("/api/"):
        media = b"application/problem+json"
        title = HTTPStatus(status).phrase
        text = json.dumps({"type": "about:blank", "title": title, "status": status, "detail": reason})
    else:
        media, text = b"text/plain; charset=utf-8", reason
    headers = [(b"content-type", media), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    return Response(status, headers, f"{text}\n".encode())
