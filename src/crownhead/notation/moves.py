"""Moves as text: read in every form that people and programs write, written short unless ambiguous.

The separator never decides whether a move is legal: ``22-15`` may be a jump and ``11x15`` a step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.notation import refusals
from crownhead.rules.errors import AmbiguousMove, IllegalMove, NotationError, TooManyCaptures
from crownhead.rules.geometry import algebraic_name, squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Variant

LONGEST = 400  # characters; a capture of 35 pieces written in full has half of that

_MOST_CANDIDATES = 12  # named where a text is ambiguous; crafted boards have thousands
_JOINT = r"\s*[-–:xX×]\s*"
_NUMBERS = re.compile(rf"\d{{1,4}}(?:{_JOINT}\d{{1,4}})+", re.ASCII)
_NAMES = re.compile(rf"[a-w]\d{{1,2}}(?:(?:{_JOINT})?[a-w]\d{{1,2}})+", re.ASCII | re.IGNORECASE)
_SHORT = re.compile(r"(?P<file>[a-w])\s*[-–:xX×]?\s*(?P<target>[a-w]\d{1,2})", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"\d+", re.ASCII)
_NAME = re.compile(r"[a-w]\d+", re.ASCII)


class Style(StrEnum):
    """How squares are written in moves."""

    NATIVE = "native"  # as the variant writes them
    NUMERIC = "numeric"
    ALGEBRAIC = "algebraic"
    SHORT = "short"  # Russian manner: file of origin and target, ``gf4``, where that is one move only


def parse(position: Position, text: str) -> Move:
    """The legal move that ``text`` means; intermediate squares may be given or left out.

    The file of origin and the name of the target will do: ``gf4``. Raises
    ``NotationError`` if it is no move text, ``IllegalMove`` with the reason, and ``AmbiguousMove``
    with the moves it fits, or the first of them, written in full.
    """
    short = read_short(text, position.variant)
    if short is not None:
        return _parse_short(position, text, short)
    path = read_squares(text, position.variant)
    found = find(position, path)
    if len(found) > 1:  # a path that is given in full means itself, though others may pass its squares
        found = [move for move in found if move.path == path] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise IllegalMove(text, position.fen(), refusals.why_illegal(position, path))
    raise _ambiguous(position, text, found)


def matching(position: Position, text: str) -> Sequence[Move]:
    """The legal moves that a text fits; raises ``NotationError`` and ``TooManyCaptures``."""
    short = read_short(text, position.variant)
    if short is not None:
        return _find_short(position, *short)
    return find(position, read_squares(text, position.variant))


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
    if _NAMES.fullmatch(body):
        names = _numbers(variant.key)
        return tuple(names.get(name, 0) for name in _NAME.findall(body.lower()))
    raise NotationError(f"a move such as {_example(variant)}", text)


def read_short(text: str, variant: Variant) -> tuple[str, int] | None:
    """The file of origin and the target of a text such as ``gf4``; None if it is no such text."""
    if not isinstance(text, str) or len(text) > LONGEST or not text.lstrip()[:1].isalpha():
        return None
    match = _SHORT.fullmatch(text.strip().rstrip("!? "))
    if match is None:
        return None
    return match["file"].lower(), _numbers(variant.key).get(match["target"].lower(), 0)


def write(position: Position, move: Move, style: Style = Style.NATIVE) -> str:
    """A legal move as PDN 3.0 writes it: origin and target, or the full path if two moves share them.

    Raises ``IllegalMove``.
    """
    found = find(position, (move.origin, move.target))
    if move not in found:
        raise IllegalMove(move, position.fen())
    names = _names(position.variant_key, style)
    if style is Style.SHORT:
        file = names[move.origin][0]
        if len(_find_short(position, file, move.target)) == 1:
            return f"{file}{names[move.target]}"
    path = (move.origin, move.target) if len(found) == 1 else move.path
    return _sign(position.variant, move).join(names[number] for number in path)


def write_full(position: Position, move: Move) -> str:
    """A move with every square of its path: ``22x15x8``."""
    names = _names(position.variant_key, Style.NATIVE)
    return _sign(position.variant, move).join(names[number] for number in move.path)


@cache
def _names(variant_key: str, style: Style) -> Mapping[int, str]:
    """What the squares are called; where they have numbers, a1 is at the lower left of the first mover."""
    variant = variant_of(variant_key)
    board, places = variant.board, squares(variant.board, variant.notation).values()
    if style is Style.NATIVE:
        return {place.number: place.name for place in places}
    if style is Style.NUMERIC:
        return {place.number: str(place.number) for place in places}
    if variant.notation.algebraic or variant.start.first is Colour.WHITE:
        return {place.number: algebraic_name(place.file, place.rank) for place in places}
    return {
        place.number: algebraic_name(board.width - 1 - place.file, board.height - 1 - place.rank)
        for place in places
    }


@cache
def _numbers(variant_key: str) -> Mapping[str, int]:
    return {name: number for number, name in _names(variant_key, Style.ALGEBRAIC).items()}


def _sign(variant: Variant, move: Move) -> str:
    return variant.notation.capture_sign if move.captures else "-"


def _parse_short(position: Position, text: str, short: tuple[str, int]) -> Move:
    found = _find_short(position, *short)
    if len(found) == 1:
        return found[0]
    if not found:
        reason = f"no piece of file {short[0]} can move there"
        raise IllegalMove(text, position.fen(), reason)
    raise _ambiguous(position, text, found)


def _find_short(position: Position, file: str, target: int) -> Sequence[Move]:
    names = _names(position.variant_key, Style.SHORT)
    return [
        move
        for move in position.legal_moves()
        if move.target == target and names[move.origin].startswith(file)
    ]


def _ambiguous(position: Position, text: str, found: Sequence[Move]) -> AmbiguousMove:
    named = tuple(write_full(position, move) for move in found[:_MOST_CANDIDATES])
    return AmbiguousMove(text, position.fen(), named)


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
