"""The open games of the waiting room."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.games.selectors.blocking import exclude_blocked_either_way
from crownhead.server.play.selectors import MAX_SHOWN, Game, Games, Viewer, waiting_games
from crownhead.server.ratings.selectors import points_beside


def waiting_room(*, viewer: Viewer, now: datetime, variant: str | None = None) -> Games:
    """The open games, newest first, their creators loaded; ``variant``: only that variant.

    Games of players who block the viewer, or whom they block, are left out.
    """
    rows = waiting_games(now=now, variant=variant)
    return exclude_blocked_either_way(rows, viewer) if isinstance(viewer, User) else rows


def top_for(viewer: User, now: datetime) -> list[Game]:
    """The newest open games for a member, and one more than a page shows."""
    return _TOP.rows(user_id=viewer.pk, now=now)


_TOP: Prepared[Game] = Prepared(
    lambda user_id, now: waiting_room(viewer=User(pk=user_id), now=now)[:MAX_SHOWN],
    user_id=int,
    now=datetime,
)


def public_state(now: datetime) -> tuple[tuple[Any, ...], ...]:
    """What the waiting room shows of the latest games: ids, creators, their ratings, whether guests may join.

    Terms never change.
    """
    return tuple(_PUBLIC_STATE.rows(now=now))


_PUBLIC_STATE: Prepared[tuple[Any, ...]] = Prepared(
    lambda now: waiting_games(now=now).values_list(
        "public_id",
        "creator__username",
        "creator__preferences__guests",
        points_beside(user="creator", variant="variant"),
    )[:MAX_SHOWN],
    now=datetime,
)
