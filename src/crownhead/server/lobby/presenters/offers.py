"""Games that wait for an opponent, as the viewer of a list or an invitation sees them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape

from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour, Position
from crownhead.rules.draws import OFFICIAL, draw_rules_of
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.core import clock
from crownhead.server.play import selectors
from crownhead.server.play.clocks.presenters import duration
from crownhead.server.play.games.selectors import guests
from crownhead.server.play.matches import presenters as match_presenters
from crownhead.server.play.presenters.board.diagrams import Diagram, bottom_of, dark_side, diagram
from crownhead.server.play.presenters.board.words import side
from crownhead.server.play.presenters.entry_markup import facts_markup, game_link
from crownhead.server.play.presenters.state import GameState, game_state
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game
from crownhead.server.ratings.selectors import ratings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game that waits; ``seat``: the side the viewer would play; ``why_not``: why they cannot join.

    ``for_members``: the viewer, who has no account, needs one to join.
    """

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
    for_members: bool = False

    @property
    def link(self) -> str:
        """The path of the page of the game."""
        return game_link(self.id)

    @property
    def label(self) -> SafeString:
        """What its button does, for screen readers, as HTML."""
        facts = {"name": escape(display_name(self.creator)), "variant": escape(self.variant)}
        text = _("Withdraw your game, %(variant)s") if self.mine else _("Join %(name)s's game, %(variant)s")
        text = _("Sign up to join %(name)s's game, %(variant)s") if self.for_members else text
        return mark_safe(text % facts)  # nosec B308 B703 # escaped above

    @property
    def terms(self) -> SafeString:
        """Its terms in a line of a list, as HTML: with the viewer's side, or how long it still waits."""
        if self.mine:
            expires = _("expires in %(time)s") % {"time": self.expires_in}
            return facts_markup(self.variant, self.pace, *self.facts, expires)
        dot = f'<i class="dot" data-colour="{self.colour}"></i>' if self.colour else ""
        seat = f"<span>{dot}{escape(self.seat)}</span>"
        terms = facts_markup(self.variant, self.pace) + seat + facts_markup(*self.facts)
        return mark_safe(terms)  # nosec B308 B703 # escaped above


def offers(request: HttpRequest, games: list[Game]) -> list[Offer]:
    """Waiting games as the viewer sees them."""
    points = _points(request) if any(_asks_for_rating(game) for game in games) else {}
    open_to_guests = None if isinstance(request.user, User) else guests.open_to_guests(games)
    return [_offer(request, game, points, open_to_guests) for game in games]


def offer(request: HttpRequest, game: Game) -> Offer:
    """A waiting game as the viewer sees it."""
    open_to_guests = None if isinstance(request.user, User) else guests.open_to_guests([game])
    return _offer(request, game, None, open_to_guests)


def _offer(
    request: HttpRequest, game: Game, points: Mapping[str, int] | None, open_to_guests: Collection[str] | None
) -> Offer:
    """``points``: the viewer's rating in each variant; ``open_to_guests``: None if they are a member."""
    record, who = selectors.shown_replay(game), viewer(request)
    state = game_state(game, who, clock.now(), replayed=record, points=points, brief=True)
    made = offer_of(state, record, viewer_id=who.pk, now=clock.now())
    if open_to_guests is None or made.mine:
        return made
    return replace(made, why_not="", for_members=game.public_id not in open_to_guests)


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
        facts=facts(state, record),
        expires_in=duration(state.expires_at - now) if state.expires_at else "",
        mine=mine,
        why_not="" if mine or viewer_id is None or state.rights.join else _why_not(state),
        diagram=diagram(record.position, bottom=bottom_of(state.variant, colour or first)),
        dark_side=dark_side(state.variant),
    )


def facts(state: GameState, record: crownhead.Game) -> tuple[str, ...]:
    """The other terms of the game: a few words for each that is not the default."""
    draws = draw_rules_of(state.variant, state.draw_rules)
    texts = (
        match_presenters.title(state.match) if state.match else "",
        _("rated") if state.rated else "",
        _range(state),
        _("private") if state.hidden else "",
        "" if state.draw_rules == OFFICIAL else _("draw rules of %(name)s") % {"name": draws.name},
        _from_position(record) if record.start != Position.start(record.variant) else "",
        _("ballot %(number)s") % {"number": state.opening} if state.opening else "",
        " ".join(state.moves),
    )
    return tuple(filter(None, texts))


def name_of_invited(game: Game) -> str:
    """Whom an invitation is for."""
    if game.invited:
        return display_name(game.invited.username)
    return game.invitation.email or _("anyone with the link")


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


def _from_position(record: crownhead.Game) -> str:
    name = side(record.start.turn, record.variant)
    return _("from this position, %(side)s to move") % {"side": name}


def _why_not(state: GameState) -> str:
    """Why the viewer cannot join an open game: only their rating can prevent it."""
    return _("Outside your rating") if state.open else ""


def _free_seat(state: GameState) -> str:
    if state.first and not state.second:
        return "second"
    return "first" if state.second and not state.first else ""
