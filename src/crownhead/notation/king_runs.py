"""Which king a side has moved last and how often in a row, as a part of a FEN (Frisian draughts).

lidraughts ends a FEN with ``+1+2``: the steps of Black's king, then those of White's. Which king that was it
leaves open; here ``@`` and its square follow the count of a side that has more than one: ``+1@5+2@46``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from crownhead.rules.schema import Colour, PieceKind
from crownhead.rules.setup import KingRun, Piece

ORDER = (Colour.BLACK, Colour.WHITE)

_COUNT = r"\+\s*(\d{1,2})(?:\s*@\s*([a-z]?\d{1,4}))?\s*"
_RUNS = re.compile(rf"\s*{_COUNT}{_COUNT}", re.ASCII)
_KING = PieceKind.KING


def match(text: str) -> tuple[tuple[int, str], ...] | None:
    """The counts and squares of Black and White that a text such as ``+0+2@46`` gives; None if it is none."""
    found = _RUNS.fullmatch(text)
    if found is None:
        return None
    return (int(found[1]), found[2] or ""), (int(found[3]), found[4] or "")


def only_king(pieces: Mapping[int, Piece], colour: Colour) -> int | None:
    """The square of a side's king if it has one only."""
    kings = [square for square, piece in pieces.items() if piece == Piece(colour, _KING)]
    return kings[0] if len(kings) == 1 else None


def written(runs: Mapping[Colour, KingRun], pieces: Mapping[int, Piece], names: Mapping[int, str]) -> str:
    """The part of a FEN without its colon; empty where nothing runs."""
    if not any(run.steps for run in runs.values()):
        return ""
    return "".join(_counted(runs.get(colour, KingRun()), colour, pieces, names) for colour in ORDER)


def _counted(run: KingRun, colour: Colour, pieces: Mapping[int, Piece], names: Mapping[int, str]) -> str:
    known = not run.steps or only_king(pieces, colour) == run.square
    return f"+{run.steps}" if known else f"+{run.steps}@{names[run.square]}"


def frozen(runs: Mapping[Colour, KingRun]) -> Mapping[Colour, KingRun]:
    """The runs that have steps, as nobody can change them."""
    return MappingProxyType({colour: run for colour, run in runs.items() if run.steps})
