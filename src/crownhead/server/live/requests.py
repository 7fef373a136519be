"""What a request for a stream asks for, and the session or token it shows."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from crownhead.server.core.http import MAX_COOKIES, read_cookies
from crownhead.server.core.problems import BadRequest, WrongMethod
from crownhead.server.live.signs import name_of

Scope = MutableMapping[str, Any]

_LONGEST_EVENT = 18  # digits of its id


@dataclass(frozen=True, slots=True)
class Shown:
    """The token or the session that a request shows, if any; ``name``: as `live.signs` names it."""

    token: str | None
    session: str | None
    name: str


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A parsed request for the stream."""

    address: str
    shown: Shown
    games: tuple[str, ...]
    after: int | None

    @property
    def is_of_ended_session(self) -> bool:
        """Whether a page asks whose reader was signed in, as far as it says; it names its last event."""
        return self.after is not None and self.shown.session is not None and self.shown.token is None


def read_shown(scope: Scope, *, cookie: str) -> Shown:
    """Read what a request shows; ``cookie``: the name of the session's. None of too many cookies counts."""
    headers = _headers(scope)
    token, cookies = token_in(headers.get("authorization", "")), headers.get("cookie", "")
    session = read_cookies(cookies).get(cookie) if len(cookies) <= MAX_COOKIES else None
    return Shown(token, session, name_of(token=token, session=session))


def parse_request(
    scope: Scope, *, address: str, shown: Shown, longest_query: int, max_games: int
) -> StreamRequest:
    """Read the rest of it; raises a ``Problem`` for what is no request for a stream."""
    if scope["method"] != "GET":
        raise WrongMethod("expected GET", headers={"Allow": "GET"})
    headers = _headers(scope)
    if (length := len(headers.get("cookie", ""))) > MAX_COOKIES:
        raise BadRequest(f"expected at most {MAX_COOKIES} characters of cookies, got {length}")
    text = scope["query_string"].decode("latin-1")
    if len(text) > longest_query:
        raise BadRequest(f"expected a query of at most {longest_query} characters, got {len(text)}")
    query = parse_qs(text, keep_blank_values=True)
    games = tuple(dict.fromkeys(query.get("game", [])))
    if len(games) > max_games:
        raise BadRequest(f"expected at most {max_games} games, got {len(games)}")
    after = _event_id(headers.get("last-event-id") or query.get("last_event_id", [""])[-1])
    return StreamRequest(address, shown, games, after)


def token_in(authorization: str) -> str | None:
    """The token of such a header; None if it has none."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _event_id(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_EVENT):
        raise BadRequest(f"expected the id of an event in Last-Event-ID, got {text[:40]!r}")
    return int(text)
