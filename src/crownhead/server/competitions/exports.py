"""The parts of a member's data export that come from tournaments."""

from __future__ import annotations

from typing import Any

from crownhead.server.competitions.models import DirectorAction, Entrant, Invitation, Tournament, Trophy
from crownhead.server.core.exports import part


@part("tournaments")
def tournaments(user: Any) -> Any:
    """The tournaments that the user entered."""
    rows = Entrant.objects.filter(user=user.pk).select_related("tournament").order_by("pk")
    for row in rows.iterator(chunk_size=500):
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
    rows = DirectorAction.objects.filter(by=user.pk).select_related("tournament").order_by("pk")
    for row in rows.iterator(chunk_size=500):
        yield {
            "tournament": row.tournament.name,
            "verb": row.verb,
            "text": row.text,
            "reason": row.reason,
            "done_at": row.done_at,
        }


@part("trophies")
def trophies(user: Any) -> list[dict[str, Any]]:
    """The user's trophies."""
    rows = Trophy.objects.filter(user=user.pk).select_related("tournament").order_by("pk")
    return [
        {"name": row.name, "place": row.place, "tournament": row.tournament.name, "won_at": row.won_at}
        for row in rows
    ]
