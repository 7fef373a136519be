"""Positions of one's own from which a game begins instead of from the array."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead import Colour, CrownheadError, Position, TooManyCaptures, Variant
from crownhead.rules.budget import capture_budget
from crownhead.server.core.problems import MAX_MOVES, TooManyMoves, Unprocessable
from crownhead.server.play.models import Game
from crownhead.server.play.problems.reasons import refusal

LONGEST_FEN = 255  # characters: what the row of a game holds
# Nodes of the capture searches of a start and of the positions after its moves: an ordinary game needs some
# hundred. Lists show a game beside others, so its position may take but a small part of a page's budget.
CAPTURES = 5_000


def checked_start(variant: Variant, fen: str) -> str:
    """The FEN as the row of a game has it; raises ``Unprocessable`` if no game can begin there.

    The FEN of the array is empty: such a game begins as all others do.
    """
    if len(fen) > LONGEST_FEN:
        raise Unprocessable(
            _("The FEN is too long: at most %(count)s characters.") % {"count": LONGEST_FEN}, field="start"
        )
    with capture_budget(CAPTURES):
        try:
            position = Position.from_fen(fen, variant)
            over = position.outcome() is not None or len(_sides(position)) < len(Colour)
            moves = position.legal_moves()
            most = max([len(moves), *(len(position.play(move).legal_moves()) for move in moves)])
        except CrownheadError as error:
            raise refusal(error) from error
    if most > MAX_MOVES:
        raise TooManyMoves
    if over:
        raise Unprocessable(_("The game is over in this position."), field="start")
    written = position.fen()
    if len(written) > LONGEST_FEN:
        raise Unprocessable(_("This position has too many pieces."), field="start")
    return "" if position == Position.start(variant) else written


def start_of(variant: Variant, fen: str | None) -> Position:
    """Where a game with that start begins."""
    return Position.from_fen(fen, variant) if fen else Position.start(variant)


def leads_too_far(position: Position) -> bool:
    """Whether no page can show a position, so that nobody could answer the move that leads to it."""
    with capture_budget(CAPTURES):
        try:
            return len(position.legal_moves()) > MAX_MOVES
        except TooManyCaptures:
            return True


def has_own_start(game: Game) -> bool:
    """Whether a game began from a position of somebody's own."""
    return bool(game.start_fen != Position.start(game.variant).fen())


def _sides(position: Position) -> set[Colour]:
    return {piece.colour for piece in position.pieces.values()}
