"""The games of a user, for the archive of their data."""

from __future__ import annotations

from collections.abc import Iterator

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.play import selectors
from crownhead.server.play.archive import selectors as archive_selectors


@part("games.pdn")
def games(user: User) -> Iterator[str]:
    """Yield all games: finished ones first, then those in progress."""
    yield from archive_selectors.records(selectors.my_finished_games(user=user).iterator(chunk_size=100))
    yield from archive_selectors.records(selectors.my_games(user=user).iterator(chunk_size=100))
