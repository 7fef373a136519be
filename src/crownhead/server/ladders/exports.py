"""The parts of a member's data export that come from ladders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.ladders.models import Challenge, Line, Member
from crownhead.server.ladders.selectors.terms import name_of


@part("ladders")
def places(user: User) -> Iterator[dict[str, Any]]:
    """The user's ranks and results."""
    for member in Member.objects.filter(user=user).select_related("ladder").order_by("id"):
        yield {
            "ladder": name_of(member.ladder),
            "rank": member.rank,
            "joined_at": member.joined_at,
            "won": member.won,
            "drawn": member.drawn,
            "lost": member.lost,
        }


@part("ladder_challenges")
def challenges(user: User) -> Iterator[dict[str, Any]]:
    """The challenges made by and to the user, in order."""
    rows = Challenge.objects.filter(Q(challenger=user) | Q(challenged=user)).order_by("id")
    for row in rows.select_related("ladder", "challenger", "challenged").prefetch_related("games"):
        yield {
            "ladder": name_of(row.ladder),
            "challenger": row.challenger.username,
            "challenged": row.challenged.username,
            "made_at": row.made_at,
            "ended_at": row.ended_at,
            "outcome_for_challenger": row.outcome,
            "games": [game.game_id for game in row.games.all()],
        }


@part("ladder_history")
def history(user: User) -> Iterator[dict[str, Any]]:
    """The history entries about the user, in order."""
    for line in Line.objects.filter(user=user).select_related("ladder").order_by("id").iterator():
        yield {
            "ladder": name_of(line.ladder),
            "at": line.at,
            "what": line.kind,
            "before": line.before,
            "after": line.after,
        }
