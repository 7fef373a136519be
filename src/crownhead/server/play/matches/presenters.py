"""The match that a game belongs to, as the game's page shows it: its kind, the score, its other games."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.play import selectors
from crownhead.server.play.choices import MatchKind
from crownhead.server.play.presenters.state import GameState, MatchInfo
from crownhead.server.play.selectors import Viewer


@dataclass(frozen=True, slots=True)
class GameOfMatch:
    """One of the games; ``here``: the one whose page this is."""

    id: str
    number: int
    here: bool


@dataclass(frozen=True, slots=True)
class MatchLine:
    """``title``: ``Match of 5 games``; ``score``: ``alice 1½, bob ½``."""

    id: str
    title: str
    score: str
    over: bool
    games: tuple[GameOfMatch, ...]


def match_line(state: GameState, match: MatchInfo, viewer: Viewer) -> MatchLine:
    """The match that a game belongs to as a viewer sees it."""
    games = selectors.games_of_match(viewer=viewer, match_id=match.id).order_by("match_number")
    known = tuple(
        GameOfMatch(game.public_id, game.match_number or 0, game.public_id == state.id) for game in games
    )
    return MatchLine(match.id, title(match), _score(state, match), match.over, known)


def title(match: MatchInfo) -> str:
    """What kind of match it is."""
    if match.kind == MatchKind.WINS:
        text = ngettext("First to %(count)s win", "First to %(count)s wins", match.length)
    else:
        text = ngettext("Match of %(count)s game", "Match of %(count)s games", match.length)
    return text % {"count": match.length}


def score(match: MatchInfo) -> tuple[float, float]:
    """What counts for the creator and the opponent: points, or wins where those decide."""
    if match.kind == MatchKind.WINS:
        return match.creator_wins, match.opponent_wins
    return match.creator_score, match.opponent_score


def points(score: float) -> str:
    """``1½`` for one and a half."""
    whole, half = divmod(round(score * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


def _score(state: GameState, match: MatchInfo) -> str:
    others = [player for player in (state.first, state.second) if player and player.id != state.creator.id]
    if not others:
        return ""
    mine, theirs = score(match)
    return _("%(creator)s %(mine)s, %(opponent)s %(theirs)s") % {
        "creator": state.creator.display_name,
        "mine": points(mine),
        "opponent": others[0].display_name,
        "theirs": points(theirs),
    }
