"""Handlers of events from below: games count in matches, closed accounts leave their teams."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play.events import GameAnnulled, GameEnded
from crownhead.server.teams import tasks
from crownhead.server.teams.events import MemberLeft, TeamDisbanded, TeamMatchAnswered, TeamMatchStarted
from crownhead.server.teams.services import availability, calling_off, match_games, membership


@on(GameEnded)
def count_game_in_match(event: GameEnded) -> None:
    """Count a game of a match that has ended."""
    if event.contest is not None and event.contest.kind == match_games.KIND:
        match_games.count(game_id=event.game_id, half_points=event.half_points, now=event.seen_at)


@on(GameAnnulled)
def annul_game_in_match(event: GameAnnulled) -> None:
    """Annul a game of a match that the staff have annulled."""
    if event.contest is not None and event.contest.kind == match_games.KIND:
        match_games.annul(game_id=event.game_id, now=clock.now())


@on(TeamMatchAnswered)
def ask_members(event: TeamMatchAnswered) -> None:
    """Leave the members of two teams, who may be thousands, to the worker."""
    if event.accepted:
        tasks.ask_members.enqueue(event.match_id)


@on(TeamMatchStarted)
def begin_more_games(event: TeamMatchStarted) -> None:
    """Leave the games that are too many for the request of a captain to the worker."""
    if match_games.has_more(match_id=event.match_id):
        tasks.begin_more_games.enqueue(event.match_id)


@on(AccountClosed)
def remove_closed_account(event: AccountClosed) -> None:
    """Remove the user of a closed account from all teams."""
    if membership.teams_to_leave(event.user_id):
        tasks.leave_teams_of_closed_account.enqueue(event.user_id)


@on(MemberLeft)
def take_out_of_matches(event: MemberLeft) -> None:
    """Take a member who has left out of matches that have not started."""
    availability.forget(user_id=event.user_id, team_id=event.team_id)


@on(TeamDisbanded)
def call_off_matches(event: TeamDisbanded) -> None:
    """Leave the matches of a team that are too many for one request to the worker."""
    if calling_off.are_left(event.team_id):
        tasks.call_off_matches.enqueue(event.team_id, event.by_id)
