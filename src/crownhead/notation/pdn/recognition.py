"""Recognising the variant of games that do not name it: by their squares, tags, and what can be replayed.

A sample from the beginning of the file is replayed in a few candidates. These are the variants that have a
GameType of their own and the squares of the sample, in the order of the table, but before them any variant
that a tag such as ``Event`` mentions. The candidate with the fewest faults is taken; the first one without
any is taken at once.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice

from crownhead.notation.numberings import Numbering, numbers
from crownhead.notation.pdn.conventions import Conventions, is_named
from crownhead.notation.pdn.fast_path import count_plain
from crownhead.notation.pdn.game_type import type_of, variant_of_type
from crownhead.notation.pdn.lexer import walk
from crownhead.notation.pdn.replay import ReplayError, game_of
from crownhead.notation.pdn.visitor import GameRecord
from crownhead.notation.pdn.window import Window
from crownhead.rules.aliases import VAGUE, normalised
from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import find_variant
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK

SAMPLE = 1 << 16  # characters

_MAX_RECORDS = 40  # whose squares and tags are looked at
_MAX_FAULTS = 20  # after which a candidate is given up
_TOLERATED = 0.03  # share of squares that may not exist, for misprints
_HINTS = ("Event", "Site", "Opening", "Annotator", "Source", "Round")  # tags that often mention a variant
_LONGEST_HINT = 3  # words
_SQUARE = re.compile(r"[a-w]?\d{1,4}", re.ASCII)
_KING_RUN = re.compile(r":\+\d+\+\d+", re.ASCII)  # after a FEN of Frisian draughts, as lidraughts writes it


class VariantRecognised(CrownheadError):
    """The message that no tag names the variant, and which one was taken; it is never raised.

    ``variant`` and ``reason`` are attributes.
    """

    def __init__(self, variant: Variant, reason: str) -> None:
        """``reason``: why, in words."""
        super().__init__(f"no variant is named; read as {variant.name} ({variant.key}): {reason}")
        self.variant = variant
        self.reason = reason

    def __reduce__(self) -> tuple[type[VariantRecognised], tuple[Variant, str]]:
        return type(self), (self.variant, self.reason)

    def as_dict(self) -> dict[str, str]:
        """Return the variant's key and the reason."""
        return {"variant": self.variant.key, "reason": self.reason}


@dataclass(frozen=True, slots=True, order=True)
class _Faults:
    """How badly a sample replays in a variant, the least first."""

    games: int  # that are not legal
    missing_plies: int  # minus the legal plies of these games
    total: int = field(compare=False)  # games in all


def recognise(sample: str, numbering: Numbering) -> VariantRecognised:
    """Return the variant of the games of a sample that do not name one."""
    unnamed = (record for record in walk(sample, GameRecord) if not is_named(record))
    records = list(islice(unnamed, _MAX_RECORDS))
    squares = Counter(square for record in records for square in _squares(record))
    rows, hint = _candidates(records, squares, numbering)
    best, least = rows[0], _faults(sample, rows[0], numbering, _MAX_FAULTS)
    for row in rows[1:]:
        if not least.games:
            break
        faults = _faults(sample, row, numbering, least.games)
        if faults < least:
            best, least = row, faults
    mentioned = f"the tags mention {hint!r}, " if find_variant(hint) is best else ""
    return VariantRecognised(best, f"{mentioned}{_extent(squares)}, {_result(least)}")


def variant_for(record: GameRecord, conventions: Conventions) -> Variant:
    """Return the variant to assume of a record, another one if the usual one lacks its squares."""
    usual, numbering = conventions.default, conventions.numbering
    known = numbers(usual, numbering)
    if conventions.is_auto and not all(square in known for square in _squares(record)):
        for other in alternatives(record, conventions):
            with suppress(ReplayError):
                game_of(record, other.variant, numbering)
                return other.variant
    return usual


def alternatives(record: GameRecord, conventions: Conventions) -> Iterator[VariantRecognised]:
    """Yield variants on another board that may explain a single record that cannot be read as the others."""
    usual = conventions.variant
    if usual is None or not conventions.is_auto or is_named(record) or record.fault is not None:
        return
    squares = Counter(_squares(record))
    if record.tags.get("FEN", "").strip() and _fits(usual, squares, conventions.numbering, tolerated=0):
        return  # a few moves of a problem replay by chance
    rows, _ = _candidates([record], squares, conventions.numbering)
    for row in rows:
        if row.board != usual.board and _fits(row, squares, conventions.numbering, tolerated=0):
            yield VariantRecognised(row, f"{_extent(squares)}, and the game replays, unlike in {usual.name}")


def _candidates(
    records: list[GameRecord], squares: Counter[str], numbering: Numbering
) -> tuple[list[Variant], str]:
    """Return the variants to try, in order, and the words of a tag that mention the first, if any."""
    named = sum(count for square, count in squares.items() if not square.isdigit())
    has_names = named * 2 > squares.total()
    usual = sorted(_common(), key=lambda row: row.notation.algebraic is not has_names)
    hints = Counter(hint for record in records for hint in dict.fromkeys(_hints(record)))
    hint, mentions = hints.most_common(1)[0] if hints else ("", 0)
    meant = find_variant(hint) if mentions * 2 > len(records) else None
    rows = [row for row in usual if _fits(row, squares, numbering)]
    if meant is not None and _fits(meant, squares, numbering):
        rows = [meant, *(row for row in rows if row is not meant)]
    return rows or [usual[0]], hint if meant is not None else ""


@cache
def _common() -> tuple[Variant, ...]:
    """Return the variants that a GameType of PDN 3.0 names, in the order of the table."""
    types = [(row, type_of(row)) for row in STOCK.values()]
    return tuple(row for row, text in types if text is not None and variant_of_type(text) == row)


def _fits(
    row: Variant, squares: Counter[str], numbering: Numbering, *, tolerated: float = _TOLERATED
) -> bool:
    """Whether the board has these squares, apart from a few misprints."""
    known = numbers(row, numbering)
    strange = sum(count for square, count in squares.items() if square not in known)
    return strange <= tolerated * squares.total()


def _squares(record: GameRecord) -> Iterator[str]:
    """Yield the squares in the moves and the FEN of a record."""
    for text, _ in record.moves:
        yield from _squares_in(text.lower())
    for section in record.tags.get("FEN", "").split(":")[1:]:
        if section.lstrip()[:1] in ("B", "W"):
            yield from _squares_in(section)  # capitals mark pieces


@lru_cache(maxsize=8192)
def _squares_in(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (square.lstrip("0") for square in _SQUARE.findall(text))))


def _hints(record: GameRecord) -> Iterator[str]:
    """Yield the name of a variant for each tag that mentions one."""
    if _KING_RUN.search(record.tags.get("FEN", "")):
        yield next(row.key for row in STOCK.values() if row.rules.king_run)
    for tag in _HINTS:
        words = normalised(record.tags.get(tag, "")[:200]).split()
        parts = (
            " ".join(words[begin : begin + length])
            for length in range(_LONGEST_HINT, 0, -1)
            for begin in range(len(words) - length + 1)
        )
        yield from islice((part for part in parts if part not in VAGUE and find_variant(part)), 1)


def _faults(sample: str, row: Variant, numbering: Numbering, most: int) -> _Faults:
    """Replay a sample in a variant, until there are more faults than ``most``."""
    conventions = Conventions.of(row, numbering)
    window = Window(io.BytesIO(sample.encode("utf-8", "replace")))
    good = bad = plies = 0
    while True:
        good += sum(count_plain(window, conventions))
        block = window.next_block()
        if block is None or bad > most:
            return _Faults(bad, -plies, good + bad)
        for record in walk(block.text, GameRecord, is_last=block.is_last):
            try:
                game_of(record, row, numbering)
                good += 1
            except ReplayError as fault:
                bad += 1
                plies += 0 if fault.game is None else len(fault.game.moves)


def _extent(squares: Counter[str]) -> str:
    """Describe the squares in words."""
    if not squares:
        return "no square is mentioned"
    named = [square for square in squares if not square.isdigit()]
    if len(named) * 2 > len(squares):
        file, rank = max(square[0] for square in named), max(int(square[1:]) for square in named)
        return f"squares have names up to {file}{rank}"
    return f"squares are numbered up to {max(int(square) for square in squares if square.isdigit())}"


def _result(faults: _Faults) -> str:
    if faults.total == 1:
        return "the only game replays" if not faults.games else "the only game replays furthest"
    good = faults.total - faults.games
    if not faults.games:
        return f"the first {good} games replay" if good else "there is no game"
    return f"{good} of the first {faults.total} games replay"
