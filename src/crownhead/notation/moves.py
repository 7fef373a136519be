"""Moves as text: reading all common forms, writing the short one unless it is ambiguous.

The separator does not matter: ``22-15`` can be a jump and ``11x15`` an ordinary move, and ``22 15 8`` is read
as well. A piece removed by its own side (Konane) is written ``d5xd5``; ``d5`` is also accepted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, cast

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.notation import explain
from crownhead.notation.numberings import Numbering, names, numbers
from crownhead.rules.errors import AmbiguousMove, IllegalMove, NotationError, TooManyCaptures
from crownhead.rules.geometry import squares
from crownhead.rules.position import Position
from crownhead.rules.schema import DIAGONALLY, Variant

LONGEST = 400  # characters; a capture of 35 pieces in full needs half of that

_MAX_CANDIDATES = 12  # listed for an ambiguous text; crafted boards have thousands
_MAX_KNOWN = 8192  # size of the cache of parsed texts
_JOINT = r"\s*[-–:xX×]\s*"
_NUMBERS = re.compile(rf"\d{{1,4}}(?:(?:{_JOINT}\d{{1,4}})+|(?:\s+\d{{1,4}})+)", re.ASCII)
_NAMES = re.compile(
    rf"[a-w]\d{{1,2}}(?:(?:(?:{_JOINT})?[a-w]\d{{1,2}})+|(?:\s+[a-w]\d{{1,2}})+)", re.ASCII | re.IGNORECASE
)
_SHORT = re.compile(r"(?P<file>[a-w])\s*[-–:xX×]?\s*(?P<target>[a-w]\d{1,2})", re.ASCII | re.IGNORECASE)
_ALONE = re.compile(r"\d{1,4}|[a-w]\d{1,2}", re.ASCII | re.IGNORECASE)
_SQUARE = re.compile(r"[a-w]?\d+", re.ASCII)
_PLAIN = re.compile(r"[a-w\d:xX \-]+", re.ASCII)  # nothing that a game record could mean otherwise


class Style(StrEnum):
    """How moves are written: in one of the numberings, or in short notation."""

    NATIVE = Numbering.NATIVE.value
    NUMERIC = Numbering.NUMERIC.value
    ALGEBRAIC = Numbering.ALGEBRAIC.value
    MIRRORED = Numbering.MIRRORED.value
    FROM_A1 = Numbering.FROM_A1.value
    SHORT = "short"  # Russian short notation: file of origin and target, ``gf4``, unless ambiguous

    @property
    def numbering(self) -> Numbering:
        """The numbering of squares in this style."""
        return Numbering.ALGEBRAIC if self is Style.SHORT else Numbering(self.value)


class _Short(NamedTuple):
    """A move in short notation: file of origin and target."""

    file: str
    target: int


def parse(position: Position, text: str, numbering: Numbering = Numbering.NATIVE) -> Move:
    """Return the legal move for ``text``; intermediate squares are optional.

    Short notation such as ``gf4`` is accepted. Raises
    ``NotationError`` if it is not a move, ``IllegalMove`` with the reason, and ``AmbiguousMove``
    with the first matching moves, written in full.
    """
    meant = _meaning(text, position.variant, numbering)
    found = _fitting(position, meant)
    if len(found) == 1:
        return found[0]
    if len(found) > 1:  # a full path matches exactly, even if others pass the same squares
        whole = [move for move in found if len(move.path) == len(meant)]
        exactly = whole if len(whole) == 1 else [move for move in whole if move.path == meant]
        if len(exactly) == 1:
            return exactly[0]
        named = tuple(write_full(position, move, numbering) for move in found[:_MAX_CANDIDATES])
        raise AmbiguousMove(text, position.fen(), named)
    if isinstance(meant, _Short):
        raise IllegalMove(text, position.fen(), f"no piece on file {meant.file} can move there")
    reason = explain.why_illegal(position, meant, names(position.variant, numbering))
    raise IllegalMove(
        text,
        position.fen(),
        reason.text,
        kind=reason.kind,
        squares=reason.squares,
        priority=reason.priority,
    )


def play_through(start: Position, text: str) -> tuple[tuple[Move, ...], tuple[Position, ...]]:
    """Return the moves of a text, parted by spaces, and the position after each.

    Raises what ``parse`` raises. It takes a tenth of the time that single moves do.
    """
    texts = text.split()
    called = [*names(start.variant, Numbering.ALGEBRAIC).values()]
    if _PLAIN.fullmatch(text):
        _, games, _ = _kernel.read_records(f"{text} *\n".encode(), 0, True, lambda *_: (start, called), 1)
        if games and len(games[0][3]) == len(texts):
            return games[0][3], cast(tuple[Position, ...], games[0][4])
    moves, positions, position = [], [], start
    for one in texts:
        moves.append(parse(position, one))
        position = position.play(moves[-1])
        positions.append(position)
    return tuple(moves), tuple(positions)


def matching(position: Position, text: str, numbering: Numbering = Numbering.NATIVE) -> Sequence[Move]:
    """Return the legal moves that match a text; raises ``NotationError`` and ``TooManyCaptures``."""
    return _fitting(position, _meaning(text, position.variant, numbering))


def find(position: Position, path: Sequence[int]) -> Sequence[Move]:
    """Return the legal moves that match a path with all, some or none of its intermediate squares.

    Raises ``TooManyCaptures``.
    """
    if min(path) < 1 or max(path) > position.variant.board.squares:
        return ()
    try:
        return position.find(path)
    except _kernel.TooManyCaptures as error:
        raise TooManyCaptures(str(error)) from error


def read_squares(text: str, variant: Variant, numbering: Numbering = Numbering.NATIVE) -> tuple[int, ...]:
    """Return the numbers of the squares in a move text; raises ``NotationError`` if it is not a move.

    A square that does not exist gets a number beyond the board, because it makes the move illegal, not
    malformed.
    """
    meant = _meaning(text, variant, numbering)
    if isinstance(meant, _Short):
        raise _no_move(text, variant, numbering)
    return meant


def write(position: Position, move: Move, style: Style | Numbering = Style.NATIVE) -> str:
    """Return a legal move in PDN 3.0 notation: origin and target, or the full path if two moves share them.

    Raises ``IllegalMove``.
    """
    variant = position.variant
    ends = (move.origin, move.target)
    found = find(position, ends)
    if move not in found:
        raise IllegalMove(move, position.fen())
    if style is Style.SHORT:
        short = _Short(names(variant, Numbering.ALGEBRAIC)[move.origin][0], move.target)
        if len(_fitting(position, short)) == 1:
            return short.file + names(variant, Numbering.ALGEBRAIC)[move.target]
    called = names(variant) if style is Style.NATIVE else names(variant, _numbering(style))
    sign = _sign(variant, move)
    return sign.join([called[number] for number in (ends if len(found) == 1 else move.path)])


def write_all(position: Position) -> dict[Move, str]:
    """Return all legal moves with what ``write`` returns for each, ascending by path; made once for all.

    Raises ``TooManyCaptures``.
    """
    moves, variant = position.legal_moves(), position.variant
    called = names(variant)
    ends = [(move.origin, move.target) for move in moves]
    alike = Counter(ends)
    texts = {}
    for move, end in zip(moves, ends, strict=True):  # of a crafted board thousands: none takes a call
        sign = variant.notation.capture_sign if move.captures else "-"
        texts[move] = sign.join(map(called.__getitem__, end if alike[end] == 1 else move.path))
    return texts


def write_played(positions: Sequence[Position], moves: Sequence[Move]) -> tuple[str, ...]:
    """Return what ``write`` returns for each of the moves that were played, given the position before each.

    Raises ``TooManyCaptures``.
    """
    if not moves:
        return ()
    variant = positions[0].variant
    called, sign = names(variant), variant.notation.capture_sign
    texts = []
    for position, move in zip(positions, moves, strict=False):
        ends = (move.origin, move.target)
        squares_of = ends if len(find(position, ends)) == 1 else move.path
        texts.append((sign if move.captures else "-").join([called[number] for number in squares_of]))
    return tuple(texts)


def write_full(position: Position, move: Move, numbering: Numbering = Numbering.NATIVE) -> str:
    """Return a move with every square of its path: ``22x15x8``."""
    called = names(position.variant, numbering)
    return _sign(position.variant, move).join(called[number] for number in move.path)


def _numbering(style: Style | Numbering) -> Numbering:
    return style.numbering if isinstance(style, Style) else style


def _sign(variant: Variant, move: Move) -> str:
    return variant.notation.capture_sign if move.captures else "-"


def _fitting(position: Position, meant: tuple[int, ...] | _Short) -> Sequence[Move]:
    if not isinstance(meant, _Short):
        return find(position, meant)
    called = names(position.variant, Numbering.ALGEBRAIC)
    return [
        move
        for move in position.legal_moves()
        if move.target == meant.target and called[move.origin].startswith(meant.file)
    ]


# ----------------------------------------------------------------------- parsing, without a position
def _meaning(text: str, variant: Variant, numbering: Numbering) -> tuple[int, ...] | _Short:
    if not isinstance(text, str):
        raise _no_move(text, variant, numbering)
    return _known(text, variant) if numbering is Numbering.NATIVE else _read(text, variant, numbering)


@lru_cache(maxsize=_MAX_KNOWN)
def _known(text: str, variant: Variant) -> tuple[int, ...] | _Short:
    return _read(text, variant, Numbering.NATIVE)


def _read(text: str, variant: Variant, numbering: Numbering) -> tuple[int, ...] | _Short:
    if len(text) > LONGEST:
        raise NotationError(f"a move of at most {LONGEST} characters", text)
    meant = numbers(variant, numbering)
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
    """Return an error with examples in the variant's notation."""
    places, called = squares(variant.board, variant.notation), names(variant, numbering)
    origin = places[len(places) // 2]
    aside = 1 if variant.rules.man_captures & DIAGONALLY else 0
    step, jump = (
        next(
            (
                called[square.number]
                for square in places.values()
                if abs(square.file - origin.file) == far * aside and abs(square.rank - origin.rank) == far
            ),
            called[far],  # boards where no man goes that way
        )
        for far in (1, 2)
    )
    sign, start = variant.notation.capture_sign, called[origin.number]
    return NotationError(f"a move such as '{start}-{step}' or '{start}{sign}{jump}'", text)
