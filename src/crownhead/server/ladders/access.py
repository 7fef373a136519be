"""Taking the rows of a ladder in hand: whoever changes one holds the whole ladder until he is done."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders import problems
from crownhead.server.ladders.models import Ladder, Line, Member
from crownhead.server.ladders.services import terms


def held(ladder_id: str) -> Ladder:
    """The ladder of a public id, held until the transaction ends; raises ``NotFound``."""
    found = Ladder.objects.select_for_update().filter(public_id=ladder_id).first()
    if found is None:
        raise no_such_ladder(ladder_id)
    return found


def held_open(ladder_id: str) -> Ladder:
    """The same, if it is not closed; raises ``LadderIsClosed``."""
    ladder = held(ladder_id)
    if ladder.closed_at is not None:
        raise problems.LadderIsClosed(
            _("expected an open ladder, %(name)s is closed") % {"name": terms.name_of(ladder)}
        )
    return ladder


def no_such_ladder(ladder_id: str) -> NotFound:
    """The refusal for an identifier of no ladder."""
    return NotFound(_("expected the identifier of a ladder, got %(given)s") % {"given": repr(ladder_id[:60])})


def members(ladder: Ladder) -> QuerySet[Member]:
    """Those on the ladder, their names loaded along."""
    return Member.objects.filter(ladder=ladder).select_related("user")


def member(ladder: Ladder, user: User) -> Member:
    """Somebody's place on the ladder; raises ``NotOnLadder``."""
    found = members(ladder).filter(user=user).first()
    if found is None:
        raise problems.NotOnLadder(
            _("expected %(username)s to be on %(name)s")
            % {"username": user.username, "name": terms.name_of(ladder)}
        )
    return found


def note(ladder: Ladder, kind: str, *, at: datetime, **facts: Any) -> None:
    """Add a line to the history."""
    Line.objects.create(ladder=ladder, kind=kind, at=at, **facts)


def told(ladder: Ladder, at: datetime) -> dict[str, Any]:
    """What every event of a ladder tells."""
    return {
        "ladder_id": ladder.public_id,
        "name": terms.told_name(ladder),
        "link": terms.link_of(ladder),
        "at": at,
    }
