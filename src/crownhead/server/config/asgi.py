"""The ASGI application: the event stream natively, everything else through Django's WSGI application."""

from crownhead.server.config.wsgi import application as pages  # isort: skip  (sets Django up for the rest)

from collections.abc import Collection

from django.conf import settings

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.choices import Scope as TokenScope
from crownhead.server.accounts.tokens.access import access_token, token_grant
from crownhead.server.analysis import selectors as analysis
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.competitions import selectors as competitions
from crownhead.server.config.bridge import Receive, Scope, Send, WsgiBridge
from crownhead.server.core import clock
from crownhead.server.core.texts import is_storable
from crownhead.server.live.grants import Grant
from crownhead.server.live.stream import EventStream, Hooks, Limits
from crownhead.server.play import selectors as play

STREAMS = frozenset({"/events", "/api/v1/events"})


class Application:
    """Serves the event stream and the pages."""

    def __init__(self) -> None:
        self.stream = EventStream(
            hooks=Hooks(
                grant_of_session=accounts.session_grant,
                grant_of_token=_grant_of_token,
                watchable=_watchable,
                followed=_followed,
            ),
            limits=Limits(
                session_cookie=settings.SESSION_COOKIE_NAME,
                proxies=settings.PROXIES,
                max_streams=settings.STREAMS,
                max_per_member=settings.STREAMS_PER_MEMBER,
                max_per_address=settings.STREAMS_PER_ADDRESS,
            ),
        )
        self.bridge = WsgiBridge(pages, threads=settings.PAGE_THREADS, proxies=settings.PROXIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Dispatch by the path."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            target = self.stream if scope["path"] in STREAMS else self.bridge
            await target(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    def close_streams(self) -> None:
        """End the open streams, so that shutting down need not wait for them; call it on the event loop."""
        self.stream.hub.close()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.stream.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stream.stop()
        self.bridge.close()
        await send({"type": "lifespan.shutdown.complete"})


def _grant_of_token(token: str) -> Grant:
    return token_grant(access_token(token, needed=TokenScope.READ, now=clock.now()))


def _watchable(keys: Collection[str], user_id: int | None) -> set[str]:
    """Those of the games, tournaments and analyses with these ids that a user may follow."""
    stored = set(filter(is_storable, keys))
    user = accounts.user(user_id) if user_id else None
    found = competitions.existing(stored)
    found |= analysis.followable(stored - found, user)
    return found | play.visible(viewer=user, public_ids=stored - found, now=clock.now())


def _followed(game: str, here: bool) -> None:
    """Note whether anyone is following an analysis."""
    study_services.note_followed(study_id=game, here=here, now=clock.now())


application = Application()
