"""GET /events as an ASGI application: server-sent events, missed ones from the outbox first, then live."""

import asyncio
import json
import logging
import random
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qs

from django.db import close_old_connections

from crownhead.server.core import clock
from crownhead.server.core.http import MAX_COOKIES, calling_household, read_cookies, site_network
from crownhead.server.core.limits import spend
from crownhead.server.core.problems import (
    CONTENT_TYPE,
    BadRequest,
    NotFound,
    NotSignedIn,
    Problem,
    WrongMethod,
)
from crownhead.server.live import messages, selectors, services
from crownhead.server.live.access import Grant
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.live.bus import BUS, Listener
from crownhead.server.live.hub import Hub
from crownhead.server.live.readers import Reader
from crownhead.server.live.selectors import Event

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")

log = logging.getLogger(__name__)

HOUSEHOLDS_PER_NETWORK = 5  # that may have as many streams as they like, of one /48
LIFE = 3600.0  # seconds after which a stream ends and the browser reconnects, if its session is still valid

LEFT_AFTER = 10.0  # seconds without a stream after which somebody has left, and is not between two pages

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


@dataclass(frozen=True, slots=True)
class Hooks:
    """Functions that the apps above provide; called in the thread of the stream."""

    grant_of_session: Callable[[str], Grant | None]
    grant_of_token: Callable[[str], Grant]  # raises `Problem` on a token that does not open streams
    watchable: Callable[[Collection[str], int | None], Collection[str]]  # games, user or None; some of them
    followed: Callable[[str, bool], None] = lambda _game, _is_followed: None
    here: Callable[[int, bool], None] = lambda _user, _is_here: None  # a user has come, or has left


@dataclass(frozen=True, slots=True)
class Limits:
    """How many streams may be open, and how to read cookies and addresses."""

    session_cookie: str = "sessionid"
    proxies: int = 0
    max_streams: int = 5000
    max_per_member: int = 20
    max_per_address: int = 200  # of guests and members
    max_games: int = 20  # that one stream may follow
    catch_up: int = (
        1000  # missed events sent at most; a client that missed more has to fetch everything again
    )

    @property
    def longest_query(self) -> int:
        """Characters: far more than the games and the last event take."""
        return 1000 + 50 * self.max_games


@dataclass(frozen=True, slots=True)
class _Request:
    """A parsed request for the stream."""

    address: str
    token: str | None
    session: str | None
    games: tuple[str, ...]
    after: int | None

    @property
    def is_of_ended_session(self) -> bool:
        """Whether a page asks whose reader was signed in, as far as it says; it names its last event."""
        return self.after is not None and self.session is not None and self.token is None


@dataclass(slots=True)
class EventStream:
    """The ASGI application; `start` and `stop` run on its event loop."""

    hooks: Hooks
    limits: Limits = field(default_factory=Limits)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "events"))
    # Who comes in asks for other things than who is in waits for, and may be one of many.
    _door: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "stream door"))
    hub: Hub = field(init=False)
    _leaving: dict[int, asyncio.TimerHandle] = field(default_factory=dict)
    _listener: Listener = field(default_factory=lambda: Listener(BUS))

    def __post_init__(self) -> None:
        self.hub = Hub(
            bus=BUS,
            read=self._read,
            max_streams=self.limits.max_streams,
        )

    async def start(self) -> None:
        """Start at the current end of the outbox."""
        await self.hub.start(await _query(self._thread, _end_of_outbox))
        self._listener.start()

    async def stop(self) -> None:
        """End the streams."""
        await asyncio.get_running_loop().run_in_executor(None, self._listener.stop)
        await self.hub.stop()
        for thread in (self._thread, self._door):
            await _query(thread, lambda: None)
            thread.shutdown(wait=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request: a stream, or a problem document."""
        request = None
        try:
            address = calling_household(scope, proxies=self.limits.proxies)
            spend(scope="streams", who=f"address:{address}")
            request = _parse_request(scope, address, self.limits)
            self.hub.expect_room(self._most_at(address))  # before anything is looked up
            for _ in request.games[1:]:  # each is looked up
                spend(scope="streams", who=f"address:{address}")
            seen = self.hub.revocations
            grant = await _query(self._door, lambda: _authorize(request, self.hooks))
            await self._stream(request, grant, seen, receive, send)
        except Problem as problem:
            if isinstance(problem, NotSignedIn) and request is not None and request.is_of_ended_session:
                await _send_stop(send)
            else:
                await _send_problem(problem, send)

    async def _stream(
        self, request: _Request, grant: Grant | None, seen: int, receive: Receive, send: Send
    ) -> None:
        """Stream until the client leaves, the stream is old or its grant is revoked.

        ``seen``: the revocations before the grant was looked up.
        """
        with self._reader(request, grant, send) as reader:
            if self.hub.revocations != seen and not await self._is_valid(request, grant):
                raise NotSignedIn("this session has ended")
            start = self.hub.position
            try:
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                missed = await self._missed_events(reader.topics, after=request.after, start=start)
                await _write(send, messages.encode_retry(self.hub.streams) + missed)
                reader.begin(life=_life(grant))
                await reader.until_gone(receive)
            except asyncio.CancelledError:
                if not reader.is_over:
                    raise
            finally:
                await reader.stop()
            if reader.is_over and not reader.is_cut_off:
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    @contextmanager
    def _reader(self, request: _Request, grant: Grant | None, send: Send) -> Iterator[Reader]:
        """A reader; calls the `followed` hook for each game on entry, and on exit if nobody follows it."""
        topics = [f"game:{game}" for game in request.games] + ([f"user:{grant.user_id}"] if grant else [])
        most = {f"user {grant.user_id}": self.limits.max_per_member} if grant else {}
        entered = False
        if grant:
            self._arrives(grant.user_id)
        try:
            with self.hub.reader(
                topics=topics,
                callers=most | self._most_at(request.address),
                grant=grant,
                write=lambda message: _write(send, message),
                is_valid=lambda: self._is_valid(request, grant),
            ) as reader:
                entered = True
                self._report_following(request.games, is_followed=True)
                yield reader
        finally:
            if grant and not self.hub.is_closed:
                self._may_have_left(grant.user_id)  # also where a stream too many was refused
            if entered and not self.hub.is_closed:
                abandoned = [game for game in request.games if not AUDIENCE.count(f"game:{game}")]
                self._report_following(abandoned, is_followed=False)

    def _most_at(self, address: str) -> dict[str, int]:
        """How many streams an address may have, and the network in which somebody may have many of them."""
        most = self.limits.max_per_address
        network = site_network(address)
        return {address: most} | ({network: HOUSEHOLDS_PER_NETWORK * most} if network else {})

    def _arrives(self, user_id: int) -> None:
        """Report that a user is back, unless one of their streams has just ended, as between two pages."""
        leaving = self._leaving.pop(user_id, None)
        if leaving:
            leaving.cancel()
        elif not AUDIENCE.count(f"user:{user_id}"):
            self._report_presence(user_id, is_here=True)

    def _may_have_left(self, user_id: int) -> None:
        """Report that a user has left, if no stream of theirs is open after a while."""

        def look() -> None:
            self._leaving.pop(user_id, None)
            if not self.hub.is_closed and not AUDIENCE.count(f"user:{user_id}"):
                self._report_presence(user_id, is_here=False)

        if not AUDIENCE.count(f"user:{user_id}"):
            if before := self._leaving.get(user_id):
                before.cancel()
            self._leaving[user_id] = asyncio.get_running_loop().call_later(LEFT_AFTER, look)

    def _report_presence(self, user_id: int, *, is_here: bool) -> None:
        def call() -> None:
            try:
                self.hooks.here(user_id, is_here)
            except Exception:
                log.exception("the hook of presence failed")

        self._thread.submit(_with_fresh_connection, call)

    def _report_following(self, games: Collection[str], *, is_followed: bool) -> None:
        def call() -> None:
            try:
                for game in games:
                    self.hooks.followed(game, is_followed)
            except Exception:
                log.exception("the followed hook failed")

        if games:
            self._thread.submit(_with_fresh_connection, call)

    async def _is_valid(self, request: _Request, grant: Grant | None) -> bool:
        """Whether what opened a stream still opens it."""
        try:
            return grant == await _query(self._door, lambda: _authorize(request, self.hooks))
        except Problem:
            return False

    async def _missed_events(self, topics: Collection[str], *, after: int | None, start: int) -> bytes:
        """The events between the last one that the client saw and the start of its live feed."""
        position = messages.encode_position(start)
        if after is None or after >= start:
            return position
        most = self.limits.catch_up

        def read() -> list[Event] | None:
            if selectors.oldest() > after + 1:
                return None
            events = selectors.events_after(after, upto=start, topics=topics, limit=most + 1)
            return events if selectors.oldest() <= after + 1 else None  # old ones are deleted at any time

        events = await _query(self._door, read)
        if events is None or len(events) > most:
            return messages.encode_reload() + position
        now = clock.now()
        return b"".join(messages.encode_event(event, now=now) for event in events) + position

    async def _read(self, after: int, limit: int) -> list[Event]:
        return await _query(self._thread, lambda: _new_events(after, limit))


async def _query(thread: ThreadPoolExecutor, query: Callable[[], T]) -> T:
    """Query the database in a thread of the streams."""
    return await asyncio.get_running_loop().run_in_executor(thread, _with_fresh_connection, query)


def _parse_request(scope: Scope, address: str, limits: Limits) -> _Request:
    if scope["method"] != "GET":
        raise WrongMethod("expected GET", headers={"Allow": "GET"})
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers[name.decode("latin-1").lower()] = value.decode("latin-1")
    text, most = scope["query_string"].decode("latin-1"), limits.longest_query
    if len(text) > most:
        raise BadRequest(f"expected a query of at most {most} characters, got {len(text)}")
    query = parse_qs(text, keep_blank_values=True)
    games = tuple(dict.fromkeys(query.get("game", [])))
    if len(games) > limits.max_games:
        raise BadRequest(f"expected at most {limits.max_games} games, got {len(games)}")
    return _Request(
        address=address,
        token=_token(headers.get("authorization", "")),
        session=_cookie(headers.get("cookie", ""), limits.session_cookie),
        games=games,
        after=_event_id(headers.get("last-event-id") or query.get("last_event_id", [""])[-1]),
    )


def _event_id(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadRequest(f"expected the id of an event in Last-Event-ID, got {text[:40]!r}")
    return int(text)


def _token(authorization: str) -> str | None:
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _cookie(header: str, name: str) -> str | None:
    if len(header) > MAX_COOKIES:
        raise BadRequest(f"expected at most {MAX_COOKIES} characters of cookies, got {len(header)}")
    return read_cookies(header).get(name)


def _authorize(request: _Request, hooks: Hooks) -> Grant | None:
    """Who makes a request and by what, once it is clear that they may follow what they ask for."""
    grant = None
    if request.token is not None:
        grant = hooks.grant_of_token(request.token)
    elif request.session:
        grant = hooks.grant_of_session(request.session)
    user = grant.user_id if grant else None
    found = hooks.watchable(request.games, user) if request.games else ()
    for game in request.games:
        if game not in found:
            raise NotFound(f"there is no game {game[:40]!r} to watch")
    if not request.games and grant is None:
        raise NotSignedIn("sign in, or name a game to watch: /events?game=<id>")
    return grant


def _life(grant: Grant | None) -> float:
    """Seconds until a stream ends by itself; its token may expire before."""
    life = LIFE * random.uniform(0.8, 1.0)
    if grant is None or grant.expires_at is None:
        return life
    return min(life, (grant.expires_at - clock.now()).total_seconds())


def _end_of_outbox() -> int:
    _number_committed()
    return selectors.position()


def _new_events(after: int, limit: int) -> list[Event]:
    _number_committed()
    return selectors.events_after(after, limit=limit)


def _number_committed() -> None:
    if selectors.has_many_writers():
        services.number_committed()


def _with_fresh_connection(query: Callable[[], T]) -> T:
    close_old_connections()
    return query()


async def _write(send: Send, message: bytes) -> None:
    await send({"type": "http.response.body", "body": message, "more_body": True})


async def _send_stop(send: Send) -> None:
    """Tell a browser not to connect again: 204 stops an `EventSource` without an error."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def _send_problem(problem: Problem, send: Send) -> None:
    headers = [(b"content-type", CONTENT_TYPE.encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem.document()).encode()})
