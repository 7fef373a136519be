"""The questions asked of games, and the only way to get one on behalf of a viewer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

import crownhead
from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import beside
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.timing import prefetch_vacations
from crownhead.server.play.games import asking, endings, guests, terms
from crownhead.server.play.games.contests import contest_of
from crownhead.server.play.games.providers import UNRATED
from crownhead.server.play.games.replay import opening_plies, replay_game, seat_of, shown_replay, write_pdn
from crownhead.server.play.models import Game, Games, Seat, Status
from crownhead.server.play.presenters.state import (
    GameState,
    LegalMove,
    MatchInfo,
    OutcomeInfo,
    PlayerInfo,
    Rights,
)

BOTH_LOST = "0-0"
NEWEST_FIRST, LAST_ENDED_FIRST = ("-created_at", "-id"), ("-ended_at", "-id")
LEAST_TIME_FIRST = ("deadline_at", "id")
MOST_SHOWN = 26  # of a list whose pages have 25
Viewer = User | AnonymousUser | None  # None: a guest of the API

__all__ = [
    "LAST_ENDED_FIRST",
    "LEAST_TIME_FIRST",
    "NEWEST_FIRST",
    "Game",
    "Games",
    "Viewer",
    "access_game",
    "games_of",
    "games_of_contest",
    "games_of_match",
    "games_to_move",
    "games_to_watch",
    "legal_moves",
    "my_finished_games",
    "my_finished_games_by_seat",
    "my_games",
    "my_unfinished_games",
    "my_waiting_games",
    "next_game",
    "prefetch_vacations",
    "public_games",
    "replay_game",
    "rights_of_player",
    "running_games_shown",
    "shown_replay",
    "state",
    "top_to_watch",
    "visible",
    "waiting_games",
    "write_pdn",
]

_BY_ID = Prepared(lambda public_id: Game.objects.with_players().filter(public_id=public_id), public_id=str)


def access_game(*, viewer: Viewer, public_id: str, now: datetime) -> Game:
    """The game, if the viewer may see it, the rules of time applied to it; raises ``NotFound``."""
    game = _BY_ID.first(public_id=public_id)
    if game is None or not game.is_seen_by(viewer):
        raise endings.no_such_game(public_id)
    if endings.is_due(game, now):
        endings.settle_by_key(pk=game.pk, now=now)
        game = _BY_ID.first(public_id=public_id)
    if game is None or not game.is_seen_by(viewer):
        raise endings.no_such_game(public_id)
    return game


def visible(*, viewer: Viewer, public_ids: Collection[str], now: datetime) -> set[str]:
    """Those of the ids that are of games that the viewer may see, once the rules of time are applied."""
    rows = Game.objects.seen_by(viewer).filter(public_id__in=public_ids)
    columns = ("public_id", "status", "deadline_at", "expires_at")
    for game in rows.only(*columns):
        if endings.is_due(game, now):
            endings.settle_by_key(pk=game.pk, now=now)
    return set(rows.values_list("public_id", flat=True))


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
    """The same with the first seat and with the second: long lists are read by both and merged."""
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


_TOP_TO_WATCH: Prepared[Game] = Prepared(lambda: games_to_watch()[:MOST_SHOWN])


def public_games(*, viewer: Viewer = None) -> Games:
    """The games that have begun and that the viewer may watch, newest first."""
    begun = Game.objects.with_players().filter(status__in=[Status.PLAYING, Status.FINISHED])
    return begun.begun_seen_by(viewer).order_by(*NEWEST_FIRST)


def running_games_shown() -> tuple[tuple[Any, ...], ...]:
    """What a list of the public games in progress shows of the latest: ids, players, moves, deadlines."""
    return tuple(_RUNNING.rows(status=Status.PLAYING.value))


_SHOWN = ("public_id", "version", "turn", "deadline_at", "first_player__username", "second_player__username")
_RUNNING: Prepared[tuple[Any, ...]] = Prepared(
    lambda status: public_games().filter(status=status).values_list(*_SHOWN)[:MOST_SHOWN], status=str
)


def games_of_match(*, viewer: Viewer, match_id: str) -> Games:
    """The games of a match that the viewer may see, in order."""
    rows = Game.objects.with_players().filter(match__public_id=match_id)
    return rows.seen_by(viewer).order_by("match_number")


def games_of_contest(*, viewer: Viewer, key: str) -> Games:
    """The games of a contest, or of the part of it that the key names, in the order in which they began."""
    rows = Game.objects.with_players().of_contest(key)
    return rows.seen_by(viewer).order_by("created_at", "pk")


def legal_moves(game: Game) -> tuple[LegalMove, ...]:
    """What the side to move may play; empty unless the game is in progress."""
    return _choices(game, replay_game(game))


def state(
    game: Game,
    viewer: Viewer,
    now: datetime,
    *,
    replayed: crownhead.Game | None = None,
    points: Mapping[str, int] | None = None,
    brief: bool = False,
) -> GameState:
    """Everything the page and the API show; it costs one replay.

    Load a game ``with_players``, and for a list ``prefetch_vacations``: then it costs no query except for
    the viewer's rating where a game asks for a range. ``points``: that rating by variant; 1500 elsewhere.
    ``replayed``: the game's replay, where the caller has need of it too. ``brief``: for a list, which shows
    neither the moves of a game that has begun nor what may be played or claimed.
    """
    replay = shown_replay(game) if replayed is None else replayed
    seat = _seat(game, viewer)
    begun_in_list = brief and game.status != Status.WAITING
    return GameState(
        id=game.public_id,
        variant=replay.variant,
        start=game.start_fen,
        moves=() if begun_in_list else replay.notations(),
        opening=game.opening,
        opening_plies=opening_plies(game),
        fen=replay.position.fen(),
        turn=game.turn,
        version=game.version,
        status=game.status,
        outcome=_outcome(game, replay),
        annulled=game.annulled,
        creator=PlayerInfo(game.creator.pk, game.creator.username),
        first=_player(game.first_player),
        second=_player(game.second_player),
        first_colour=replay.variant.start.first.value,
        days_per_move=game.days_per_move,
        time=timing.time_info(game, now),
        deadline=game.deadline_at,
        draw_rules=game.draw_rules,
        rated=game.rated,
        hidden=game.hidden,
        open=game.open,
        min_rating=game.min_rating,
        max_rating=game.max_rating,
        invited=_player(game.invited),
        match=_match(game),
        contest=contest_of(game),
        draw_offer=game.draw_offer_by,
        take_back=game.take_back_by,
        planned=tuple(game.planned) if game.status == Status.FINISHED else (),
        claimable_draws=() if brief else _claims(game, replay),
        legal_moves=() if brief else _choices(game, replay),
        viewer_seat=None if seat is None else seat.value,
        rights=_rights(game, replay, viewer, now, points, brief=brief),
        adjudication_reason=game.adjudication_reason,
        created_at=game.created_at,
        started_at=game.started_at,
        last_moved_at=game.last_moved_at,
        ended_at=game.ended_at,
        expires_at=game.expires_at if game.status == Status.WAITING else None,
    )


def _waits_for(user: User) -> Q:
    return Q(first_player=user, turn=Seat.FIRST) | Q(second_player=user, turn=Seat.SECOND)


def _waits_for_opponent_of(user: User) -> Q:
    return Q(first_player=user, turn=Seat.SECOND) | Q(second_player=user, turn=Seat.FIRST)


def _choices(game: Game, replay: crownhead.Game) -> tuple[LegalMove, ...]:
    if game.status != Status.PLAYING:
        return ()
    moves = replay.position.notations()
    return tuple(LegalMove(text, move.path, move.captures) for move, text in moves.items())


def _claims(game: Game, replay: crownhead.Game) -> tuple[str, ...]:
    if game.status != Status.PLAYING:
        return ()
    return tuple(claim.value for claim in replay.claimable_draws())


def _outcome(game: Game, replay: crownhead.Game) -> OutcomeInfo | None:
    if game.status != Status.FINISHED:
        return None
    both_lost = game.termination == FORFEIT and game.winner is None
    return OutcomeInfo(game.winner, game.termination, BOTH_LOST if both_lost else replay.result)


def _player(user: User | None) -> PlayerInfo | None:
    return None if user is None else PlayerInfo(user.pk, user.username)


def _match(game: Game) -> MatchInfo | None:
    if game.match is None or game.match_number is None:
        return None
    return MatchInfo(
        id=game.match.public_id,
        kind=game.match.kind,
        length=game.match.length,
        number=game.match_number,
        creator_score=game.match.creator_score / 2,
        opponent_score=game.match.opponent_score / 2,
        over=game.match.ended_at is not None,
    )


def _seat(game: Game, viewer: Viewer) -> Seat | None:
    if viewer is None or viewer.pk is None:
        return None
    if viewer.pk == game.first_player_id:
        return Seat.FIRST
    return Seat.SECOND if viewer.pk == game.second_player_id else None


def _rights(
    game: Game,
    replay: crownhead.Game,
    viewer: Viewer,
    now: datetime,
    points: Mapping[str, int] | None,
    *,
    brief: bool = False,
) -> Rights:
    if viewer is None or viewer.pk is None or endings.is_due(game, now):
        return Rights()
    if game.status == Status.WAITING:
        return _rights_to_offer(game, viewer, points)
    seat = _seat(game, viewer)
    if game.status != Status.PLAYING or seat is None:
        over = game.status == Status.FINISHED and seat is not None
        return Rights(invite_again=over, chat=over and not guests.plays_in(game))
    return rights_of_player(game, replay, seat, brief=brief)


def rights_of_player(game: Game, replay: crownhead.Game, seat: Seat, *, brief: bool = False) -> Rights:
    """What a player may do in a game in progress, its time not out; ``brief``: without claims of a draw.

    A guest plans nothing and asks nothing of the staff, and nobody chats with one.
    """
    is_guest = guests.is_guest(game.first_player if seat is Seat.FIRST else game.second_player)
    return Rights(
        move=game.turn == seat,
        offer_draw=game.draw_offer_by is None and asking.may_ask(game, seat, asking.DRAW),
        answer_draw=game.draw_offer_by == seat.opponent,
        claim_draw=not brief and bool(replay.claimable_draws()),
        ask_take_back=_may_take_back(game, seat) and _has_moved(replay, seat),
        answer_take_back=game.take_back_by == seat.opponent,
        plan=not is_guest,
        chat=not guests.plays_in(game),
        appeal=not is_guest,
        resign=True,
        abort=endings.may_abort(game),
        give_time=endings.may_give_time(game),
    )


def _may_take_back(game: Game, seat: Seat) -> bool:
    free = not game.rated and not game.contest_kind and game.take_back_by is None
    return free and asking.may_ask(game, seat, asking.TAKE_BACK)


def _has_moved(replay: crownhead.Game, seat: Seat) -> bool:
    """The player has made one of the last two moves, beyond the opening."""
    own = replay.positions[replay.opening_plies : -1]
    return any(seat_of(replay.variant, position.turn) is seat for position in own[-2:])


def _rights_to_offer(game: Game, viewer: User | AnonymousUser, points: Mapping[str, int] | None) -> Rights:
    if not isinstance(viewer, User):
        return Rights()
    if viewer.pk == game.creator_id:
        return Rights(withdraw=True)
    if game.open and viewer.is_guest:
        return Rights(join=guests.suits_guests(game))
    if game.open:
        known = None if points is None else points.get(game.variant, UNRATED)
        return Rights(join=terms.in_range(viewer, game, points=known))
    invited = viewer.pk == game.invited_id
    return Rights(join=invited, decline=invited)
