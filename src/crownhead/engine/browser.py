"""Variants, weights and endgame tables as the kernel's module for browsers takes them.

``row`` is what ``rules.js`` reads, as JSON. A file of tables holds for each table the lengths of its name and
its content (4 bytes each, low byte first), then both.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from crownhead.engine.engine import no_progress_limit
from crownhead.engine.networks import evaluation
from crownhead.engine.tables.folders import SHIPPED, folder_in, users_folder
from crownhead.notation.numberings import Numbering, names
from crownhead.rules.draws import OFFICIAL, Kind, counted_rules, draw_rules_of
from crownhead.rules.errors import CrownheadError
from crownhead.rules.kernel_numbers import kernel_numbers, place_of_priority
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import DrawRules, Landing, Objective, Removal, Variant

_LENGTHS = struct.Struct("<II")
_MAX_PIECES, _MAX_BYTES = 4, 700_000  # of tables for browsers


def row(variant: str | Variant, draw_rules: DrawRules | str = OFFICIAL) -> dict[str, Any]:
    """A variant, played by these draw rules, as a value for JSON. Raises ``UnknownVariant``.

    ``squares`` and ``algebraic`` are the names of the squares 1 … N in the variant's own notation and by
    file and rank; ``draws`` the draw rules, in the order in which the module counts them, each with the
    count that is enough; ``drawnAfter`` the plies without a capture or a move of a man after which the game
    is drawn, or 0; ``priority`` the components of the sort key of captures, and from which of the ``numbers``
    on they stand; ``jumps`` whether a king may land ``far`` behind the piece that it takes, and whether taken
    pieces stay until the move is over.
    """
    played = variant_of(variant)
    draws = draw_rules_of(played, draw_rules)
    rules = counted_rules(draws, played.board, played.notation)
    return {
        "key": played.key,
        "name": played.name,
        "numbers": kernel_numbers(played, draws),
        "squares": [*names(played).values()],
        "algebraic": [*names(played, Numbering.ALGEBRAIC).values()],
        "captureSign": played.notation.capture_sign,
        "marked": played.rules.marked,
        "jumpsOnly": played.rules.jumps_only,
        "stuckWins": played.rules.objective is Objective.MOVER_WINS,
        "countsRuns": played.rules.king_run > 0,
        "draws": [
            {
                "termination": "repetition" if rule.kind is Kind.REPETITION else "no-progress",
                "automatic": rule.automatic,
                "enough": rule.enough,
            }
            for rule in rules
        ],
        "drawnAfter": no_progress_limit(draws),
        "priority": {"at": place_of_priority(played), "components": [*played.rules.priority]},
        "jumps": {
            "far": played.rules.flying_king and played.rules.landing is not Landing.BEHIND,
            "takenStay": played.rules.removal is Removal.AFTER_MOVE,
        },
    }


def weights(variant: str | Variant) -> bytes:
    """What comes with the package to evaluate positions by; nothing: empty.

    A pair of 16-bit numbers for each feature, and behind them the network of the variant, if it has one.
    """
    return evaluation(variant)


def tables(variant: str | Variant) -> bytes:
    """The results of endgame tables of up to four pieces, as one file; none: empty.

    They are the user's own, or those that come with the package if these are more. Where they would be a long
    download, as in international draughts, there are only those with fewer pieces.
    """
    try:
        folders = [folder_in(base, variant) for base in (users_folder(), SHIPPED)]
    except CrownheadError:  # the laws allow none
        return b""
    paths = max((_small_tables(folder) for folder in folders), key=len)
    files = [(path.name.encode(), path.read_bytes()) for path in paths]
    return b"".join(_LENGTHS.pack(len(name), len(content)) + name + content for name, content in files)


def _small_tables(folder: Path) -> list[Path]:
    """The files of results whose names, such as ``kmm-m``, have few pieces."""
    every = sorted(folder.glob("*.results"))
    small = [path for path in every if _pieces(path) <= _MAX_PIECES]
    while sum(path.stat().st_size for path in small) > _MAX_BYTES:
        most = max(map(_pieces, small))
        small = [path for path in small if _pieces(path) < most]
    return small


def _pieces(path: Path) -> int:
    return len(path.stem.replace("-", ""))
