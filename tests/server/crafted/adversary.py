"""An adversary that looks for positions whose pages cost much, by climbing hills."""

from __future__ import annotations

from pathlib import Path
from random import Random

from django.conf import settings

from crownhead import (
    VARIANTS,
    Colour,
    CrownheadError,
    Piece,
    PieceKind,
    Position,
    Setup,
    TooManyCaptures,
    Variant,
)
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.rules.schema import Crowning

SUITE = Path(__file__).parents[3] / "suites" / "crafted" / "positions.txt"
Pieces = dict[int, Piece]

_OF_A_MOVE = 2_000  # what showing a move costs, in nodes of a search
_MISSTEPS = 60  # in a row, after which it begins somewhere else


def known_positions() -> list[tuple[str, str]]:
    """Variant and FEN of the positions in the suite."""
    lines = (line for line in SUITE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [(key, fen) for key, _, fen in (line.partition(" ") for line in lines)]


def full_of_kings(key: str) -> Position:
    """A king on every square but one: what takes longest to draw."""
    variant = VARIANTS[key]
    squares = list(range(1, variant.board.squares))
    sides = (Colour.WHITE, Colour.BLACK)
    pieces = {square: Piece(sides[square % 2], PieceKind.KING) for square in squares}
    return Position.from_setup(Setup(variant, Colour.WHITE, pieces))


def worst_positions(
    variant: Variant, *, steps: int, dice: Random, count: int = 3, most: int | None = None
) -> list[Position]:
    """The most costly positions found in so many steps, worst first; ``most``: what they may cost."""
    found: dict[Position, int] = {}
    pieces, best, missteps = _anywhere(variant, dice), -1, 0
    for _ in range(steps):
        tried = _changed(pieces, variant, dice)
        cost, position = _cost(variant, tried)
        if most is not None and cost > most:
            cost, position = -1, None
        missteps = 0 if cost > best else missteps + 1
        if cost >= best:
            pieces, best = tried, cost
        if position is not None:
            found[position] = cost
        if missteps > _MISSTEPS:
            pieces, best, missteps = _anywhere(variant, dice), -1, 0
    return sorted(found, key=lambda position: -found[position])[:count]


def _cost(variant: Variant, pieces: Pieces) -> tuple[int, Position | None]:
    try:
        position = Position.from_setup(Setup(variant, Colour.WHITE, pieces))
    except CrownheadError:
        return -1, None
    with capture_budget(settings.CAPTURES_PER_REQUEST):
        try:
            shown = len(position.legal_moves())
        except TooManyCaptures:
            shown = 0
        left = captures_left() or 0
    return settings.CAPTURES_PER_REQUEST - left + _OF_A_MOVE * shown, position


def _kinds(variant: Variant) -> list[Piece]:
    kings = [] if variant.rules.crowning is Crowning.NEVER else [PieceKind.KING]
    return [Piece(colour, kind) for colour in Colour for kind in (PieceKind.MAN, *kings)]


def _anywhere(variant: Variant, dice: Random) -> Pieces:
    """Every other square taken, mostly by pieces to be captured."""
    squares, kinds = range(1, variant.board.squares + 1), _kinds(variant)
    black = [kind for kind in kinds if kind.colour is Colour.BLACK]
    pieces = {square: dice.choice(black) for square in squares if dice.random() < 0.4}
    pieces |= {dice.choice(squares): dice.choice(kinds) for _ in range(2)}
    return pieces


def _changed(pieces: Pieces, variant: Variant, dice: Random) -> Pieces:
    """A piece or two moved, put or taken off, or made another one."""
    changed, kinds = dict(pieces), _kinds(variant)
    for _ in range(dice.randint(1, 3)):
        square = dice.randint(1, variant.board.squares)
        if square in changed and dice.random() < 0.7:
            piece = changed.pop(square)
            if dice.random() < 0.5:
                changed[dice.randint(1, variant.board.squares)] = piece
        else:
            changed[square] = dice.choice(kinds)
    return changed
