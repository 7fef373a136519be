"""What acts on a match of teams share: the row, whose side one leads, what is told."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Conflict, Forbidden, NotFound
from crownhead.server.teams.access import leads
from crownhead.server.teams.events import MatchChanged
from crownhead.server.teams.models import MatchStatus, Side, Team, TeamMatch

Event = TypeVar("Event", bound=MatchChanged)


def locked_match(match_id: str) -> TeamMatch:
    """The row, held until the transaction ends; raises ``NotFound``."""
    rows = TeamMatch.objects.select_related("home__captain", "away__captain").select_for_update(of=("self",))
    match = rows.filter(public_id=match_id).first()
    if match is None:
        raise no_such_match(match_id)
    return match


def no_such_match(match_id: str) -> NotFound:
    """The refusal for an identifier that belongs to no match of teams."""
    return NotFound(
        _("expected the identifier of a match of teams, got %(given)s") % {"given": repr(match_id[:60])}
    )


def side_of(match: TeamMatch, user: User) -> Side | None:
    """The side that the user leads; of both the one that is to act; None where he leads neither."""
    led = [side for side in Side if team_of(match, side).captain_id == user.pk]
    return led[0] if led else None


def led_side(match: TeamMatch, user: User) -> Side:
    """The same; raises ``Forbidden`` for whoever leads neither."""
    side = side_of(match, user)
    if side is None:
        raise Forbidden(_("expected a captain of one of the two teams"))
    return side


def team_of(match: TeamMatch, side: Side) -> Team:
    """The team on a side."""
    team: Team = match.home if side is Side.HOME else match.away
    return team


def may_call_off(match: TeamMatch, user: User) -> bool:
    """Whether the user may withdraw it before it begins."""
    return leads(user, match.home) or leads(user, match.away)


def expect_status(match: TeamMatch, *allowed: MatchStatus) -> None:
    """Raises ``Conflict`` where the match stands elsewhere."""
    if match.status not in allowed:
        raise Conflict(
            _("expected a match that is %(choices)s, this one is %(status)s")
            % {"choices": " or ".join(allowed), "status": match.status}
        )


def about_match(kind: type[Event], match: TeamMatch, **facts: Any) -> Event:
    """The event of a kind about a match as it stands."""
    return kind(
        match_id=match.public_id,
        home=match.home.name,
        away=match.away.name,
        home_captain_id=match.home.captain_id,
        away_captain_id=match.away.captain_id,
        **facts,
    )
