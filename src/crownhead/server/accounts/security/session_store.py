"""Sessions in the database, as Django's; looked up by a query that is written once."""

from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session

from crownhead.server.core import clock
from crownhead.server.core.queries.prepared import Prepared

_STANDING = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), key=str, now=datetime
)


class SessionStore(db.SessionStore):
    """The session of a key, unless it has expired."""

    def _get_session_from_db(self) -> Session | None:
        row = _STANDING.first(key=self.session_key, now=clock.now())
        if row is None:
            self._session_key = None
        return row
