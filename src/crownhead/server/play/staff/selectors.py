"""Questions of the staff, and about what players asked of them."""

from __future__ import annotations

from collections.abc import Collection

from crownhead.server.accounts.selectors import User
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.choices import StaffVerb
from crownhead.server.play.games.selectors.rated_limits import is_early
from crownhead.server.play.games.selectors.rights import seat_of_viewer
from crownhead.server.play.models import Appeal, Game, StaffAction, Status
from crownhead.server.play.selectors import Viewer

__all__ = ["Appeal", "appeals", "short_games", "why_adjourned"]


_APPEALS = Prepared(lambda game_id: Appeal.objects.filter(game_id=game_id).order_by("pk"), game_id=int)


def appeals(*, game: Game, viewer: Viewer) -> list[Appeal]:
    """What the staff were asked about a game, in order; the reason is for its author and the staff alone.

    It is written to the staff, also by somebody who is muted, or whom the opponent has blocked.
    """
    rows = _APPEALS.rows(game_id=game.pk)
    seat = seat_of_viewer(game, viewer)
    others = [row for row in rows if row.seat != seat]
    if others and not (isinstance(viewer, User) and viewer.acts_as_staff):
        for row in others:
            row.reason = ""
    return rows


def short_games(public_ids: Collection[str]) -> dict[str, str]:
    """How those of these games ended that were over before ten plies had been made, by public id."""
    rows = Game.objects.filter(public_id__in=public_ids, status=Status.FINISHED)
    wanted = rows.only("public_id", "moves", "opening", "variant", "termination")
    return {game.public_id: game.termination for game in wanted if is_early(game)}


def why_adjourned(*, game: Game) -> str:
    """The reason for which a game was adjourned last; empty where none was given."""
    actions = StaffAction.objects.filter(game=game, verb=StaffVerb.ADJOURNED).order_by("-pk")
    return actions.values_list("reason", flat=True).first() or ""
