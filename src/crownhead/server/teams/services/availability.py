"""Members say whether they can play in a match: a captain lines up nobody who has not said so."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.teams import selectors
from crownhead.server.teams.access.matches import OPEN, about_match, expect_status, lock_match, team_of
from crownhead.server.teams.events import AvailabilityChanged, MembersAskedToPlay
from crownhead.server.teams.models import Availability, LineUp, MatchStatus, Side, TeamMatch
from crownhead.server.teams.selectors.matches import access_match, availabilities

ASKED_AT_ONCE = 200  # members who are notified together


def be_available(
    *, user: User, match_id: str, available: bool, side: Side | None = None, now: datetime
) -> None:
    """Say that the user can play in a match of their team, or no longer can.

    ``side``: for a member of both teams. Who can no longer play is taken out of a line-up, which the captain
    submits again.
    """
    with transaction.atomic():
        match = lock_match(match_id)
        expect_status(match, *OPEN)
        ours = _side(match, user, side)
        before = Availability.objects.filter(match=match, user=user)
        if available and not before.filter(side=ours).exists():
            before.delete()
            _break(LineUp.objects.filter(match=match), user.pk)
            Availability.objects.create(match=match, user=user, side=ours, said_at=now)
            emit(_changed(match, user, ours, available=True))
        elif not available and before.delete()[0]:
            _break(LineUp.objects.filter(match=match), user.pk)
            emit(_changed(match, user, ours, available=False))


def ask_members(*, match_id: str) -> None:
    """Ask the members of both teams whether they can play, some at a time; the captains know.

    Does nothing for a match that has been called off, or has started, since it was accepted.
    """
    match = access_match(match_id)
    if match.status != MatchStatus.LINING_UP:
        return
    captains = [match.home.captain_id, match.away.captain_id]
    for team in (match.home, match.away):
        rows = selectors.members(team).exclude(user__in=captains)
        members = list(rows.order_by("pk").values_list("user_id", flat=True))
        for some in batched(members, ASKED_AT_ONCE):
            with transaction.atomic():
                emit(about_match(MembersAskedToPlay, match, captain_id=team.captain_id, user_ids=tuple(some)))


def forget(*, user_id: int, team_id: str) -> None:
    """Take a member who has left a team out of its matches that have not started."""
    for side in Side:
        ours = {f"match__{side.value}__public_id": team_id, "match__status__in": OPEN, "side": side}
        Availability.objects.filter(user=user_id, **ours).delete()
        _break(LineUp.objects.filter(**ours), user_id)  # a captain's, too, who need not say that they can


def expect_available(match: TeamMatch, side: Side, players: Iterable[User]) -> None:
    """Raise ``Unprocessable`` if a player has not said that they can play."""
    known = set(availabilities(match, side).values_list("user_id", flat=True))
    if missing := [player.username for player in players if player.pk not in known]:
        raise Unprocessable(
            _("These players have not said that they can play: %(names)s.")
            % {"names": ", ".join(missing)[:100]},
            field="players",
        )


def _side(match: TeamMatch, user: User, wanted: Side | None) -> Side:
    mine = [side for side in Side if selectors.is_member(user.pk, team_of(match, side).public_id)]
    if not mine:
        raise Forbidden(_("Only members of the two teams can play in this match."))
    if wanted is not None and wanted not in mine:
        raise Forbidden(_("You are not a member of this team."))
    if wanted is None and len(mine) > 1:
        raise Unprocessable(_("You are a member of both teams. Choose the one you play for."), field="side")
    return wanted or mine[0]


def _break(rows: QuerySet[LineUp], gone: int) -> None:
    """Drop those of some line-ups that name somebody who no longer plays."""
    named = [key for key, players in rows.values_list("pk", "players") if gone in players]
    if named:
        LineUp.objects.filter(pk__in=named).delete()


def _changed(match: TeamMatch, user: User, side: Side, *, available: bool) -> AvailabilityChanged:
    captain = team_of(match, side).captain_id
    return about_match(AvailabilityChanged, match, user_id=user.pk, captain_id=captain, available=available)
