"""The questions asked of games, and the only way to get one on behalf of a viewer."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

import crownhead
from crownhead.server.accounts.models import User
from crownhead.server.play.models import Game
from crownhead.server.play.state import GameState, LegalMove

Viewer = User | AnonymousUser


def access_game(*, viewer: Viewer, public_id: str, now: datetime) -> Game:
    """The game, if the viewer may see it, its time rule applied; raises ``NotFound``."""


def my_games(*, user: User, turn: bool | None = None) -> QuerySet[Game]:
    """The user's games in progress, least time left first; ``turn``: only those (not) waiting for him."""


def my_waiting_games(*, user: User) -> QuerySet[Game]:
    """What the user has in the waiting room, newest first."""


def my_finished_games(*, user: User) -> QuerySet[Game]:
    """The user's finished games, latest end first."""


def games_to_move_count(*, user: User) -> int:
    """How many games wait for the user."""


def replay(game: Game) -> crownhead.Game:
    """The game played through the kernel, its outcome set."""


def legal_moves(game: Game) -> tuple[LegalMove, ...]:
    """What the side to move may play; empty unless the game is in progress."""


def state(game: Game, viewer: Viewer, now: datetime) -> GameState:
    """Everything the page and the API show."""


def pdn(game: Game) -> str:
    """The record of the game."""
