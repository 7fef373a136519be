"""GET /events as a raw ASGI application: server-sent events, caught up from the outbox, then live."""

import asyncio
import json
import logging
import random
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar
from urllib.parse import parse_qs

from django.db import close_old_connections

from crownhead.server.core.http import true_address
from crownhead.server.core.problems import (
    CONTENT_TYPE,
    BadRequest,
    NotFound,
    NotSignedIn,
    Problem,
    WrongMethod,
)
from crownhead.server.live import selectors
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.live.bus import BUS
from crownhead.server.live.hub import Hub, Reader
from crownhead.server.live.listening import Listener
from crownhead.server.live.selectors import Event

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")

log = logging.getLogger(__name__)

HEARTBEAT = 15.0  # seconds between signs of life
LIFE = 3600.0  # seconds after which a stream ends and the browser returns, if its session still holds
RETRY = 2000  # milliseconds a browser waits before it reconnects
MOST_GAMES = 20  # games one stream may follow
CATCH_UP = 1000  # events told anew at most; who missed more is told to load the page again

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(frozen=True, slots=True)
class Doors:
    """What the stream must ask the apps above it; called in its own thread."""

    user_of_session: Callable[[str], int | None]
    user_of_token: Callable[[str], int | None]  # raises `Problem` on a token that is not in use
    may_watch: Callable[[str, int | None], bool]  # game, user or None
    followed: Callable[[str, bool], None] = lambda _game, _here: None  # somebody is here; nobody any more


@dataclass(frozen=True, slots=True)
class Limits:
    """How many streams there may be at once, and whom to believe about addresses."""

    session_cookie: str = "sessionid"
    proxies: int = 0
    all_together: int = 5000
    one_caller: int = 100  # a user, or the guests at one address


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a request for the stream says."""

    address: str
    token: str | None
    session: str | None
    games: tuple[str, ...]
    after: int | None


@dataclass(slots=True)
class EventStream:
    """The ASGI application; `start` and `stop` run on its event loop."""

    doors: Doors
    limits: Limits = field(default_factory=Limits)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "events"))
    hub: Hub = field(init=False)
    _listener: Listener = field(default_factory=lambda: Listener(BUS))

    def __post_init__(self) -> None:
        self.hub = Hub(
            bus=BUS, read=self._read, most=self.limits.all_together, most_of_one=self.limits.one_caller
        )

    async def start(self) -> None:
        """Begin at the present end of the outbox."""
        await self.hub.start(await self._ask(selectors.position))
        self._listener.start()

    async def stop(self) -> None:
        """End the streams."""
        await asyncio.get_running_loop().run_in_executor(None, self._listener.stop)
        await self.hub.stop()
        await self._ask(lambda: None)
        self._thread.shutdown(wait=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request: a stream, or a problem document."""
        try:
            wish = _read_wish(scope, self.limits)
            user = await self._ask(lambda: _admit(wish, self.doors))
            await self._stream(wish, user, receive, send)
        except Problem as problem:
            await _refuse(problem, send)

    async def _stream(self, wish: _Wish, user: int | None, receive: Receive, send: Send) -> None:
        topics = [f"game:{game}" for game in wish.games] + ([f"user:{user}"] if user else [])
        caller = f"user {user}" if user else wish.address
        with self._reader(topics, caller, wish.games) as reader:
            begins = self.hub.place
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            teller = asyncio.create_task(self._tell(reader, after=wish.after, begins=begins, send=send))
            gone = asyncio.create_task(_until_gone(receive))
            try:
                await asyncio.wait({teller, gone}, return_when=asyncio.FIRST_COMPLETED)
                if teller.done():
                    teller.result()
            except asyncio.CancelledError:
                if not reader.too_slow:
                    raise
            finally:
                for task in (teller, gone):
                    task.cancel()
                await asyncio.gather(teller, gone, return_exceptions=True)

    @contextmanager
    def _reader(self, topics: Collection[str], caller: str, games: Collection[str]) -> Iterator[Reader]:
        """A reader; of each game the apps are told that it is followed, and at the end if it is no more."""
        came = False
        try:
            with self.hub.reader(topics=topics, caller=caller) as reader:
                came = True
                self._tell_of(games, here=True)
                yield reader
        finally:
            if came and not self.hub.is_closed:
                left = [game for game in games if not AUDIENCE.count(f"game:{game}")]
                self._tell_of(left, here=False)

    def _tell_of(self, games: Collection[str], *, here: bool) -> None:
        def tell() -> None:
            try:
                for game in games:
                    self.doors.followed(game, here)
            except Exception:
                log.exception("it could not be noted who follows what")

        if games:
            self._thread.submit(_with_fresh_connection, tell)

    async def _tell(self, reader: Reader, *, after: int | None, begins: int, send: Send) -> None:
        """Say what was missed, then what happens, until the stream has lived long enough."""
        missed = await self._missed(reader.topics, after=after, begins=begins)
        await _write(send, f"retry: {RETRY}\n\n{missed}")
        loop = asyncio.get_running_loop()
        end = loop.time() + LIFE * random.uniform(0.8, 1.0)
        while (left := end - loop.time()) > 0:
            try:
                event = await asyncio.wait_for(reader.queue.get(), min(HEARTBEAT, left))
            except TimeoutError:
                await _write(send, ": still here\n\n")
                continue
            if event is None:
                break
            await _write(send, _block(event))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _missed(self, topics: frozenset[str], *, after: int | None, begins: int) -> str:
        """The events between the last one the reader saw and where its live feed begins."""
        here = f"id: {begins}\n\n"  # with no data: noted by the reader, told to nobody
        if after is None or after >= begins:
            return here
        late = [id_ for id_ in self.hub.told_late if id_ <= after]  # told again, perhaps: that does no harm
        events, oldest = await self._ask(
            lambda: (
                selectors.events_after(after, late=late, upto=begins, topics=topics, limit=CATCH_UP + 1),
                selectors.oldest(),
            )
        )
        if len(events) > CATCH_UP or oldest > after + 1:
            return f"event: reload\ndata: {{}}\n{here}"
        return "".join(map(_block, events)) + here

    async def _read(self, after: int, late: Collection[int], limit: int) -> list[Event]:
        return await self._ask(lambda: selectors.events_after(after, late=late, limit=limit))

    async def _ask(self, question: Callable[[], T]) -> T:
        """Put a question to the database in the stream's own thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, _with_fresh_connection, question
        )


def _read_wish(scope: Scope, limits: Limits) -> _Wish:
    if scope["method"] != "GET":
        raise WrongMethod("expected GET", headers={"Allow": "GET"})
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers[name.decode("latin-1").lower()] = value.decode("latin-1")
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=None)
    games = tuple(dict.fromkeys(query.get("game", [])))
    if len(games) > MOST_GAMES:
        raise BadRequest(f"expected at most {MOST_GAMES} games, got {len(games)}")
    peer = (scope.get("client") or ("unknown", 0))[0]
    forwarded = headers.get("x-forwarded-for", "")
    return _Wish(
        address=true_address(peer=peer, forwarded=forwarded, proxies=limits.proxies),
        token=_token(headers.get("authorization", "")),
        session=_cookie(headers.get("cookie", ""), limits.session_cookie),
        games=games,
        after=_place(headers.get("last-event-id") or query.get("last_event_id", [""])[-1]),
    )


def _place(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadRequest(f"expected the id of an event in Last-Event-ID, got {text[:40]!r}")
    return int(text)


def _token(authorization: str) -> str | None:
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _cookie(header: str, name: str) -> str | None:
    with suppress(CookieError):
        morsel = SimpleCookie(header).get(name)
        return morsel.value if morsel else None
    return None


def _admit(wish: _Wish, doors: Doors) -> int | None:
    """Who the caller is, once it is clear that he may hear what he asks for."""
    user = None
    if wish.token is not None:
        user = doors.user_of_token(wish.token)
    elif wish.session:
        user = doors.user_of_session(wish.session)
    for game in wish.games:
        if not doors.may_watch(game, user):
            raise NotFound(f"there is no game {game[:40]!r} to watch")
    if not wish.games and user is None:
        raise NotSignedIn("sign in, or name a game to watch: /events?game=<id>")
    return user


def _block(event: Event) -> str:
    data = json.dumps(event.payload, separators=(",", ":"))
    return f"id: {event.id}\nevent: {event.kind}\ndata: {data}\n\n"


def _with_fresh_connection(question: Callable[[], T]) -> T:
    close_old_connections()
    return question()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _refuse(problem: Problem, send: Send) -> None:
    headers = [(b"content-type", CONTENT_TYPE.encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem.document()).encode()})
