"""A match as its page shows it: the two players with their points or wins, the score, the games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.play import selectors
from crownhead.server.play.choices import MatchKind, Status
from crownhead.server.play.matches import presenters as match_presenters
from crownhead.server.play.matches.presenters import points
from crownhead.server.play.presenters import games as game_presenters
from crownhead.server.play.presenters.games import Entry
from crownhead.server.play.presenters.state import GameState, MatchInfo, game_state
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game, Viewer
from crownhead.server.web.slices import Slice


@dataclass(frozen=True, slots=True)
class Side:
    """A player of the match: their points or wins, and whether they lead."""

    name: str
    points: str
    leads: bool


@dataclass(frozen=True, slots=True)
class GameOfMatch:
    """A game in the order of the match; ``sides``: who moves first."""

    number: int
    entry: Entry
    sides: str
    standing: str


@dataclass(frozen=True, slots=True)
class MatchPage:
    """``title``: ``Match of 2 games``; ``standing``: the score in a sentence; ``may_end``: the viewer.

    ``rows``: what is shown of ``games``, a part of all.
    """

    title: str
    variant: str
    variant_key: str
    pace: str
    sides: tuple[Side, Side]
    standing: str
    games: Slice[Game]
    rows: tuple[GameOfMatch, ...]
    may_end: bool


def match_page(games: Slice[Game], latest: Game, *, viewer: Viewer, now: datetime) -> MatchPage:
    """The page of a match with some of its games, and the latest of all of them."""
    shown = selectors.prefetch_vacations(games.items)
    rows = tuple(_row(game, viewer=viewer, now=now) for game in shown)
    state = game_state(latest, viewer, now, brief=True)
    assert state.match is not None
    return MatchPage(
        title=match_presenters.title(state.match),
        variant=variant_name(state.variant),
        variant_key=state.variant.key,
        pace=state.time.words,
        sides=_score(state, state.match),
        standing=_standing(state, state.match),
        games=games,
        rows=rows,
        may_end=state.viewer_seat is not None and latest.match is not None and latest.match.goes_on,
    )


def _row(game: Game, *, viewer: Viewer, now: datetime) -> GameOfMatch:
    record = selectors.shown_replay(game)
    state = game_state(game, viewer, now, replayed=record, brief=True)
    return GameOfMatch(
        number=game.match_number or 1,
        entry=game_presenters.entry(state, record, now=now),
        sides=_sides(state),
        standing=game_presenters.status_sentence(state, record),
    )


def _score(state: GameState, match: MatchInfo) -> tuple[Side, Side]:
    mine, theirs = match_presenters.score(match)
    return (
        Side(state.creator.display_name, points(mine), mine > theirs),
        Side(_opponent(state), points(theirs), theirs > mine),
    )


def _opponent(state: GameState) -> str:
    players = [player for player in (state.first, state.second, state.invited) if player]
    others = [player.display_name for player in players if player.id != state.creator.id]
    return others[0] if others else _("Nobody yet")


def _standing(state: GameState, match: MatchInfo) -> str:
    """The score or the result of the match, in a sentence."""
    if state.status == Status.WAITING:
        return _("The match starts when somebody joins.")
    mine, theirs = match_presenters.score(match)
    ahead, behind = max(mine, theirs), min(mine, theirs)
    leader = state.creator.display_name if mine == ahead else _opponent(state)
    facts = {"name": leader, "more": points(ahead), "less": points(behind)}
    if match.over and state.status != Status.PLAYING:
        if ahead == behind:
            return _("The match is drawn, %(more)s to %(less)s.") % facts
        return _("%(name)s wins the match, %(more)s to %(less)s.") % facts
    if ahead == behind:
        level = _("It is %(more)s to %(less)s.") % facts
    else:
        level = _("%(name)s leads, %(more)s to %(less)s.") % facts
    return " ".join((level, _goal(match)))


def _goal(match: MatchInfo) -> str:
    """How much is left to play."""
    if match.over:
        return _("This is the last game.")
    if match.kind == MatchKind.WINS:
        return ngettext(
            "The first to win %(count)s game wins the match.",
            "The first to win %(count)s games wins the match.",
            match.length,
        ) % {"count": match.length}
    played = round(match.creator_score + match.opponent_score)
    left = match.length - played
    return ngettext("%(count)s game to go.", "%(count)s games to go.", left) % {"count": left}


def _sides(state: GameState) -> str:
    if state.first is None or state.second is None:
        return ""
    return _("%(first)s moves first") % {"first": state.first.display_name}
