"""The questions asked of games, and the only way to get one on behalf of a viewer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import beside
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.core.texts import is_storable
from crownhead.server.play.clocks.timing import player_on, prefetch_vacations
from crownhead.server.play.games import endings
from crownhead.server.play.games.selectors.replay import replay_game, shown_replay, write_pdn
from crownhead.server.play.models import Game, Games, Seat, Status
from crownhead.server.play.vacation import budget

NEWEST_FIRST, LAST_ENDED_FIRST = ("-created_at", "-id"), ("-ended_at", "-id")
LEAST_TIME_FIRST = ("deadline_at", "id")
MAX_SHOWN = 26  # of a list whose pages have 25
Viewer = User | AnonymousUser | None  # None: a guest of the API
Result = TypeVar("Result")

__all__ = [
    "LAST_ENDED_FIRST",
    "LEAST_TIME_FIRST",
    "NEWEST_FIRST",
    "Game",
    "Games",
    "PreparedOfPublicGames",
    "Viewer",
    "access_game",
    "find_seen",
    "games_of",
    "games_of_contest",
    "games_of_match",
    "games_to_move",
    "games_to_watch",
    "my_finished_games",
    "my_finished_games_by_seat",
    "my_games",
    "my_unfinished_games",
    "my_waiting_games",
    "next_game",
    "prefetch_vacations",
    "public_games",
    "replay_game",
    "running_games_state",
    "shown_replay",
    "top_to_watch",
    "visible",
    "waiting_games",
    "write_pdn",
]


_BY_ID = Prepared(lambda public_id: Game.objects.with_players().filter(public_id=public_id), public_id=str)


def find_seen(*, viewer: Viewer, public_id: str) -> Game:
    """The game as it is stored, if the viewer may see it; raises ``NotFound``."""
    game = _BY_ID.first(public_id=public_id) if is_storable(public_id) else None
    if game is None or not game.is_seen_by(viewer):
        raise endings.no_such_game(public_id)
    return game


def access_game(*, viewer: Viewer, public_id: str, now: datetime) -> Game:
    """The game, if the viewer may see it, the rules of time applied to it; raises ``NotFound``."""
    game = find_seen(viewer=viewer, public_id=public_id)
    if not game.is_due(now):
        return game
    _settle_to_show(game, now)
    return find_seen(viewer=viewer, public_id=public_id)


def visible(*, viewer: Viewer, public_ids: Collection[str], now: datetime) -> set[str]:
    """The ids of games that the viewer may see, once the rules of time are applied."""
    rows = Game.objects.seen_by(viewer).filter(public_id__in=public_ids)
    times = ("status", "deadline_at", "expires_at", "vacation", "turn")
    for game in rows.only("public_id", *times, "first_player_id", "second_player_id"):
        if game.is_due(now):
            _settle_to_show(game, now)
    return set(rows.values_list("public_id", flat=True))


def _settle_to_show(game: Game, now: datetime) -> None:
    """Apply the rules of time to a game that is due; hours that lengthen many others are the sweeper's."""
    on_turn = player_on(game, Seat(game.turn)) if game.vacation and game.turn else None
    if on_turn is None or not budget.lengthens_many(on_turn):
        endings.settle_by_key(pk=game.pk, now=now)


def my_games(*, user: User, turn: bool | None = None) -> Games:
    """The user's games in progress, least time left first; ``turn``: only those (not) waiting for them."""
    running = Game.objects.with_players().played_by(user).filter(status=Status.PLAYING)
    if turn is True:
        running = running.filter(_waits_for(user))
    elif turn is False:
        running = running.filter(_waits_for_opponent_of(user))
    return running.order_by(*LEAST_TIME_FIRST)


def games_of(*, user: User, turn: str | None = None) -> Games:
    """All the user's games, offered, running and over; ``turn``: those in which ``me``/``opponent`` moves."""
    if turn is not None:
        return my_games(user=user, turn=turn == "me")
    offered = Q(creator=user, status=Status.WAITING)
    seated = Q(first_player=user) | Q(second_player=user)
    begun = seated & Q(status__in=[Status.PLAYING, Status.FINISHED])
    return Game.objects.with_players().filter(offered | begun)


def my_waiting_games(*, user: User) -> Games:
    """What the user has in the waiting room, newest first."""
    waiting = Game.objects.with_players().filter(creator=user, status=Status.WAITING, open=True)
    return waiting.order_by("-created_at", "-pk")


def my_unfinished_games(*, user: User) -> Games:
    """The user's games in progress and their offers, the latest first."""
    return Game.objects.with_players().running_or_waiting_of(user).order_by(*NEWEST_FIRST)


def my_finished_games(*, user: User) -> Games:
    """The user's finished games, latest end first."""
    finished = Game.objects.with_players().played_by(user).filter(status=Status.FINISHED)
    return finished.order_by(*LAST_ENDED_FIRST)


def my_finished_games_by_seat(*, user: User) -> tuple[Games, Games]:
    """The user's finished games by seat, first and second: long lists are read by both and merged."""
    finished = Game.objects.with_players().filter(status=Status.FINISHED).order_by(*LAST_ENDED_FIRST)
    return finished.by_seat(user)


def next_game(*, user: User, after: str = "") -> Game | None:
    """The game that waits for the user's move with the least time left, except the one they come from."""
    return my_games(user=user, turn=True).exclude(public_id=after).first()


def games_to_move(*, user: User) -> Games:
    """The games that wait for the user's move, in no order."""
    return Game.objects.filter(_waits_for(user), status=Status.PLAYING)


def waiting_games(*, now: datetime, variant: str | None = None) -> Games:
    """What anybody may take, newest first; ``variant``: a key to keep to."""
    rows = Game.objects.with_players().filter(status=Status.WAITING, open=True)
    rows = rows.alias(until=beside("expires_at")).filter(until__gt=now)
    if variant is not None:
        rows = rows.filter(variant=variant)
    return rows.order_by(*NEWEST_FIRST)


def games_to_watch() -> Games:
    """The games in progress that anybody may watch, newest first."""
    rows = Game.objects.with_players().filter(status=Status.PLAYING, hidden=False)
    return rows.order_by(*NEWEST_FIRST)


def top_to_watch() -> list[Game]:
    """The latest of them, and one more than a page shows."""
    return _TOP_TO_WATCH.rows()


_TOP_TO_WATCH: Prepared[Game] = Prepared(lambda: games_to_watch()[:MAX_SHOWN])


def public_games(*, viewer: Viewer = None) -> Games:
    """The games that have begun and that the viewer may watch, newest first."""
    return _begun().begun_seen_by(viewer).order_by(*NEWEST_FIRST)


def _begun() -> Games:
    return Game.objects.with_players().filter(status__in=[Status.PLAYING, Status.FINISHED])


class PreparedOfPublicGames(Generic[Result]):
    """A `Prepared` query of games that a viewer may watch: `build` gets them, and the named parameters."""

    def __init__(self, build: Callable[..., QuerySet[Any, Result]], **parameters: type) -> None:
        def of_staff(**values: Any) -> QuerySet[Any, Result]:
            return build(_begun(), **values)  # nothing is hidden from them

        def of_member(viewer_id: int, **values: Any) -> QuerySet[Any, Result]:
            return build(public_games(viewer=User(pk=viewer_id)), **values)

        def of_guest(**values: Any) -> QuerySet[Any, Result]:
            return build(public_games(), **values)

        self._of_staff = Prepared(of_staff, **parameters)
        self._of_member = Prepared(of_member, viewer_id=int, **parameters)
        self._of_guest = Prepared(of_guest, **parameters)

    def rows(self, *, viewer: Viewer, **values: Any) -> list[Result]:
        """Return the rows, as the `QuerySet` would."""
        if viewer is None or viewer.pk is None:
            return self._of_guest.rows(**values)
        if getattr(viewer, "acts_as_staff", False):
            return self._of_staff.rows(**values)
        return self._of_member.rows(viewer_id=viewer.pk, **values)


def running_games_state() -> tuple[tuple[Any, ...], ...]:
    """What a list of the public games in progress shows of the latest: ids, players, moves, deadlines."""
    return tuple(_RUNNING.rows(status=Status.PLAYING.value))


_SHOWN = ("public_id", "version", "turn", "deadline_at", "first_player__username", "second_player__username")
_RUNNING: Prepared[tuple[Any, ...]] = Prepared(
    lambda status: public_games().filter(status=status).values_list(*_SHOWN)[:MAX_SHOWN], status=str
)


def games_of_match(*, viewer: Viewer, match_id: str) -> Games:
    """The games of a match that the viewer may see, the latest first."""
    rows = Game.objects.with_players().filter(match__public_id=match_id)
    return rows.seen_by(viewer).order_by("-match_number")


def games_of_contest(*, viewer: Viewer, key: str) -> Games:
    """The games of a contest, or of the part of it that the key names, in the order in which they began."""
    rows = Game.objects.with_players().of_contest(key)
    return rows.seen_by(viewer).order_by("created_at", "pk")


def _waits_for(user: User) -> Q:
    return Q(first_player=user, turn=Seat.FIRST) | Q(second_player=user, turn=Seat.SECOND)


def _waits_for_opponent_of(user: User) -> Q:
    return Q(first_player=user, turn=Seat.SECOND) | Q(second_player=user, turn=Seat.FIRST)
