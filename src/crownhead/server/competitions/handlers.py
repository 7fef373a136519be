"""What the games' events set off here: their results count in the tournament that made them."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.competitions.services import entries, results
from crownhead.server.competitions.services.rounds import KIND
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play.events import GameAnnulled, GameEnded


@on(GameEnded)
def count_in_its_tournament(event: GameEnded) -> None:
    """A game of a tournament has ended."""
    if event.contest is not None and event.contest.kind == KIND:
        results.count(event)


@on(GameAnnulled)
def take_from_its_tournament(event: GameAnnulled) -> None:
    """The staff say that a game of a tournament counts for nothing."""
    if event.contest is not None and event.contest.kind == KIND:
        results.annul(game_id=event.game_id, now=clock.now())


@on(AccountClosed)
def leave_its_tournaments(event: AccountClosed) -> None:
    """Somebody has left the club: he withdraws from what goes on."""
    entries.forget(user_id=event.user_id, now=event.at)
