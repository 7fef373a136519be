"""Games that wait for an opponent, as the viewer of a list or an invitation sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour
from crownhead.rules.draws import OFFICIAL, draw_rules_of
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.play import selectors
from crownhead.server.play.board.diagrams import Diagram, bottom_of, dark_side, diagram
from crownhead.server.play.board.words import side
from crownhead.server.play.clocks.presenters import duration
from crownhead.server.play.matches import presenters as match_presenters
from crownhead.server.play.presenters.state import GameState
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game
from crownhead.server.ratings.selectors import ratings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game that waits; ``seat``: the side the viewer would play; ``why_not``: why they cannot join."""

    id: str
    creator: str
    variant: str
    variant_key: str
    pace: str
    seat: str
    colour: Colour | None
    facts: tuple[str, ...]
    expires_in: str
    mine: bool
    why_not: str
    diagram: Diagram
    dark_side: str


def offers(request: HttpRequest, games: list[Game]) -> list[Offer]:
    """Waiting games as the viewer sees them."""
    points = _points(request) if any(_asks_for_rating(game) for game in games) else {}
    return [offer(request, game, points) for game in games]


def offer(request: HttpRequest, game: Game, points: Mapping[str, int] | None = None) -> Offer:
    """A waiting game as the viewer sees it; ``points``: their rating in each variant."""
    record = selectors.replay_game(game)
    state = selectors.state(game, request.user, clock.now(), replayed=record, points=points)
    return offer_of(state, record, viewer_id=request.user.pk, now=clock.now())


def offer_of(state: GameState, record: crownhead.Game, *, viewer_id: int | None, now: datetime) -> Offer:
    """A waiting game as the viewer of ``state`` sees it."""
    first = state.variant.start.first
    colour = {"first": first, "second": first.opponent}.get(_free_seat(state))
    mine = viewer_id == state.creator.id
    return Offer(
        id=state.id,
        creator=state.creator.username,
        variant=variant_name(state.variant),
        variant_key=state.variant.key,
        pace=state.time.words,
        seat=_seat(state, None if colour is None else side(colour, state.variant)),
        colour=colour,
        facts=facts(state),
        expires_in=duration(state.expires_at - now) if state.expires_at else "",
        mine=mine,
        why_not="" if mine or viewer_id is None or state.rights.join else _why_not(state),
        diagram=diagram(record.position, bottom=bottom_of(state.variant, colour or first)),
        dark_side=dark_side(state.variant),
    )


def facts(state: GameState) -> tuple[str, ...]:
    """The other terms of the game: a few words for each that is not the default."""
    draws = draw_rules_of(state.variant, state.draw_rules)
    texts = (
        match_presenters.title(state.match) if state.match else "",
        _("rated") if state.rated else "",
        _range(state),
        _("private") if state.hidden else "",
        "" if state.draw_rules == OFFICIAL else _("draw rules of %(name)s") % {"name": draws.name},
        _("ballot %(number)s") % {"number": state.opening} if state.opening else "",
        " ".join(state.moves),
    )
    return tuple(filter(None, texts))


def name_of_invited(game: Game) -> str:
    """Whom an invitation is for."""
    return game.invited.username if game.invited else str(game.invitation.email)


def _asks_for_rating(game: Game) -> bool:
    return game.min_rating is not None or game.max_rating is not None


def _points(request: HttpRequest) -> dict[str, int]:
    """The rating of the viewer in each variant they are rated in."""
    if not isinstance(request.user, User):
        return {}
    return {rating.variant: rating.points for rating in ratings_of(request.user.pk)}


def _seat(state: GameState, name: str | None) -> str:
    if name is None:
        return _("random sides")
    if state.match:
        return _("you start as %(side)s") % {"side": name}
    return _("you play %(side)s") % {"side": name}


def _range(state: GameState) -> str:
    least, most = state.min_rating, state.max_rating
    if least is not None and most is not None:
        return _("rating %(least)s to %(most)s") % {"least": least, "most": most}
    if least is not None:
        return _("rating %(least)s or higher") % {"least": least}
    return _("rating %(most)s or lower") % {"most": most} if most is not None else ""


def _why_not(state: GameState) -> str:
    """Why the viewer cannot join an open game: only their rating can prevent it."""
    return _("Outside your rating") if state.open else ""


def _free_seat(state: GameState) -> str:
    if state.first and not state.second:
        return "second"
    return "first" if state.second and not state.first else ""
