"""Moves as text: read in every form that people and programs write, written short unless ambiguous.

The separator never decides whether a move is legal: ``22-15`` may be a jump and ``11x15`` a step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.notation import refusals
from crownhead.rules.errors import AmbiguousMove, IllegalMove, NotationError, TooManyCaptures
from crownhead.rules.geometry import numbers_by_name, squares
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

LONGEST = 400  # characters; a capture of 35 pieces written in full has half of that

_MOST_CANDIDATES = 12  # named where a text is ambiguous; crafted boards have thousands
_JOINT = r"\s*[-–:xX×]\s*"
_NUMBERS = re.compile(rf"\d{{1,4}}(?:{_JOINT}\d{{1,4}})+", re.ASCII)
_NAMES = re.compile(rf"[a-w]\d{{1,2}}(?:(?:{_JOINT})?[a-w]\d{{1,2}})+", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"\d+", re.ASCII)
_NAME = re.compile(r"[a-w]\d+", re.ASCII)


def parse(position: Position, text: str) -> Move:
    """The legal move that ``text`` means; intermediate squares may be given or left out.

    Raises ``NotationError`` if it is no move text, ``IllegalMove`` with the reason, and
    ``AmbiguousMove`` with the moves it fits, or the first of them, written in full.
    """
    path = read_squares(text, position.variant)
    found = find(position, path)
    if len(found) > 1:  # a path that is given in full means itself, though others may pass its squares
        found = [move for move in found if move.path == path] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise IllegalMove(text, position.fen(), refusals.why_illegal(position, path))
    named = tuple(write_full(position, move) for move in found[:_MOST_CANDIDATES])
    raise AmbiguousMove(text, position.fen(), named)


def find(position: Position, path: Sequence[int]) -> Sequence[Move]:
    """The legal moves that a path fits, its intermediate squares being all or some or none.

    Raises ``TooManyCaptures``.
    """
    if min(path) < 1 or max(path) > position.variant.board.squares:
        return ()
    try:
        return position.find(path)
    except _kernel.TooManyCaptures as error:
        raise TooManyCaptures(str(error)) from error


def read_squares(text: str, variant: Variant) -> tuple[int, ...]:
    """The numbers of the squares that a move text names; raises ``NotationError`` if it is none.

    Numbers beyond the board come through: whether a square exists is a question of legality.
    """
    if not isinstance(text, str):
        raise NotationError(f"a move such as {_example(variant)}", text)
    if len(text) > LONGEST:
        raise NotationError(f"a move of at most {LONGEST} characters", text)
    body = text.strip().rstrip("!? ")
    if _NUMBERS.fullmatch(body):
        return tuple(map(int, _NUMBER.findall(body)))
    if variant.notation.algebraic and _NAMES.fullmatch(body):
        names = numbers_by_name(variant.board, variant.notation)
        return tuple(names.get(name, 0) for name in _NAME.findall(body.lower()))
    raise NotationError(f"a move such as {_example(variant)}", text)


def write(position: Position, move: Move) -> str:
    """A legal move as PDN 3.0 writes it: origin and target, or the full path if two moves share them.

    Raises ``IllegalMove``.
    """
    found = find(position, (move.origin, move.target))
    if move not in found:
        raise IllegalMove(move, position.fen())
    path = (move.origin, move.target) if len(found) == 1 else move.path
    return _join(position.variant, path, capture=bool(move.captures))


def write_full(position: Position, move: Move) -> str:
    """A move with every square of its path: ``22x15x8``."""
    return _join(position.variant, move.path, capture=bool(move.captures))


def _join(variant: Variant, path: tuple[int, ...], *, capture: bool) -> str:
    names = squares(variant.board, variant.notation)
    return (variant.notation.capture_sign if capture else "-").join(names[number].name for number in path)


def _example(variant: Variant) -> str:
    """A step and a jump in the manner of the variant."""
    places = squares(variant.board, variant.notation)
    origin = places[len(places) // 2]
    step, jump = (
        next(
            square.name
            for square in places.values()
            if abs(square.file - origin.file) == abs(square.rank - origin.rank) == far
        )
        for far in (1, 2)
    )
    return f"'{origin.name}-{step}' or '{origin.name}{variant.notation.capture_sign}{jump}'"
