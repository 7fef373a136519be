"""The verbs of a game. Each is one transaction; ``game_id`` is the public identifier."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from crownhead.server.play.options import GameOptions


def create_game(*, creator: User, options: GameOptions, now: datetime) -> Game:
    """Put a new game into the waiting room."""


def start_game(*, user: User, game_id: str, now: datetime) -> Game:
    """Seat ``user`` opposite the creator (see ``lobby.services.join_game``, which pages call)."""


def play_move(*, user: User, game_id: str, move: str, version: int, now: datetime) -> Game:
    """Make a move; the same move sent twice with the same version is answered twice alike."""


def offer_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Offer a draw, in turn or not; where the opponent's offer is pending, this accepts it."""


def accept_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by agreement; refused where the opponent's offer is not pending."""


def decline_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """Turn the opponent's offer down."""


def claim_draw(*, user: User, game_id: str, now: datetime) -> Game:
    """End the game by a draw its rules let a player claim."""


def resign(*, user: User, game_id: str, now: datetime) -> Game:
    """Give up, in turn or not."""


def adjudicate(*, staff: User, game_id: str, result: str, reason: str, now: datetime) -> Game:
    """Declare a result (``first``, ``second``, ``draw``) with a reason that is kept."""


def sweep_deadlines(*, now: datetime, limit: int = 200) -> int:
    """End up to ``limit`` games whose time is out; how many were ended."""


def expire_waiting(*, now: datetime, limit: int = 200) -> int:
    """Take up to ``limit`` games that nobody joined in time out of the waiting room; how many."""
