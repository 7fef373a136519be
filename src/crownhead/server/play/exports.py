"""The game data of one person besides the game records, for the export of their data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.play import selectors
from crownhead.server.play.models import Appeal, ChatLine, Game, Invitation, Note, Seat, Vacation
from crownhead.server.play.plans.selectors import plan_info


@part("game_notes")
def notes(user: User) -> Iterator[dict[str, Any]]:
    """Private notes about games."""
    for row in Note.objects.filter(user=user).select_related("game").order_by("pk").iterator():
        yield {"game": row.game.public_id, "text": row.text}


@part("game_chat")
def chat(user: User) -> Iterator[dict[str, Any]]:
    """Chat lines to opponents."""
    for row in ChatLine.objects.filter(_on_seats_of(user)).select_related("game").order_by("pk").iterator():
        yield {"game": row.game.public_id, "at": row.written_at, "ply": row.ply, "text": row.text}


@part("game_plans")
def conditional_moves(user: User) -> Iterator[dict[str, Any]]:
    """Conditional moves in games in progress."""
    for game in selectors.my_games(user=user):
        seat = Seat.FIRST if game.first_player_id == user.pk else Seat.SECOND
        plan = plan_info(game, seat)
        if plan.lines:
            yield {"game": game.public_id, "after_ply": plan.ply, "lines": plan.lines}


@part("game_offers")
def offers(user: User) -> Iterator[dict[str, Any]]:
    """Games that the person offered or was offered and that have not started."""
    rows = Game.objects.filter(Q(creator=user) | Q(invited=user), started_at=None).order_by("pk")
    opponents = dict(
        Invitation.objects.filter(game__in=rows, game__creator=user).values_list("game_id", "message")
    )
    for game in rows.with_players().iterator(chunk_size=500):
        yield {
            "game": game.public_id,
            "variant": game.variant,
            "by": game.creator.username,
            "to": game.invited.username if game.invited else None,
            "message": opponents.get(game.pk, ""),
            "status": game.status,
            "offered_at": game.created_at,
        }


@part("game_appeals")
def appeals(user: User) -> Iterator[dict[str, Any]]:
    """Requests to the staff, and the answers."""
    for row in Appeal.objects.filter(_on_seats_of(user)).select_related("game").order_by("pk").iterator():
        yield {
            "game": row.game.public_id,
            "claim": row.claim,
            "reason": row.reason,
            "asked_at": row.asked_at,
            "granted": row.granted,
            "answer": row.answer,
        }


@part("vacations")
def vacations(user: User) -> Iterator[dict[str, Any]]:
    """Vacations, planned or used automatically."""
    for row in Vacation.objects.filter(user=user).order_by("begins_at").iterator():
        yield {
            "begins_at": row.begins_at,
            "ends_at": row.ends_at,
            "hours": row.hours,
            "automatic": row.automatic,
        }


def _on_seats_of(user: User) -> Q:
    return Q(game__first_player=user, seat=Seat.FIRST) | Q(game__second_player=user, seat=Seat.SECOND)
