"""What the games' events set off here: matches of teams are counted in the game's own transaction."""

from __future__ import annotations

from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play.events import GameAnnulled, GameEnded
from crownhead.server.teams import match_games


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
