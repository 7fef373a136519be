"""What the computer answers in its games: moves, draw offers, requests to take a move back.

Thinking happens between two transactions: what was thought of is played only if the game still stands as it
did. Doing it twice, in two workers, changes nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

import crownhead
from crownhead.engine.clock import Clock
from crownhead.engine.levels import choose
from crownhead.rules.game import Game as Course
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User, computer_levels
from crownhead.server.analysis import access
from crownhead.server.analysis.computer.services import expect_may_start
from crownhead.server.analysis.engine.measures import Work
from crownhead.server.analysis.engine.pool import engine_for, think
from crownhead.server.core.problems import Conflict, NotFound, Problem
from crownhead.server.play import selectors
from crownhead.server.play.choices import Status
from crownhead.server.play.draws.services import accept_draw, claim_draw, decline_draw
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import ColourChoice
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.games.selectors.terms import options_of
from crownhead.server.play.invitations.services import decline
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.selectors import Game
from crownhead.server.play.take_backs.services import accept_take_back

_WEAKEST = 1  # the level at which it replies in a position that its opponent plays against somebody, too
CONTENT = 15  # hundredths of a man that it may stand better, and yet take a draw
_MIN_PLIES = 20  # before which it takes none
_JUDGED = 20_000  # positions looked at to judge an offer
_NOT_BETTER = 0  # at which it claims a draw that it may claim


@dataclass(frozen=True, slots=True)
class Reply:
    """What a computer wants to do in a game as it stood at a version."""

    game_id: str
    computer: User
    version: int
    move: str = ""
    draw: bool | None = None  # the answer to an offer, where one is pending
    claim: bool = False


def accept_game(*, game_id: str, computer_id: int, now: datetime) -> None:
    """Take a game to which the computer was invited, as after a game with it.

    It declines where its opponent may begin none now, as after several invitations at once.
    """
    user = _computer(computer_id)
    if user is None:
        return
    try:
        game = selectors.access_game(viewer=user, public_id=game_id, now=now)
        if game.status == Status.WAITING and not _may_start(game):
            decline(user=user, game_id=game_id, now=now)
            return
        game_services.join(user=user, game_id=game_id, now=now)
    except (Conflict, NotFound):
        return  # withdrawn, or begun by another worker


def _may_start(game: Game) -> bool:
    """Whether the one who offers the game may begin it."""
    try:
        expect_may_start(user=game.creator, options=options_of(game, colour=ColourChoice.RANDOM.value))
    except Problem:
        return False
    return True


def consider(*, game_id: str, computer_id: int, now: datetime) -> Reply | None:
    """Think about a game; None where there is nothing for the computer to do."""
    user = _computer(computer_id)
    if user is None:
        return None
    try:
        game = selectors.access_game(viewer=user, public_id=game_id, now=now)
    except NotFound:
        return None
    if game.status != Status.PLAYING or user.pk not in {game.first_player_id, game.second_player_id}:
        return None
    seat = "first" if user.pk == game.first_player_id else "second"
    if game.take_back_by is not None and game.take_back_by != seat:
        accept_take_back(user=user, game_id=game_id, now=now)
        return None  # the player whose move was taken back is to move
    offered = game.draw_offer_by is not None and game.draw_offer_by != seat
    if game.turn != seat and not offered:
        return None
    return _think(game, user, on_turn=game.turn == seat, offered=offered)


def answer(*, thought: Reply, now: datetime) -> None:
    """Do what was thought of, if the game is still the same."""
    user, game_id = thought.computer, thought.game_id
    try:
        if thought.draw is not None:
            respond = accept_draw if thought.draw else decline_draw
            respond(user=user, game_id=game_id, now=now)
            if thought.draw:
                return
        if thought.claim:
            claim_draw(user=user, game_id=game_id, now=now)
        elif thought.move:
            play_move(user=user, game_id=game_id, move=thought.move, version=thought.version, now=now)
    except (Conflict, NotFound):
        return  # the game went on meanwhile, and another task with it


def _think(game: Game, user: User, *, on_turn: bool, offered: bool) -> Reply:
    replay = selectors.replay_game(game)
    is_relayed = access.is_asked_to_relay(
        user=_member(game, user),
        position=replay.position,
        plies=len(replay.moves),
        is_own_start=has_own_start(game),
    )
    level = _WEAKEST if is_relayed else computer_levels([user.pk])[user.pk]
    claimable = on_turn and bool(replay.claimable_draws())
    draw, claim = None, False
    if offered or claimable:
        worth = _worth(replay) if on_turn else -_worth(replay)
        is_due = worth <= CONTENT and len(replay.moves) >= _MIN_PLIES and not is_relayed
        draw = is_due if offered else None
        claim = claimable and worth <= _NOT_BETTER
    move = "" if not on_turn or draw or claim else _move(game, replay, level)
    return Reply(game.public_id, user, game.version, move, draw, claim)


def _member(game: Game, computer: User) -> User | None:
    """Who plays against the computer."""
    return game.second_player if computer.pk == game.first_player_id else game.first_player


def _move(game: Game, replay: Course, level: int) -> str:
    dice = random.Random(f"{game.public_id} {game.version}")  # asked twice, it answers twice alike
    engine = engine_for(replay.variant.key)
    clock = _clock(game)
    move = think(lambda: choose(engine, replay, level=level, dice=dice, clock=clock), work=Work.REPLY)
    return crownhead.notation.moves.write_full(replay.position, move)


def _clock(game: Game) -> Clock | None:
    """The computer's clock, where the game is played live."""
    left = game.first_left if game.turn == "first" else game.second_left
    if left is None or game.clock_bonus is None or game.clock_limit is not None:
        return None
    return Clock(max(left.total_seconds(), 0.0), game.clock_bonus.total_seconds())


def _worth(replay: Course) -> int:
    """What the game is worth to the side to move."""
    engine = engine_for(replay.variant.key)
    score = think(lambda: engine.analyse(replay, nodes=_JUDGED), work=Work.REPLY).score
    return 0 if score is None else score.value


def _computer(key: int) -> User | None:
    return accounts.players([key]).get(key) if computer_levels([key]) else None
