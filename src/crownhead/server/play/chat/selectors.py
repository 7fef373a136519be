"""Questions about chat and private notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Max, QuerySet, Value

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.queries.prepared import Prepared, PreparedForKeys
from crownhead.server.play.games.selectors import blocking
from crownhead.server.play.models import ChatLine, Game, Note, Seat, Status
from crownhead.server.play.selectors import Viewer

__all__ = ["ChatLine", "count_by_others", "is_unanswered", "latest_lines", "lines", "marks", "note"]

SHOWN = 50  # lines of a part of the chat on a page


def marks(*, user: User, games: Iterable[Game]) -> tuple[set[int], set[int]]:
    """The primary keys of those of the games with a note of the user's, and with an unanswered message.

    A message of the opponent in a game in progress is unanswered until the user moves or writes; messages of
    blocked players do not count.
    """
    found = {game.pk: game for game in games}
    noted, waiting = set(), set()
    for pk, seat, ply in _MARKS.rows(found, user_id=user.pk):
        if not seat:
            noted.add(pk)
        elif found[pk].status == Status.PLAYING and is_unanswered(found[pk], user, seat=seat, ply=ply):
            waiting.add(pk)
    blocked = accounts.blocked_ids(user.pk) if waiting else set()
    return noted, {
        pk for pk in waiting if blocked.isdisjoint({found[pk].first_player_id, found[pk].second_player_id})
    }


def is_unanswered(game: Game, user: User, *, seat: str, ply: int) -> bool:
    """Whether the last line of a game in progress, by ``seat`` at ``ply``, is newer than the user's move."""
    mine = Seat.FIRST if game.first_player_id == user.pk else Seat.SECOND
    own_last_move = game.version - game.turned_back - (game.turn == mine)
    return seat != mine and ply >= own_last_move


def _notes_and_last_lines(games: list[int], user_id: int) -> QuerySet[Any, tuple[int, str, int]]:
    """The games with a note, without a seat; and the last line of the chat of each."""
    last = ChatLine.objects.filter(game__in=games).values("game_id").annotate(last=Max("pk"))
    notes = Note.objects.filter(user=user_id, game__in=games).values_list("game_id", Value(""), Value(0))
    written = ChatLine.objects.filter(pk__in=last.values("last")).values_list("game_id", "seat", "ply")
    return notes.union(written, all=True)


_MARKS = PreparedForKeys(_notes_and_last_lines, user_id=int)


def _latest(game_id: int) -> QuerySet[ChatLine]:
    return ChatLine.objects.filter(game_id=game_id).order_by("-pk")


_LATEST = Prepared(lambda game_id: _latest(game_id)[: SHOWN + 1], game_id=int)
_LINES = Prepared(lambda game_id: ChatLine.objects.filter(game_id=game_id).order_by("pk"), game_id=int)
_NOTE = Prepared(
    lambda game_id, user_id: Note.objects.filter(game_id=game_id, user_id=user_id).values_list("text"),
    game_id=int,
    user_id=int,
)


def lines(*, game: Game, viewer: Viewer) -> list[ChatLine]:
    """What was said, in order, as far as the viewer may and wants to read it: others only after the end."""
    if game.status != Status.FINISHED and not _is_inside(game, viewer):
        return []
    rows = _LINES.rows(game_id=game.pk)
    if rows and isinstance(viewer, User) and not viewer.acts_as_staff:
        blocked = blocking.blocked_seats(game, viewer.pk)
        return [row for row in rows if row.seat not in blocked]
    return rows


def latest_lines(
    *, game: Game, viewer: Viewer, offset: int = 0, limit: int = SHOWN
) -> tuple[list[ChatLine], bool]:
    """The last lines, in order, and whether others came before them.

    ``offset``: how many of the last ones are left out, too.
    """
    if game.status != Status.FINISHED and not _is_inside(game, viewer):
        return [], False
    if (offset, limit) == (0, SHOWN):
        rows = _LATEST.rows(game_id=game.pk)
    else:
        rows = list(_latest(game.pk)[offset : offset + limit + 1])
    if rows and isinstance(viewer, User) and not viewer.acts_as_staff:
        blocked = blocking.blocked_seats(game, viewer.pk)
        if blocked:
            rows = list(_latest(game.pk).exclude(seat__in=blocked)[offset : offset + limit + 1])
    return rows[:limit][::-1], len(rows) > limit


def count_by_others(*, game: Game, viewer: Viewer) -> int:
    """How many lines were said by others than the viewer, blocked ones left out."""
    rows = ChatLine.objects.filter(game=game)
    if isinstance(viewer, User):
        mine = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
        own = [seat for seat, player in mine.items() if player == viewer.pk]
        blocked = [] if viewer.acts_as_staff else blocking.blocked_seats(game, viewer.pk)
        rows = rows.exclude(seat__in=[*own, *blocked])
    return rows.count()


def note(*, game: Game, user: User) -> str:
    """The user's note about a game; empty if there is none."""
    return _text(_NOTE.first(game_id=game.pk, user_id=user.pk))


def _text(row: tuple[str] | None) -> str:
    return row[0] if row else ""


def _is_inside(game: Game, viewer: Viewer) -> bool:
    if viewer is None or viewer.pk is None:
        return False
    plays = viewer.pk in {game.first_player_id, game.second_player_id}
    return plays or getattr(viewer, "acts_as_staff", False)
