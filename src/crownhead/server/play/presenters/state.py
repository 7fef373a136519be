"""A game as the page and the API show it, worked out once: what is known of it, and how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import crownhead
from crownhead import Move, Position, TooManyCaptures, Variant
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name, guest_number
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.clocks.timing import TimeInfo, time_info
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.selectors.replay import (
    began_elsewhere,
    opening_plies,
    replay_game,
    shown_replay,
)
from crownhead.server.play.games.selectors.rights import Rights, rights_of, seat_of_viewer
from crownhead.server.play.games.selectors.starts import CAPTURES
from crownhead.server.play.models import Game, Status
from crownhead.server.play.selectors import Viewer

BOTH_LOST = "0-0"


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """Who sits on a seat."""

    id: int
    username: str

    @property
    def display_name(self) -> str:
        """The name that people read."""
        return display_name(self.username)

    @property
    def is_guest(self) -> bool:
        """Whether they play without an account."""
        return guest_number(self.username) is not None


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move to choose from; squares are the variant's own numbers, ``path`` as ``Move.path``."""

    notation: str
    path: tuple[int, ...]
    captures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomeInfo:
    """How a game ended: ``winner`` is ``first``, ``second`` or None; ``result`` is ``1-0`` if first won."""

    winner: str | None
    termination: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInfo:
    """The match that a game belongs to, its score in points, and how many games each has won."""

    id: str
    kind: str
    length: int
    number: int
    creator_score: float
    opponent_score: float
    creator_wins: int
    opponent_wins: int
    over: bool


@dataclass(frozen=True, slots=True)
class GameState:
    """What is shown of a game. Seats are ``first`` and ``second``, colours ``black`` and ``white``."""

    id: str
    variant: Variant
    start: str  # FEN
    moves: tuple[str, ...]  # as PDN writes them, short unless ambiguous
    opening: int | None  # number of the ballot
    opening_plies: int  # how many of ``moves`` it made
    fen: str
    turn: str | None  # None unless the game is in progress
    version: int
    status: str
    outcome: OutcomeInfo | None  # None unless the game is finished
    annulled: bool  # it counts for nothing
    creator: PlayerInfo
    first: PlayerInfo | None
    second: PlayerInfo | None
    first_colour: str
    days_per_move: int | None  # None: the game has another clock
    time: TimeInfo
    deadline: datetime | None
    draw_rules: str
    rated: bool
    hidden: bool
    open: bool  # to anybody; else it is an invitation
    min_rating: int | None
    max_rating: int | None
    invited: PlayerInfo | None
    match: MatchInfo | None
    contest: Contest | None  # the ladder or tournament that it belongs to
    draw_offer: str | None  # the seat that offers
    take_back: str | None  # the seat that asks for a move back
    planned: tuple[int, ...]  # plies that were conditional moves; shown when the game is over
    claimable_draws: tuple[str, ...]  # terminations that either player may claim
    legal_moves: tuple[LegalMove, ...]  # of the side to move; empty unless the game is in progress
    viewer_seat: str | None
    rights: Rights
    adjudication_reason: str
    created_at: datetime
    started_at: datetime | None
    last_moved_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None  # of a waiting game


def game_state(
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
    seat = seat_of_viewer(game, viewer)
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
        time=time_info(game, now),
        deadline=game.deadline_at,
        draw_rules=game.draw_rules,
        rated=game.rated,
        hidden=game.hidden,
        open=game.open,
        min_rating=game.min_rating,
        max_rating=game.max_rating,
        invited=_player(game.invited),
        match=_match(game),
        contest=game.contest,
        draw_offer=game.draw_offer_by,
        take_back=game.take_back_by,
        planned=tuple(game.planned) if game.status == Status.FINISHED else (),
        claimable_draws=() if brief else _claims(game, replay),
        legal_moves=() if brief else _choices(game, replay),
        viewer_seat=None if seat is None else seat.value,
        rights=rights_of(game, replay, viewer, now, points, brief=brief),
        adjudication_reason=game.adjudication_reason,
        created_at=game.created_at,
        started_at=game.started_at,
        last_moved_at=game.last_moved_at,
        ended_at=game.ended_at,
        expires_at=game.expires_at if game.status == Status.WAITING else None,
    )


def legal_moves(game: Game) -> tuple[LegalMove, ...]:
    """What the side to move may play; empty unless the game is in progress."""
    return _choices(game, replay_game(game))


def _choices(game: Game, replay: crownhead.Game) -> tuple[LegalMove, ...]:
    """Of a position that no page can show, none: others stand beside it in lists."""
    if game.status != Status.PLAYING:
        return ()
    moves = _bounded(replay.position) if began_elsewhere(replay) else replay.position.notations()
    return tuple(LegalMove(text, move.path, move.captures) for move, text in moves.items())


def _bounded(position: Position) -> Mapping[Move, str]:
    """The moves of a position as players may have made one."""
    left = captures_left()
    with capture_budget(CAPTURES if left is None else min(left, CAPTURES)):
        try:
            return position.notations()
        except TooManyCaptures:
            if left is not None and left < CAPTURES:  # it is the request that has asked for too much
                raise
            return {}


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
        creator_wins=game.match.creator_wins,
        opponent_wins=game.match.opponent_wins,
        over=game.match.ended_at is not None,
    )
