"""The parts of a member's data export that come from tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from crownhead.server.competitions.models import DirectorAction, Entrant, Invitation, Tournament, Trophy
from crownhead.server.competitions.selectors.acts import with_names_of_today
from crownhead.server.core.exports import part

AT_ONCE = 500  # rows in memory


@part("tournaments")
def tournaments(user: Any) -> Any:
    """The tournaments that the user entered."""
    rows = Entrant.objects.filter(user=user.pk).select_related("tournament").order_by("pk")
    for row in rows.iterator(chunk_size=AT_ONCE):
        yield {
            "id": row.tournament.public_id,
            "name": row.tournament.name,
            "entered_at": row.entered_at,
            "place": row.place,
            "points": None if row.points is None else row.points / 2,
            "left_after_round": row.left,
        }


@part("tournaments_held")
def held(user: Any) -> list[dict[str, Any]]:
    """The tournaments that the user hosted."""
    rows = Tournament.objects.filter(host=user.pk).order_by("pk")
    return [
        {"id": row.public_id, "name": row.name, "about": row.about, "created_at": row.created_at}
        for row in rows
    ]


@part("tournament_invitations")
def invitations(user: Any) -> list[dict[str, Any]]:
    """The user's invitations to tournaments."""
    rows = Invitation.objects.filter(user=user.pk).select_related("tournament").order_by("pk")
    return [{"tournament": row.tournament.name, "made_at": row.made_at, "answer": row.answer} for row in rows]


@part("director_actions")
def director_actions(user: Any) -> Any:
    """The user's decisions as a director."""
    for row in _acts(user):
        yield {
            "tournament": row.tournament.name,
            "verb": row.verb,
            "text": row.text,
            "reason": row.reason,
            "done_at": row.done_at,
        }


def _acts(user: Any) -> Iterator[DirectorAction]:
    """What the user decided, by the names that people have now."""
    rows = DirectorAction.objects.filter(by=user.pk).select_related("tournament").order_by("pk")
    found = rows.iterator(chunk_size=AT_ONCE)
    while some := with_names_of_today(islice(found, AT_ONCE)):
        yield from some


@part("trophies")
def trophies(user: Any) -> list[dict[str, Any]]:
    """The user's trophies."""
    rows = Trophy.objects.filter(user=user.pk).select_related("tournament").order_by("pk")
    return [
        {"name": row.name, "place": row.place, "tournament": row.tournament.name, "won_at": row.won_at}
        for row in rows
    ]
