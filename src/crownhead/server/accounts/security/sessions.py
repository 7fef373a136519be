"""Where a user is signed in: the sessions in the database, their browsers, and how to end them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions import middleware as django_sessions
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.revocation import end_sessions
from crownhead.server.core import clock
from crownhead.server.core.background.write_buffers import ONE_BY_ONE, WriteBuffer
from crownhead.server.core.http import client_address
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import NotFound
from crownhead.server.core.queries.prepared import Prepared

MAX_SESSIONS = 50  # of a member; what is used least ends when they sign in once more
SEEN_EVERY = 15 * 60  # seconds; a write for every request would be dear
CHALLENGE, CHALLENGE_LASTS = "mfa.webauthn.state", 10 * 60  # of a passkey, where allauth keeps it; seconds
NOWHERE = "0.0.0.0"  # of a request that comes by no network
_LONGEST_AGENT = 200
_READS = frozenset({"GET", "HEAD"})
_SIGNED_OUT = "signed_out"  # what a request carries that has ended its session

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# The first that is found counts: most browsers name others too.
_BROWSERS = (
    (r"Edg(?:e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"CriOS/|Chrome/|Chromium/", "Chrome"),
    (r"Safari/", "Safari"),
)
_SYSTEMS = (
    (r"iPhone|iPad|iPod", "iOS"),
    (r"Android", "Android"),
    (r"Windows", "Windows"),
    (r"CrOS", "ChromeOS"),
    (r"Mac OS X|Macintosh", "macOS"),
    (r"Linux|X11", "Linux"),
)


_STANDING = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), key=str, now=datetime
)


class SessionStore(db.SessionStore):
    """The session of a key, unless it has expired; by a query that is written once.

    One that holds nothing but the challenge of a passkey, which anybody gets who asks, lasts for minutes.
    """

    def get_session_cookie_age(self) -> int:
        """For how many seconds it lasts."""
        return CHALLENGE_LASTS if self.keys() == {CHALLENGE} else settings.SESSION_COOKIE_AGE

    def _get_session_from_db(self) -> Session | None:
        row = _STANDING.first(key=self.session_key, now=clock.now())
        if row is None:
            self._session_key = None
        return row


@dataclass(frozen=True, slots=True)
class _Use:
    """Who used a session, from where, when, and with which browser."""

    user_id: int
    ip: str
    at: datetime
    agent: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in."""

    id: int
    browser: str
    address: str
    began_at: datetime
    seen_at: datetime
    is_this: bool


def sessions_of(*, user: User, key: str) -> list[SignedIn]:
    """Return the user's sessions, this one first, then the latest; ``key``: of this session.

    More than are kept there are only of who has not signed in since that is so; signing in ends the others.
    """
    rows = standing_sessions(user).annotate(is_this=Q(session_key=key)).order_by("-is_this", "-last_seen_at")
    return [
        SignedIn(
            id=row.pk,
            browser=browser_of(row.user_agent) or row.user_agent[:40] or _("Unknown browser"),
            address="" if row.ip == NOWHERE else row.ip,
            began_at=row.created_at,
            seen_at=row.last_seen_at,
            is_this=row.is_this,
        )
        for row in rows[:MAX_SESSIONS]
    ]


def standing_sessions(user: User) -> QuerySet[UserSession]:
    """Return the rows of the user's sessions that have not ended."""
    lasting = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=clock.now())
    rows: QuerySet[UserSession] = UserSession.objects.filter(Exists(lasting), user=user)
    return rows


def begin(*, request: HttpRequest, user: User) -> None:
    """List the session in which a user has just signed in, and end what was not used for longest of many."""
    UserSession.objects.create_from_request(request)
    others = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    keys = others.order_by("-last_seen_at", "-pk").values_list("session_key", flat=True)
    end_sessions(user_id=user.pk, keys=list(keys[MAX_SESSIONS - 1 :]))


def end(*, user: User, session_id: int) -> None:
    """End a session of the user; raises ``NotFound``."""
    row = UserSession.objects.filter(user=user, pk=session_id).first()
    if row is None:
        raise NotFound(_("There is no such session, or it has already ended."))
    end_sessions(user_id=user.pk, keys=[row.session_key])


def end_others(*, user: User, key: str) -> int:
    """End all sessions of the user except the one with a key; returns how many."""
    others = UserSession.objects.filter(user=user).exclude(session_key=key)
    keys = list(others.values_list("session_key", flat=True))
    end_sessions(user_id=user.pk, keys=keys)
    return len(keys)


def delete_ended(*, now: datetime) -> int:
    """Delete sessions that have expired, from the list too; returns how many."""
    ended = sweep(Session.objects.filter(expire_date__lte=now))
    unused_since = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    sweep(UserSession.objects.filter(last_seen_at__lt=unused_since))
    return ended


def browser_of(agent: str) -> str:
    """Return the name of the browser and the system; empty if neither is known."""
    browser = next((name for pattern, name in _BROWSERS if re.search(pattern, agent)), "")
    system = next((name for pattern, name in _SYSTEMS if re.search(pattern, agent)), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system


def plain_address(text: str) -> str:
    """Return an address that a database accepts."""
    try:
        return str(ip_address(text.partition("%")[0]))
    except ValueError:
        return NOWHERE


class SessionMiddleware(django_sessions.SessionMiddleware):
    """Django's; but no answer to a GET takes the browser's cookie away.

    Such an answer may be overtaken: while a page asks for its numbers, a form changes the password, and with
    it the session; the answer to who asked by the old one would then make the browser forget the new one. A
    cookie of no session does no harm, and signing out is a POST.

    The answer to signing out has the browser forget the pages that it keeps: on a computer that others use,
    too, going back would show them, messages among them.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, with the session cookie where the browser needs it."""
        answer = super().process_response(request, response)
        if getattr(request, _SIGNED_OUT, False):
            answer.headers["Clear-Site-Data"] = '"cache"'
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if request.method == "GET" and cookie is not None and not cookie.value:
            del answer.cookies[settings.SESSION_COOKIE_NAME]
        return answer


def note_signed_out(request: HttpRequest) -> None:
    """Somebody has signed out by this request, or closed their account."""
    setattr(request, _SIGNED_OUT, True)


def note_sessions(get_response: GetResponse) -> GetResponse:
    """Middleware: note now and then when and from where a session was last used.

    What a page that is only read has to say of it is written later, together with others.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        key = request.session.session_key
        if key and isinstance(request.user, User) and cache.add(f"session-seen:{key}", 1, SEEN_EVERY):
            _note(request, request.user, key)
        return answer

    return middleware


def _note(request: HttpRequest, user: User, key: str) -> None:
    use = _Use(
        user.pk,
        plain_address(client_address(request)),
        clock.now(),
        request.headers.get("User-Agent", "")[:_LONGEST_AGENT],
    )
    if request.method in _READS:
        _USES.put(key, use)
    else:
        _write({key: use})


def _write(uses: Mapping[str, _Use]) -> None:
    for key, use in uses.items():
        seen = {"ip": use.ip, "last_seen_at": use.at}
        if UserSession.objects.filter(session_key=key, user=use.user_id).update(**seen):
            continue
        if Session.objects.filter(session_key=key).exists():  # it has not ended since
            defaults = {**seen, "user_id": use.user_id, "user_agent": use.agent}
            UserSession.objects.update_or_create(session_key=key, defaults=defaults)


_USES = WriteBuffer("use of sessions", _write, at_once=ONE_BY_ONE)
