"""Questions of the staff, and about what players asked of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F, Q

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.core.batches import batched
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.choices import StaffVerb
from crownhead.server.play.games.selectors.rated_limits import GIVEN_UP, LONGEST_OPENING, is_early
from crownhead.server.play.games.selectors.replay import own_plies
from crownhead.server.play.games.selectors.rights import seat_of_viewer
from crownhead.server.play.models import Appeal, Game, StaffAction, Status
from crownhead.server.play.selectors import Viewer

__all__ = ["Appeal", "QuickEnds", "appeals", "quick_ends", "why_adjourned"]

_USUAL = 30  # plies before which few give up, on boards with so many pieces
_AT_ONCE = 5000  # games asked for together: a statement takes no more ids than its database allows

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


@dataclass(frozen=True, slots=True)
class QuickEnds:
    """Games by their public ids: those shorter than ten plies, and those given up early."""

    short: set[str]
    given_up: set[str]


def quick_ends(public_ids: Collection[str]) -> QuickEnds:
    """Which of these games ended quickly."""
    ends = QuickEnds(set(), set())
    for some in batched(sorted(public_ids), _AT_ONCE):
        quick = Q(version__lt=F("turned_back") + _USUAL + LONGEST_OPENING)
        rows = Game.objects.filter(quick, public_id__in=some, status=Status.FINISHED)
        for game in rows.only("public_id", "moves", "opening", "variant", "termination", "winner"):
            if is_early(game):
                ends.short.add(game.public_id)
            if _is_given_up_early(game):
                ends.given_up.add(game.public_id)
    return ends


def _is_given_up_early(game: Game) -> bool:
    """Resigned, lost on time or left before there were as many plies as pieces at the start.

    Those are fewer than half of the plies of a usual game. Ten would be too few to ask for: who arranges
    games makes just as many.
    """
    if game.winner is None or game.termination not in GIVEN_UP:
        return False
    start = VARIANTS[game.variant].start
    return own_plies(game) < min(len(start.black) + len(start.white), _USUAL)


def why_adjourned(*, game: Game) -> str:
    """The reason for which a game was adjourned last; empty where none was given."""
    actions = StaffAction.objects.filter(game=game, verb=StaffVerb.ADJOURNED).order_by("-pk")
    return actions.values_list("reason", flat=True).first() or ""
