"""What game events do to ratings: rated games count, annulled games are removed."""

from __future__ import annotations

from crownhead import Termination
from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.play.choices import FORFEIT, PaceKey
from crownhead.server.play.events import GameAnnulled, GameEnded
from crownhead.server.play.games import providers
from crownhead.server.ratings import selectors
from crownhead.server.ratings.services import counting, recounting
from crownhead.server.ratings.services.leaderboards import remove_player


@on(GameEnded)
def count(event: GameEnded) -> None:
    """In the game's own transaction; hidden and forfeited games and those without a result do not count."""
    points = event.half_points
    if (
        not event.rated
        or not event.is_public
        or event.annulled
        or points is None
        or event.termination == FORFEIT
    ):
        return
    assert event.first_id is not None
    assert event.second_id is not None
    counting.count_game(
        game_id=event.game_id,
        variant=event.variant,
        first_id=event.first_id,
        second_id=event.second_id,
        half_points=points,
        now=event.seen_at,
        live=event.pace == PaceKey.LIVE,
        on_time=event.termination == Termination.TIME,
    )


@on(GameAnnulled)
def take_back(event: GameAnnulled) -> None:
    """Recalculate as if it had never been played."""
    if event.first_id is not None and event.second_id is not None:
        recounting.take_back(game_id=event.game_id, first_id=event.first_id, second_id=event.second_id)


@on(AccountClosed)
def take_off(event: AccountClosed) -> None:
    """Closed accounts are removed from the leaderboards; their games still count."""
    remove_player(user_id=event.user_id)


providers.register_rating_provider(selectors.points_in)
