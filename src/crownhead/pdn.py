"""PDN files: ``read`` or ``check`` them, ``write`` games; trees also keep comments and variations.

>>> from pathlib import Path
>>> from crownhead.pdn import read
>>> for game in read(Path("games.pdn")):  # doctest: +SKIP
...     print(game.tags["Event"], game.result)
"""

from __future__ import annotations

from crownhead.notation.pdn import (
    Clock,
    GameRecord,
    GameTree,
    Node,
    Numbering,
    PdnError,
    PdnInfo,
    PdnWarning,
    Reader,
    Source,
    Style,
    VariantRecognised,
    Visitor,
    check,
    read,
    read_trees,
    visit,
    write,
    write_tree,
)

__all__ = [
    "Clock",
    "GameRecord",
    "GameTree",
    "Node",
    "Numbering",
    "PdnError",
    "PdnInfo",
    "PdnWarning",
    "Reader",
    "Source",
    "Style",
    "VariantRecognised",
    "Visitor",
    "check",
    "read",
    "read_trees",
    "visit",
    "write",
    "write_tree",
]
