"""The ASGI application: the event stream natively, everything else through Django's WSGI application."""

from crownhead.server.config.wsgi import application as pages  # isort: skip  (sets Django up for the rest)

import asyncio

from django.conf import settings

from crownhead.server.config.bridge import WsgiBridge
from crownhead.server.config.prepared import prepare_in_background
from crownhead.server.config.stream_access import StreamAccess
from crownhead.server.core.http.outside_django import Scope, Send
from crownhead.server.core.monitoring import metrics
from crownhead.server.core.processes.turns import Receive
from crownhead.server.live.stream import EventStream, Hooks, Limits
from crownhead.server.ops.processes.connections import TimedProtocol, most_of_a_household

STREAMS = frozenset({"/events", "/api/v1/events"})
CROWDED = 0.9  # of the connections that an address may have: now and then another one is refused


def is_crowded(address: str) -> bool:
    """Whether a household has so many connections open that it may get no further one."""
    most = most_of_a_household()
    return most > 0 and TimedProtocol.open_connections.of(address) >= CROWDED * most


class Application:
    """Serves the event stream and the pages."""

    def __init__(self) -> None:
        access = StreamAccess()
        self.stream = EventStream(
            hooks=Hooks(
                grant_of_session=access.grant_of_session,
                grant_of_token=access.grant_of_token,
                watchable=access.watchable,
                followed=access.followed,
                here=access.here,
                absent=access.absent,
                is_crowded=is_crowded,
            ),
            limits=Limits(
                session_cookie=settings.SESSION_COOKIE_NAME,
                proxies=settings.PROXIES,
                max_streams=settings.STREAMS,
                max_per_member=settings.STREAMS_PER_MEMBER,
                max_per_address=settings.STREAMS_PER_ADDRESS,
                max_games=settings.STREAM_GAMES,
                catch_up=settings.STREAM_CATCH_UP,
            ),
        )
        self.bridge = WsgiBridge(pages, threads=settings.PAGE_THREADS, proxies=settings.PROXIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Dispatch by the path."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            if scope["path"] in STREAMS:
                with metrics.STREAMS.track_inprogress():
                    await self.stream(scope, receive, send)
            else:
                await self.bridge(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    def close_streams(self) -> None:
        """End the open streams, so that shutting down need not wait for them; call it on the event loop."""
        self.stream.hub.close()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.stream.start()
        await send({"type": "lifespan.startup.complete"})
        preparing = asyncio.create_task(prepare_in_background())
        await receive()
        preparing.cancel()
        await self.stream.stop()
        self.bridge.close()
        await send({"type": "lifespan.shutdown.complete"})


application = Application()
