"""The part of a FEN that counts how often each side has moved the same king in a row (Frisian draughts).

lidraughts ends a FEN with ``+1+2``: the steps of Black's king, then those of White's, without saying
which king. Here, ``@`` and the square are added for a side with more than one king: ``+1@5+2@46``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from crownhead.rules.errors import NotationError
from crownhead.rules.schema import Colour, PieceKind
from crownhead.rules.setup import KingRun, Piece

_ORDER = (Colour.BLACK, Colour.WHITE)
_COUNT = r"\+\s*(\d{1,2})(?:\s*@\s*([a-z]?\d{1,4}))?\s*"
_RUNS = re.compile(rf"\s*{_COUNT}{_COUNT}", re.ASCII)

Runs = Mapping[Colour, KingRun]
Pieces = Mapping[int, Piece]


def matches(text: str) -> bool:
    """Whether a text has the form ``+0+2@46``."""
    return _RUNS.fullmatch(text) is not None


def read(text: str, pieces: Pieces, numbers: Mapping[str, int]) -> Runs:
    """Parse king runs; ``numbers`` maps square names to numbers.

    A count without a square belongs to the side's only king. Raises ``NotationError``.
    """
    found = _RUNS.fullmatch(text)
    if found is None:
        raise NotationError("the steps of Black's king and of White's, as in '+0+2'", text)
    counts = ((int(found[1]), found[2]), (int(found[3]), found[4]))
    runs = {
        colour: KingRun(_square(colour, name, pieces, numbers, text), steps)
        for colour, (steps, name) in zip(_ORDER, counts, strict=True)
        if steps
    }
    return MappingProxyType(runs)


def write(runs: Runs, pieces: Pieces, names: Mapping[int, str]) -> str:
    """Return king runs as text; empty if there are none."""
    if not any(run.steps for run in runs.values()):
        return ""
    return "".join(_counted(runs.get(colour, KingRun()), colour, pieces, names) for colour in _ORDER)


def _counted(run: KingRun, colour: Colour, pieces: Pieces, names: Mapping[int, str]) -> str:
    understood = not run.steps or _kings(colour, pieces) == [run.square]
    return f"+{run.steps}" if understood else f"+{run.steps}@{names[run.square]}"


def _square(colour: Colour, name: str | None, pieces: Pieces, numbers: Mapping[str, int], text: str) -> int:
    kings = _kings(colour, pieces)
    if name is None and len(kings) == 1:
        return kings[0]
    if name is None:
        raise NotationError(
            f"'@' and the king's square after the count of {colour.value}, which has {len(kings)} kings",
            text,
        )
    square = numbers.get(name.lstrip("0"))
    if square not in kings:
        raise NotationError(f"the square of a {colour.value} king after '@'", text)
    return square


def _kings(colour: Colour, pieces: Pieces) -> list[int]:
    return [square for square, piece in pieces.items() if piece == Piece(colour, PieceKind.KING)]
