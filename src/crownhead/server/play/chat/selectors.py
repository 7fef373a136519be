"""Questions about chat and private notes."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.play.games import blocking
from crownhead.server.play.models import ChatLine, Game, Note, Status
from crownhead.server.play.selectors import Viewer

__all__ = ["ChatLine", "lines", "note", "noted"]

LONGEST_LINE, LONGEST_NOTE = 1000, 10_000


def noted(*, user: User, games: Iterable[Game]) -> set[int]:
    """The primary keys of those of the games about which the user has written a note."""
    rows = Note.objects.filter(user=user, game__in=[game.pk for game in games])
    return set(rows.values_list("game_id", flat=True))


def lines(*, game: Game, viewer: Viewer) -> QuerySet[ChatLine]:
    """What was said, in order, as far as the viewer may and wants to read it: others only after the end."""
    if game.status != Status.FINISHED and not _is_inside(game, viewer):
        return ChatLine.objects.none()
    rows = ChatLine.objects.filter(game=game).order_by("pk")
    if isinstance(viewer, User) and not viewer.is_staff:
        rows = rows.exclude(seat__in=blocking.blocked_seats(game, viewer.pk))
    return rows


def note(*, game: Game, user: User) -> str:
    """The user's note about a game; empty if there is none."""
    return Note.objects.filter(game=game, user=user).values_list("text", flat=True).first() or ""


def _is_inside(game: Game, viewer: Viewer) -> bool:
    if viewer is None or viewer.pk is None:
        return False
    return viewer.pk in {game.first_player_id, game.second_player_id} or getattr(viewer, "is_staff", False)
