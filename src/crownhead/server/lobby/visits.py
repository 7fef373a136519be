"""When somebody was here before: a visit ends with half an hour in which nothing is asked for."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.sessions.backends.base import SessionBase

_GAP, _ROUGHLY = timedelta(minutes=30), timedelta(minutes=5)
_SEEN, _BEFORE = "seen_at", "visit_before"


def last_visit(session: SessionBase, now: datetime) -> datetime | None:
    """When the visit before this one ended, None on the first; keeps in mind that he is here now."""
    seen, before = _moment(session, _SEEN), _moment(session, _BEFORE)
    if seen is not None and now - seen > _GAP:
        before = seen
        session[_BEFORE] = seen.isoformat()
    if seen is None or now - seen > _ROUGHLY:  # not with every page: each time costs a row
        session[_SEEN] = now.isoformat()
    return before


def _moment(session: SessionBase, name: str) -> datetime | None:
    text = session.get(name)
    return datetime.fromisoformat(text) if text else None
