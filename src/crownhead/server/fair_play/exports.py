"""The parts of a member's data export that come from fair play."""

from __future__ import annotations

from typing import Any

from crownhead.server.core.exports import part
from crownhead.server.fair_play.models import EngineRequest, Sighting


@part("sightings")
def sightings(user: Any) -> list[dict[str, Any]]:
    """With how many addresses and browsers the user was seen, as hashes."""
    rows = Sighting.objects.filter(user=user.pk).order_by("pk")
    return [dict(row) for row in rows.values("trace", "digest", "first_at", "last_at")]


@part("engine_requests")
def engine_requests(user: Any) -> list[dict[str, Any]]:
    """What the user asked the engine about their own running games."""
    rows = EngineRequest.objects.filter(user=user.pk).order_by("pk")
    return [dict(row) for row in rows.values("game_id", "variant", "fen", "times", "first_at", "last_at")]
