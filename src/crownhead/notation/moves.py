"""Moves as text: read in every form that people and programs write, written short unless ambiguous.

The separator never decides whether a move is legal: ``22-15`` may be a jump and ``11x15`` a step. A piece
that its own side takes off (Konane) is written ``d5xd5`` and read as ``d5``, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.notation import explain
from crownhead.notation.numberings import Numbering, names, numbers
from crownhead.rules.errors import AmbiguousMove, IllegalMove, NotationError, TooManyCaptures
from crownhead.rules.geometry import squares
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import DIAGONALLY, Variant

LONGEST = 400  # characters; a capture of 35 pieces written in full has half of that

_MOST_CANDIDATES = 12  # named where a text is ambiguous; crafted boards have thousands
_MOST_KNOWN = 8192  # texts whose meaning is remembered
_JOINT = r"\s*[-–:xX×]\s*"
_NUMBERS = re.compile(rf"\d{{1,4}}(?:{_JOINT}\d{{1,4}})+", re.ASCII)
_NAMES = re.compile(rf"[a-w]\d{{1,2}}(?:(?:{_JOINT})?[a-w]\d{{1,2}})+", re.ASCII | re.IGNORECASE)
_SHORT = re.compile(r"(?P<file>[a-w])\s*[-–:xX×]?\s*(?P<target>[a-w]\d{1,2})", re.ASCII | re.IGNORECASE)
_ALONE = re.compile(r"\d{1,4}|[a-w]\d{1,2}", re.ASCII | re.IGNORECASE)
_SQUARE = re.compile(r"[a-w]?\d+", re.ASCII)


class Style(StrEnum):
    """How moves are written: in one of the numberings, or short."""

    NATIVE = Numbering.NATIVE.value
    NUMERIC = Numbering.NUMERIC.value
    ALGEBRAIC = Numbering.ALGEBRAIC.value
    MIRRORED = Numbering.MIRRORED.value
    FROM_A1 = Numbering.FROM_A1.value
    SHORT = "short"  # Russian manner: file of origin and target, ``gf4``, where that is one move only

    @property
    def numbering(self) -> Numbering:
        """What squares are called in this style."""
        return Numbering.ALGEBRAIC if self is Style.SHORT else Numbering(self.value)


class _Short(NamedTuple):
    """A move of which no more is told than its file of origin and its target."""

    file: str
    target: int


def parse(position: Position, text: str, numbering: Numbering = Numbering.NATIVE) -> Move:
    """The legal move that ``text`` means; intermediate squares may be given or left out.

    The file of origin and the name of the target will do: ``gf4``. Raises
    ``NotationError`` if it is no move text, ``IllegalMove`` with the reason, and ``AmbiguousMove``
    with the moves it fits, or the first of them, written in full.
    """
    meant = _meaning(text, position.variant_key, numbering)
    found = _fitting(position, meant)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:  # a path that is given in full means itself, though others may pass its squares
        exactly = [move for move in found if move.path == meant]
        if len(exactly) == 1:
            return exactly[0]
        named = tuple(write_full(position, move, numbering) for move in found[:_MOST_CANDIDATES])
        raise AmbiguousMove(text, position.fen(), named)
    if isinstance(meant, _Short):
        reason = f"no piece of file {meant.file} can move there"
    else:
        reason = explain.why_illegal(position, meant, names(position.variant_key, numbering))
    raise IllegalMove(text, position.fen(), reason)


def matching(position: Position, text: str, numbering: Numbering = Numbering.NATIVE) -> Sequence[Move]:
    """The legal moves that a text fits; raises ``NotationError`` and ``TooManyCaptures``."""
    return _fitting(position, _meaning(text, position.variant_key, numbering))


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


def read_squares(text: str, variant: Variant, numbering: Numbering = Numbering.NATIVE) -> tuple[int, ...]:
    """The row's numbers of the squares that a move text names; raises ``NotationError`` if it is none.

    A square that is not on the board has a number beyond it: whether a square exists is a question of
    legality.
    """
    meant = _meaning(text, variant.key, numbering)
    if isinstance(meant, _Short):
        raise _no_move(text, variant, numbering)
    return meant


def write(position: Position, move: Move, style: Style | Numbering = Style.NATIVE) -> str:
    """A legal move as PDN 3.0 writes it: origin and target, or the full path if two moves share them.

    Raises ``IllegalMove``.
    """
    key = position.variant_key
    ends = (move.origin, move.target)
    found = find(position, ends)
    if move not in found:
        raise IllegalMove(move, position.fen())
    if style is Style.SHORT:
        short = _Short(names(key, Numbering.ALGEBRAIC)[move.origin][0], move.target)
        if len(_fitting(position, short)) == 1:
            return short.file + names(key, Numbering.ALGEBRAIC)[move.target]
    called = names(key) if style is Style.NATIVE else names(key, _numbering(style))
    sign = _sign(position.variant, move)
    return sign.join([called[number] for number in (ends if len(found) == 1 else move.path)])


def write_full(position: Position, move: Move, numbering: Numbering = Numbering.NATIVE) -> str:
    """A move with every square of its path: ``22x15x8``."""
    called = names(position.variant_key, numbering)
    return _sign(position.variant, move).join(called[number] for number in move.path)


def _numbering(style: Style | Numbering) -> Numbering:
    return style.numbering if isinstance(style, Style) else style


def _sign(variant: Variant, move: Move) -> str:
    return variant.notation.capture_sign if move.captures else "-"


def _fitting(position: Position, meant: tuple[int, ...] | _Short) -> Sequence[Move]:
    if not isinstance(meant, _Short):
        return find(position, meant)
    called = names(position.variant_key, Numbering.ALGEBRAIC)
    return [
        move
        for move in position.legal_moves()
        if move.target == meant.target and called[move.origin].startswith(meant.file)
    ]


# --------------------------------------------------------------------------------------- the text alone
def _meaning(text: str, variant_key: str, numbering: Numbering) -> tuple[int, ...] | _Short:
    if not isinstance(text, str):
        raise _no_move(text, variant_of(variant_key), numbering)
    return _known(text, variant_key) if numbering is Numbering.NATIVE else _read(text, variant_key, numbering)


@lru_cache(maxsize=_MOST_KNOWN)
def _known(text: str, variant_key: str) -> tuple[int, ...] | _Short:
    return _read(text, variant_key, Numbering.NATIVE)


def _read(text: str, variant_key: str, numbering: Numbering) -> tuple[int, ...] | _Short:
    variant = variant_of(variant_key)
    if len(text) > LONGEST:
        raise NotationError(f"a move of at most {LONGEST} characters", text)
    meant = numbers(variant_key, numbering)
    beyond = variant.board.squares + 1
    body = text.strip().rstrip("!? ")
    short = _SHORT.fullmatch(body)
    if short is not None:
        return _Short(short["file"].lower(), meant.get(short["target"].lower(), beyond))
    if _NUMBERS.fullmatch(body) or _NAMES.fullmatch(body):
        named = _SQUARE.findall(body.lower())
    elif variant.rules.jumps_only and _ALONE.fullmatch(body):
        named = [body.lower()] * 2
    else:
        raise _no_move(text, variant, numbering)
    return tuple(meant.get(name.lstrip("0"), beyond) for name in named)


def _no_move(text: object, variant: Variant, numbering: Numbering) -> NotationError:
    """What was expected: a step and a jump in the manner of the variant."""
    places, called = squares(variant.board, variant.notation), names(variant.key, numbering)
    origin = places[len(places) // 2]
    aside = 1 if variant.rules.man_captures & DIAGONALLY else 0
    step, jump = (
        next(
            called[square.number]
            for square in places.values()
            if abs(square.file - origin.file) == far * aside and abs(square.rank - origin.rank) == far
        )
        for far in (1, 2)
    )
    sign, start = variant.notation.capture_sign, called[origin.number]
    return NotationError(f"a move such as '{start}-{step}' or '{start}{sign}{jump}'", text)
