"""Team matches for lists and pages, with their table of boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.contest.model import WIN
from crownhead.server.accounts.selectors import User
from crownhead.server.core.moments import moment_text
from crownhead.server.play.matches.presenters import points
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.teams import selectors
from crownhead.server.teams.access.matches import EXPIRES, OPEN, has_expired, may_call_off, side_of, team_of
from crownhead.server.teams.models import Board, BoardGame, MatchStatus, Side, TeamMatch
from crownhead.server.teams.selectors import Viewer
from crownhead.server.teams.selectors import matches as match_selectors
from crownhead.server.teams.selectors.terms import options_of, pace_of

_BEGUN = {MatchStatus.PLAYING, MatchStatus.FINISHED}


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list; ``score`` is empty before it begins."""

    id: str
    home: str
    away: str
    variant: str
    status: str
    score: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GameCell:
    """A game on a board: its id, who moves first, and its score, home side first."""

    id: str
    number: int
    first: str
    result: str
    annulled: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board: its players, the points of each, its games."""

    number: int
    home: str
    away: str
    home_points: str
    away_points: str
    games: list[GameCell]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """``side``: the one whose captain the viewer is, or empty; ``to_do``: what they have to do.

    ``may_play``: the sides for which the viewer may say that they can play; ``plays``: the one they chose.
    """

    match: TeamMatch
    variant: str
    pace: str
    rated: bool
    status: str
    sentence: str
    words: str
    home_points: str
    away_points: str
    begun: bool
    boards: list[BoardLine]
    side: str
    to_do: str
    may_withdraw: bool
    may_play: list[tuple[str, str]]
    plays: str
    members: list[str]
    lined_up: list[str]


def lines(matches: Iterable[TeamMatch]) -> list[MatchLine]:
    """Matches as lines."""
    return [
        MatchLine(
            id=match.public_id,
            home=match.home.name,
            away=match.away.name,
            variant=variant_name(VARIANTS[match.variant]),
            status=str(MatchStatus(match.status).label),
            score=f"{points(match.home_points / 2)} : {points(match.away_points / 2)}"
            if match.status in _BEGUN
            else "",
            at=match.ended_at or match.started_at or match.proposed_at,
        )
        for match in matches
    ]


def match_page(match: TeamMatch, viewer: Viewer) -> MatchPage:
    """A match as this viewer sees it."""
    options = options_of(match.variant, match.terms)
    user = viewer if isinstance(viewer, User) else None
    side = side_of(match, user) if user else None
    to_do = _to_do(match, side)
    return MatchPage(
        match=match,
        variant=variant_name(VARIANTS[match.variant]),
        pace=pace_of(options),
        rated=options.rated,
        status=str(MatchStatus(match.status).label),
        sentence=_sentence(match),
        words="" if match.status in _BEGUN else match_selectors.words_of(match, viewer),
        home_points=points(match.home_points / 2),
        away_points=points(match.away_points / 2),
        begun=match.status in _BEGUN,
        boards=[_board(board) for board in match_selectors.boards(match)],
        side=side.value if side else "",
        to_do=to_do,
        may_withdraw=user is not None
        and match.status in {MatchStatus.PROPOSED, MatchStatus.LINING_UP}
        and may_call_off(match, user),
        may_play=_may_play(match, user) if user else [],
        plays=_plays(match, user) if user else "",
        members=_members(match, side, user) if to_do == "line_up" and side and user else [],
        lined_up=_lined_up(match, side) if side and match.status == MatchStatus.LINING_UP else [],
    )


def _to_do(match: TeamMatch, side: Side | None) -> str:
    if match.status == MatchStatus.PROPOSED and side is Side.AWAY:
        return "answer"
    return "line_up" if match.status == MatchStatus.LINING_UP and side else ""


def _may_play(match: TeamMatch, user: User) -> list[tuple[str, str]]:
    """The sides of which the user is a member, with the names of the teams, before the match starts."""
    if match.status not in OPEN:
        return []
    sides = [(side, team_of(match, side)) for side in Side]
    return [(side.value, team.name) for side, team in sides if selectors.is_member(user.pk, team.public_id)]


def _plays(match: TeamMatch, user: User) -> str:
    available = match_selectors.availability_of(match, user)
    return available.side if available else ""


def _members(match: TeamMatch, side: Side, captain: User) -> list[str]:
    """The names that a captain can choose from: those who can play, and their own."""
    names = set(match_selectors.available(match, side))
    if selectors.is_member(captain.pk, team_of(match, side).public_id):
        names.add(captain.username)
    return sorted(names, key=str.casefold)


def _lined_up(match: TeamMatch, side: Side) -> list[str]:
    filed = match_selectors.lined_up(match, side)
    if filed is None:
        return []
    names = dict(User.objects.filter(pk__in=filed.players).values_list("pk", "username"))
    return [names[key] for key in filed.players]


def _sentence(match: TeamMatch) -> str:
    """The status as a sentence."""
    facts = {"home": match.home.name, "away": match.away.name}
    if match.status == MatchStatus.PROPOSED:
        facts["until"] = moment_text(match.proposed_at + EXPIRES)
        return (
            _(
                "%(home)s proposed this match. Waiting for the captain of %(away)s. "
                "Without an answer the proposal expires on %(until)s."
            )
            % facts
        )
    if match.status == MatchStatus.LINING_UP:
        filed = match_selectors.filed(match)
        missing = [team_of(match, side).name for side in Side if side not in filed]
        return _("Accepted. Waiting for the line-up of: %(teams)s.") % {"teams": ", ".join(missing)}
    if match.status == MatchStatus.DECLINED:
        return _("%(away)s declined this match.") % facts
    if match.status == MatchStatus.WITHDRAWN and has_expired(match):
        return _("%(away)s did not answer in time, so this proposal expired.") % facts
    if match.status == MatchStatus.WITHDRAWN:
        return _("This match was cancelled.")
    if match.home_points == match.away_points:
        return (
            _("The match ended in a tie.")
            if match.status == MatchStatus.FINISHED
            else _("The score is level.")
        )
    leader = match.home.name if match.home_points > match.away_points else match.away.name
    text = _("%(name)s won the match.") if match.status == MatchStatus.FINISHED else _("%(name)s leads.")
    return text % {"name": leader}


def _board(board: Board) -> BoardLine:
    games = list(board.games.all())
    counted = [
        (game.home_points or 0, game.away_points or 0) for game in games if game.home_points is not None
    ]
    if board.lost_by:
        won = WIN * board.match.games_each
        counted = [(0, won) if board.lost_by == Side.HOME else (won, 0)]
    return BoardLine(
        number=board.number,
        home=board.home_player.username,
        away=board.away_player.username,
        home_points=points(sum(home for home, _away in counted) / 2) if counted else "",
        away_points=points(sum(away for _home, away in counted) / 2) if counted else "",
        games=[_cell(board, game) for game in games],
    )


def _cell(board: Board, game: BoardGame) -> GameCell:
    first = board.home_player if game.home_is_first else board.away_player
    result = ""
    if game.home_points is not None and game.away_points is not None:
        result = f"{points(game.home_points / 2)} : {points(game.away_points / 2)}"
    return GameCell(game.game_id, game.number, first.username, result, game.annulled)
