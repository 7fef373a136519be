"""The parts of a member's data export that come from teams."""

from __future__ import annotations

from typing import Any

from crownhead.server.core.exports import part
from crownhead.server.teams.models import JoinRequest, Member, Post


@part("teams")
def teams(user: Any) -> list[dict[str, Any]]:
    """The teams that the user is a member of."""
    rows = Member.objects.filter(user=user.pk, team__disbanded_at=None).select_related("team")
    return [
        {
            "id": row.team.public_id,
            "name": row.team.name,
            "joined_at": row.joined_at,
            "captain": row.team.captain_id == user.pk,
        }
        for row in rows.order_by("joined_at")
    ]


@part("team_requests")
def requests(user: Any) -> list[dict[str, Any]]:
    """The user's open join requests and invitations."""
    rows = JoinRequest.objects.filter(user=user.pk, team__disbanded_at=None).select_related("team")
    return [
        {"team": row.team.name, "kind": row.kind, "message": row.message, "made_at": row.made_at}
        for row in rows.order_by("made_at")
    ]


@part("team_posts")
def posts(user: Any) -> Any:
    """The user's messages on team boards."""
    rows = Post.objects.filter(author=user.pk, team__disbanded_at=None).select_related("team")
    for row in rows.order_by("pk").iterator(chunk_size=500):
        yield {"team": row.team.name, "written_at": row.written_at, "text": row.text}
