"""The running games of a live tournament as small boards: those of the players who lead come first."""

from __future__ import annotations

from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.selectors.standings import Standing
from crownhead.server.play import selectors as games
from crownhead.server.play.presenters.small_boards import SmallBoard, small_board
from crownhead.server.teams.selectors.terms import is_live

MOST = 6  # boards: as many as are taken in at a glance, and as the stream of a page may follow


def live_boards(tournament: Tournament, standing: Standing) -> list[SmallBoard]:
    """At most a handful of games; none where days are played for a move. One query."""
    if not is_live(tournament.terms):
        return []
    keys = standing.running[:MOST]
    rows = (
        {game.public_id: game for game in games.games_to_watch().filter(public_id__in=keys)} if keys else {}
    )
    return [small_board(rows[key]) for key in keys if key in rows]
