"""What happens below sets off here: matches are counted in a game's own transaction, leavers let go."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play.events import GameAnnulled, GameEnded
from crownhead.server.teams.services import match_games, membership


@on(GameEnded)
def count_in_its_match(event: GameEnded) -> None:
    """A game of a match has ended."""
    if event.contest is not None and event.contest.kind == match_games.KIND:
        match_games.count(game_id=event.game_id, half_points=event.half_points, now=event.seen_at)


@on(GameAnnulled)
def take_from_its_match(event: GameAnnulled) -> None:
    """The staff say that a game of a match counts for nothing."""
    if event.contest is not None and event.contest.kind == match_games.KIND:
        match_games.annul(game_id=event.game_id, now=clock.now())


@on(AccountClosed)
def leave_its_teams(event: AccountClosed) -> None:
    """Somebody has left the club: he leaves his teams, and his requests are gone."""
    membership.forget(user_id=event.user_id, now=event.at)
