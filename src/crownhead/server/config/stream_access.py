"""Who may open a stream of what, by hand-written SQL for what nearly every page asks; the rest asks the apps.

A thousand pages that come back after a restart ask this at once. Nothing is kept: a session that has ended
opens nothing from then on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.utils.crypto import constant_time_compare

from crownhead.rules.budget import capture_budget
from crownhead.rules.errors import TooManyCaptures
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.events import credential_of_session
from crownhead.server.accounts.guests import access as guests
from crownhead.server.accounts.guests.access import guest_id_of_session
from crownhead.server.accounts.security.access import is_of_member
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.tokens.access import access_token, token_grant
from crownhead.server.analysis import selectors as analysis
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.core import clock
from crownhead.server.core.texts import is_storable
from crownhead.server.live.access import Grant
from crownhead.server.live.choices import LISTS
from crownhead.server.live.stream import LEFT_AFTER
from crownhead.server.play import selectors as play
from crownhead.server.play.presence import selectors as presence
from crownhead.server.play.presence import services as presence_services

_MAX_KNOWN = 10_000

_SESSION = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"
_USER = "SELECT password, is_staff FROM accounts_user WHERE id = %s AND is_active"
_GUEST = "SELECT 1 FROM accounts_user WHERE id = %s AND is_guest AND closed_at IS NULL"
# Games that run or are over, whose time is not out, and that the reader may see; and tournaments, all public.
_FOLLOWED = """
SELECT public_id FROM play_game WHERE public_id IN ({keys}) AND status IN ('playing', 'finished')
    AND (deadline_at IS NULL OR deadline_at > %s)
    AND (NOT hidden OR first_player_id = %s OR second_player_id = %s)
UNION ALL SELECT public_id FROM competitions_tournament WHERE public_id IN ({keys})
"""


class StreamAccess:
    """The questions of a stream, asked in its threads.

    It remembers which ids are of games and tournaments, for those need not be told that they are followed.
    """

    def __init__(self) -> None:
        self._no_analyses: OrderedDict[str, None] = OrderedDict()

    def grant_of_session(self, key: str) -> Grant | None:
        """What the streams of a session are bound to; None if it has ended, or the password is another."""
        if not is_storable(key):
            return None
        with connection.cursor() as cursor:
            cursor.execute(_SESSION, [key, _moment(clock.now())])
            row = cursor.fetchone()
            session = SessionStore().decode(row[0]) if row else {}
            user_id = session.get(SESSION_KEY)
            if user_id is None:
                return _grant_of_guest(cursor, session, key)
            cursor.execute(_USER, [int(user_id)])
            row = cursor.fetchone()
        if row is None or not session.get(BACKEND_SESSION_KEY):
            return None
        now = User(password=row[0]).get_session_auth_hash()
        if not constant_time_compare(session.get(HASH_SESSION_KEY, ""), now):
            return accounts.session_grant(key)  # perhaps the club's secret key has been changed
        as_member = is_of_member(session, User(pk=int(user_id), is_staff=row[1]))
        return Grant(int(user_id), credential_of_session(key), as_member=as_member)

    def grant_of_token(self, token: str) -> Grant:
        """What the streams of a token are bound to; raises a ``Problem``."""
        return token_grant(access_token(token, needed=Scope.READ, now=clock.now()))

    def watchable(self, keys: Collection[str], user_id: int | None, as_member: bool = False) -> set[str]:
        """The ids of games, tournaments, analyses and lists that a user may follow.

        ``as_member``: what they show opens no more than that, whatever else they may.
        """
        stored = set(filter(is_storable, keys))
        lists = stored & LISTS
        stored -= lists
        found = _plainly_followed(stored, user_id, clock.now())
        self._remember(found)
        if rest := stored - found:
            member = accounts.user(user_id) if user_id else None
            if member and as_member:
                member.act_as_member()
            viewer = member or (guests.guest(user_id) if user_id else None)
            analyses = _analyses(rest, viewer)
            found |= analyses | play.visible(viewer=viewer, public_ids=rest - analyses, now=clock.now())
        return found | lists

    def followed(self, key: str, here: bool) -> None:
        """Note whether anyone is following an analysis."""
        if key not in LISTS and key not in self._no_analyses:
            study_services.note_followed(study_id=key, here=here, now=clock.now())

    def here(self, user_id: int, is_here: bool) -> None:
        """Note that a user has come back to the club, or left it some seconds ago."""
        now = clock.now()
        if is_here:
            presence_services.note_back(user_id=user_id)
        else:
            presence_services.note_left(user_id=user_id, since=now - timedelta(seconds=LEFT_AFTER), now=now)

    def absent(self) -> Mapping[int, datetime]:
        """Who has left during a live game lately, and since when."""
        return presence.absent_lately(clock.now())

    def _remember(self, keys: Collection[str]) -> None:
        for key in keys:
            self._no_analyses[key] = None
            self._no_analyses.move_to_end(key)
        while len(self._no_analyses) > _MAX_KNOWN:
            self._no_analyses.popitem(last=False)


def _analyses(keys: Collection[str], viewer: User | None) -> set[str]:
    """The analyses that a viewer may follow, compared with their running games within a request's budget."""
    try:
        with capture_budget(settings.CAPTURES_PER_REQUEST):
            return analysis.followable(keys, viewer)
    except TooManyCaptures:
        return set()


def _grant_of_guest(cursor: CursorWrapper, session: dict[str, object], key: str) -> Grant | None:
    """What the streams of a guest who plays are bound to; None if nobody plays in the session."""
    guest_id = guest_id_of_session(session)
    if guest_id is None:
        return None
    cursor.execute(_GUEST, [guest_id])
    return Grant(guest_id, credential_of_session(key)) if cursor.fetchone() else None


def _plainly_followed(keys: Collection[str], user_id: int | None, now: datetime) -> set[str]:
    if not keys:
        return set()
    sql = _FOLLOWED.format(keys=", ".join(["%s"] * len(keys)))
    with connection.cursor() as cursor:
        cursor.execute(sql, [*keys, _moment(now), user_id, user_id, *keys])
        return {row[0] for row in cursor.fetchall()}


def _moment(now: datetime) -> datetime | str | None:
    """A moment as the columns hold it."""
    value: datetime | str | None = connection.ops.adapt_datetimefield_value(now)
    return value
