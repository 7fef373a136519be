"""Fetching ladders and members on behalf of a user; to change one, lock its ladder first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders import problems
from crownhead.server.ladders.models import Ladder, Line, Member
from crownhead.server.ladders.selectors.terms import link_of, name_in_default_language, name_of


def lock_ladder(ladder_id: str) -> Ladder:
    """The ladder of a public id, locked until the transaction ends; raises ``NotFound``."""
    ladder = Ladder.objects.select_for_update().filter(public_id=ladder_id).first()
    if ladder is None:
        raise no_such_ladder(ladder_id)
    return ladder


def lock_open_ladder(ladder_id: str) -> Ladder:
    """Lock a ladder that is not closed; raises ``LadderIsClosed``."""
    ladder = lock_ladder(ladder_id)
    if ladder.closed_at is not None:
        raise problems.LadderIsClosed(_("%(name)s is closed.") % {"name": name_of(ladder)})
    return ladder


def no_such_ladder(ladder_id: str) -> NotFound:
    """The problem for an id that belongs to no ladder."""
    return NotFound(_("There is no ladder with the id %(given)s.") % {"given": ladder_id[:60]})


def members(ladder: Ladder) -> QuerySet[Member]:
    """The members of the ladder with their users."""
    return Member.objects.filter(ladder=ladder).select_related("user")


def member(ladder: Ladder, user: User) -> Member:
    """A user's membership of the ladder; raises ``NotOnLadder``."""
    row = members(ladder).filter(user=user).first()
    if row is None:
        raise problems.NotOnLadder(
            _("%(username)s is not on %(name)s.") % {"username": user.username, "name": name_of(ladder)}
        )
    return row


def add_to_history(ladder: Ladder, kind: str, *, at: datetime, **facts: Any) -> None:
    """Add an entry to the history."""
    Line.objects.create(ladder=ladder, kind=kind, at=at, **facts)
    staff: User | None = facts.get("staff")
    if staff is not None:
        record_change(SecurityEvent.STAFF_ACTION, user_id=staff.pk, did=str(kind), ladder=ladder.public_id)


def event_fields(ladder: Ladder, at: datetime) -> dict[str, Any]:
    """The fields that every event of a ladder has."""
    return {
        "ladder_id": ladder.public_id,
        "name": name_in_default_language(ladder),
        "link": link_of(ladder),
        "at": at,
    }
