"""GET /events as an ASGI application: server-sent events, missed ones from the outbox first, then live."""

import asyncio
import json
import logging
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

from crownhead.server.core import clock
from crownhead.server.core.http import calling_household, site_network
from crownhead.server.core.http.outside_django import (
    Scope,
    Send,
    expect_own_host_and_https,
    with_safe_headers,
)
from crownhead.server.core.limits import spend
from crownhead.server.core.problems import CONTENT_TYPE, NotFound, NotSignedIn, Problem, TooMany
from crownhead.server.core.processes.neighbours import ENDED as PROCESS_ENDED
from crownhead.server.core.processes.neighbours import own_place, subscribe, unsubscribe
from crownhead.server.core.processes.turns import ClientLeft, Receive
from crownhead.server.live import messages, selectors, services, signs
from crownhead.server.live.access import Grant
from crownhead.server.live.audience import AUDIENCE, ELSEWHERE
from crownhead.server.live.bus import BUS, Listener
from crownhead.server.live.door import Door, call_in, query_in
from crownhead.server.live.hub import Hub
from crownhead.server.live.readers import Reader
from crownhead.server.live.requests import Shown, StreamRequest, parse_request, read_shown
from crownhead.server.live.selectors import Event

log = logging.getLogger(__name__)

HOUSEHOLDS_PER_NETWORK = 5  # that may have as many streams as they like, of one /48
LIFE = 3600.0  # seconds after which a stream ends and the browser reconnects, if its session is still valid

LEFT_AFTER = 10.0  # seconds without a sign after which somebody has left, and is not between two pages
SILENT_AFTER = 45.0  # the same of somebody who is back without a stream, and asks now and then
LOOK_EVERY = 5.0  # seconds between two looks whether somebody who is noted as absent was heard

_OF_USER = "user:"  # the topic of what concerns a member alone
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@dataclass(frozen=True, slots=True)
class Hooks:
    """Functions that the apps above provide; called in the thread of the stream."""

    grant_of_session: Callable[[str], Grant | None]
    grant_of_token: Callable[[str], Grant]  # raises `Problem` on a token that does not open streams
    watchable: Callable[[Collection[str], int | None, bool], Collection[str]]
    """Some of the games, for a user or None, and whether they are a member like any other."""
    followed: Callable[[str, bool], None] = lambda _game, _is_followed: None
    here: Callable[[int, bool], None] = lambda _user, _is_here: None  # a user has come, or has left
    absent: Callable[[], Mapping[int, datetime]] = dict  # users who have left lately, and since when
    is_crowded: Callable[[str], bool] = lambda _address: False  # no more connections come in from there


@dataclass(frozen=True, slots=True)
class Limits:
    """How many streams may be open, and how to read cookies and addresses."""

    session_cookie: str = "sessionid"
    proxies: int = 0
    max_streams: int = 5000
    max_per_member: int = 20
    max_per_address: int = 200  # of everybody; those without a grant make room for the others
    max_games: int = 20  # that one stream may follow
    catch_up: int = (
        1000  # missed events sent at most; a client that missed more has to fetch everything again
    )

    @property
    def longest_query(self) -> int:
        """Characters: far more than the games and the last event take."""
        return 1000 + 50 * self.max_games


@dataclass(slots=True)
class EventStream:
    """The ASGI application; `start` and `stop` run on its event loop."""

    hooks: Hooks
    limits: Limits = field(default_factory=Limits)
    # Reads events and does nothing else: everybody waits for them.
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "events"))
    # Notes who has come and left, of whom there may be many at once.
    _notes: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "presence"))
    _door: Door = field(init=False)
    hub: Hub = field(init=False)
    _leaving: dict[int, asyncio.TimerHandle] = field(default_factory=dict)
    _looking: asyncio.Task[None] | None = None
    _listener: Listener = field(default_factory=lambda: Listener(BUS))
    _loop: asyncio.AbstractEventLoop | None = None

    def __post_init__(self) -> None:
        of_household = 2 * self.limits.max_per_address  # those of members, and those of others
        self._door = Door(most=self.limits.max_streams, most_of_household=of_household)
        self.hub = Hub(
            bus=BUS,
            read=self._read,
            max_streams=self.limits.max_streams,
        )

    async def start(self) -> None:
        """Start at the current end of the outbox."""
        self._loop = asyncio.get_running_loop()
        subscribe(PROCESS_ENDED)(self._answer_ended)
        await self.hub.start(await query_in(self._thread, _end_of_outbox))
        self._listener.start()
        self._looking = asyncio.create_task(self._look_for_absent())
        signs.begin_listening()

    async def stop(self) -> None:
        """End the streams."""
        unsubscribe(PROCESS_ENDED, self._answer_ended)
        signs.end_listening()
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
        await asyncio.get_running_loop().run_in_executor(None, self._listener.stop)
        await self.hub.stop()
        await self._door.close()
        for thread in (self._thread, self._notes):
            await query_in(thread, lambda: None)
            thread.shutdown(wait=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request: a stream, or a problem document."""
        send = with_safe_headers(scope, send)
        try:
            expect_own_host_and_https(scope)
        except Problem as problem:
            await _send_problem(problem, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = None
        address = calling_household(scope, proxies=self.limits.proxies)
        shown = read_shown(scope, cookie=self.limits.session_cookie)
        holder = signs.holder_of(shown.name)
        if holder is not None:
            signs.note_heard(holder)  # whose stream is refused, or fails, is here all the same
        try:
            _charge(address, shown, holder)
            request = asked = parse_request(
                scope,
                address=address,
                shown=shown,
                longest_query=self.limits.longest_query,
                max_games=self.limits.max_games,
            )
            if holder is not None or not shown.name:
                self.hub.expect_room(self._callers(holder, address))  # before anything is looked up
            grant, seen = await self._door.admit(
                lambda: self._admit(asked, holder), household=address, receive=receive
            )
            await self._stream(asked, grant, seen, receive, send)
        except ClientLeft:
            return
        except Problem as problem:
            if isinstance(problem, NotSignedIn) and request is not None and request.is_of_ended_session:
                await _send_stop(send)
            else:
                await _send_problem(problem, send)

    def _admit(self, request: StreamRequest, holder: int | None) -> tuple[Grant | None, int]:
        """Who makes a request, once it is clear that they may follow what they ask for, and not too often.

        ``holder``: who was charged already, by what is known of the session or token. With the grant come the
        revocations before it was looked up.
        """
        seen = self.hub.revocations
        try:
            grant = _grant_of(request, self.hooks)
        except Problem:
            _charge_as_nobody(request)
            raise
        if grant is None:
            _charge_as_nobody(request)
            self.hub.expect_room(self._callers(None, request.address))
            who = f"address:{request.address}"
        else:
            signs.note_holder(request.shown.name, grant.user_id)
            signs.note_heard(grant.user_id)
            who = f"user:{grant.user_id}"
            if grant.user_id != holder:
                spend(scope="streams", who=who)
        if len(request.games) > 1:  # each is looked up
            spend(scope="streams", who=who, amount=len(request.games) - 1)
        _expect_watchable(request, grant, self.hooks)
        return grant, seen

    async def _stream(
        self, request: StreamRequest, grant: Grant | None, seen: int, receive: Receive, send: Send
    ) -> None:
        """Stream until the client leaves, the stream is old or its grant is revoked.

        ``seen``: the revocations before the grant was looked up.
        """
        has_begun = False
        with self._reader(request, grant, send) as reader:
            household = request.address  # it is in turn again
            try:
                if self.hub.revocations != seen and not await self._is_valid(request, grant, household):
                    raise NotSignedIn("this session has ended")
                start = self.hub.position
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                has_begun = True
                missed = await self._missed_events(request, reader.topics, start=start, receive=receive)
                await _write(send, messages.encode_retry(self.hub.streams) + missed)
                reader.begin(life=_life(grant))
                await reader.until_gone(receive)
            except asyncio.CancelledError:
                if not reader.is_over:
                    raise
            finally:
                await reader.stop()
        if not has_begun:
            raise TooMany("the server has too many open streams", seconds=10)
        if reader.is_over:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    @contextmanager
    def _reader(self, request: StreamRequest, grant: Grant | None, send: Send) -> Iterator[Reader]:
        """A reader; calls the `followed` hook for each game on entry, and on exit if nobody follows it."""
        topics = [f"game:{game}" for game in request.games] + ([f"user:{grant.user_id}"] if grant else [])
        is_known_here = grant is not None and bool(AUDIENCE.count(f"user:{grant.user_id}"))
        entered = False
        try:
            with self.hub.reader(
                topics=topics,
                callers=self._callers(grant.user_id if grant else None, request.address),
                shares=self._most_at(request.address) if grant else {},
                grant=grant,
                write=lambda message: _write(send, message),
                is_valid=lambda: self._is_valid(request, grant, None),  # events wait for this
            ) as reader:
                entered = True
                if grant:
                    self._arrives(grant.user_id, is_known_here=is_known_here)
                self._report_following(request.games, is_followed=True)
                yield reader
        finally:
            if entered and not self.hub.is_closed:
                if grant and not AUDIENCE.count(f"user:{grant.user_id}"):
                    signs.note_place(grant.user_id, request.address)
                    self._may_have_left(grant.user_id, patience=LEFT_AFTER)
                abandoned = [game for game in request.games if not AUDIENCE.count(f"game:{game}")]
                self._report_following(abandoned, is_followed=False)

    def _callers(self, user_id: int | None, address: str) -> dict[str, int]:
        """For whom a stream counts, and how many each may have: of members only those of members."""
        at = self._most_at(address)
        if user_id is None:
            return at
        of_members = {f"members of {place}": most for place, most in at.items()}
        return {f"user {user_id}": self.limits.max_per_member} | of_members

    def _most_at(self, address: str) -> dict[str, int]:
        """How many streams an address may have, and the network in which somebody may have many of them."""
        most = self.limits.max_per_address
        network = site_network(address)
        return {address: most} | ({network: HOUSEHOLDS_PER_NETWORK * most} if network else {})

    def _arrives(self, user_id: int, *, is_known_here: bool) -> None:
        """Report that a user is back, unless one of their streams has just ended, as between two pages."""
        leaving = self._leaving.pop(user_id, None)
        if leaving:
            leaving.cancel()
        elif not is_known_here:
            self._report_presence(user_id, is_here=True)

    def _may_have_left(self, user_id: int, *, patience: float, after: float | None = None) -> None:
        """Report that a user has left, once no stream of theirs is open and nothing was heard for a while.

        ``patience``: the seconds of that while; ``after``: how many of them are left.
        """

        def look() -> None:
            self._leaving.pop(user_id, None)
            if self.hub.is_closed or AUDIENCE.count(f"{_OF_USER}{user_id}"):
                return
            self._excuse(user_id)
            heard = signs.last_heard(user_id)
            quiet = patience if heard is None else (clock.now() - heard).total_seconds()
            if quiet < patience:
                self._may_have_left(user_id, patience=patience, after=patience - quiet)
            else:
                self._report_presence(user_id, is_here=False)

        if before := self._leaving.get(user_id):
            before.cancel()
        wait = patience if after is None else after
        self._leaving[user_id] = asyncio.get_running_loop().call_later(wait, look)

    def _answer_ended(self, place: int) -> None:
        """Forget the streams of a process that has ended; called in the thread of the messages.

        Of those that are left one looks who of its members doesn't come back.
        """
        followed = ELSEWHERE.forget(place)
        if own_place() == (0 if place else 1) and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_after, followed)

    def _look_after(self, followed: Iterable[str]) -> None:
        for topic in followed:
            if topic.startswith(_OF_USER) and not AUDIENCE.count(topic):
                self._may_have_left(int(topic.removeprefix(_OF_USER)), patience=LEFT_AFTER)

    async def _look_for_absent(self) -> None:
        """Report who is back of those who are noted as absent, by a stream here or another sign of life."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                absent = await query_in(self._notes, self.hooks.absent)
                for user_id, since in absent.items():
                    self._look_for(user_id, since)
            except Exception:
                log.exception("could not look who is absent")

    def _look_for(self, user_id: int, since: datetime) -> None:
        self._excuse(user_id)
        heard = signs.heard_here(user_id)
        if AUDIENCE.follows(f"{_OF_USER}{user_id}", f"user {user_id}"):
            self._report_presence(user_id, is_here=True)
        elif heard is not None and heard > since:
            self._report_presence(user_id, is_here=True)
            self._may_have_left(user_id, patience=SILENT_AFTER)

    def _excuse(self, user_id: int) -> None:
        """Take somebody for heard who may be trying to connect where others hold all connections.

        Or where they fill the line before the door, so that nobody looks who else comes.
        """
        place = signs.place_of(user_id)
        if place is not None and (self.hooks.is_crowded(place) or self._door.is_crowded(place)):
            signs.note_heard(user_id)

    def _report_presence(self, user_id: int, *, is_here: bool) -> None:
        def call() -> None:
            try:
                self.hooks.here(user_id, is_here)
            except Exception:
                log.exception("the hook of presence failed")

        call_in(self._notes, call)

    def _report_following(self, games: Collection[str], *, is_followed: bool) -> None:
        def call() -> None:
            try:
                for game in games:
                    self.hooks.followed(game, is_followed)
            except Exception:
                log.exception("the followed hook failed")

        if games:
            call_in(self._notes, call)

    async def _is_valid(self, request: StreamRequest, grant: Grant | None, household: str | None) -> bool:
        """Whether what opened a stream still opens it."""
        try:
            return grant == await self._door.ask(lambda: _authorize(request, self.hooks), household=household)
        except Problem:
            return False

    async def _missed_events(
        self, request: StreamRequest, topics: Collection[str], *, start: int, receive: Receive
    ) -> bytes:
        """The events between the last one that the client saw and the start of its live feed."""
        position, after = messages.encode_position(start), request.after
        if after is None or after >= start:
            return position
        most = self.limits.catch_up

        def read() -> list[Event] | None:
            if selectors.oldest() > after + 1:
                return None
            events = selectors.events_after(after, upto=start, topics=topics, limit=most + 1)
            return events if selectors.oldest() <= after + 1 else None  # old ones are deleted at any time

        try:
            events = await self._door.ask(read, household=request.address, receive=receive)
        except TooMany:  # the server is about to stop, and the stream has begun
            events = None
        if events is None or len(events) > most:
            return messages.encode_reload() + position
        now = clock.now()
        return b"".join(messages.encode_event(event, now=now) for event in events) + position

    async def _read(self, after: int, limit: int) -> list[Event]:
        return await query_in(self._thread, lambda: _new_events(after, limit))


def _charge(address: str, shown: Shown, holder: int | None) -> None:
    """Count a request before it is read: for the member who is known by what it shows, or for the address.

    What is shown and not known costs a look, so an address has some of these, apart from those that show
    nothing: anonymous requests use up nothing of what members need. Raises `TooMany`.
    """
    if holder is not None:
        who = f"user:{holder}"
    else:
        who = f"unknown:{address}" if shown.name else f"address:{address}"
    spend(scope="streams", who=who)


def _charge_as_nobody(request: StreamRequest) -> None:
    """Count a request that showed a session or token that opens nothing as one that shows none, too."""
    if request.shown.name:
        signs.forget_holder(request.shown.name)
        spend(scope="streams", who=f"address:{request.address}")


def _authorize(request: StreamRequest, hooks: Hooks) -> Grant | None:
    """Who makes a request and by what, if they still may follow what they ask for."""
    grant = _grant_of(request, hooks)
    _expect_watchable(request, grant, hooks)
    return grant


def _grant_of(request: StreamRequest, hooks: Hooks) -> Grant | None:
    if request.shown.token is not None:
        return hooks.grant_of_token(request.shown.token)
    return hooks.grant_of_session(request.shown.session) if request.shown.session else None


def _expect_watchable(request: StreamRequest, grant: Grant | None, hooks: Hooks) -> None:
    """Raise a ``Problem`` unless a request may follow what it asks for."""
    user_id, as_member = (grant.user_id, grant.as_member) if grant else (None, False)
    found = hooks.watchable(request.games, user_id, as_member) if request.games else ()
    for game in request.games:
        if game not in found:
            raise NotFound(f"there is no game {game[:40]!r} to watch")
    if not request.games and grant is None:
        raise NotSignedIn("sign in, or name a game to watch: /events?game=<id>")


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
