"""Reading the suites that every language's tests share."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SUITES = ROOT / "suites"


@dataclass(frozen=True, slots=True)
class PerftRow:
    """A position with its counts of lines of play by depth."""

    variant: str
    fen: str
    nodes: dict[int, int] = field(default_factory=dict)

    def deepest(self, *, most_nodes: int, above: int = 0) -> int | None:
        """The greatest depth within (``above``, ``most_nodes``] nodes."""
        fitting = [depth for depth, nodes in self.nodes.items() if above < nodes <= most_nodes]
        return max(fitting, default=None)


def perft_rows(variant: str) -> list[PerftRow]:
    """The positions of ``suites/perft/<variant>.perft``."""
    rows: list[PerftRow] = []
    for line in (SUITES / "perft" / f"{variant}.perft").read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "position":
            rows.append(PerftRow(variant, rest))
        elif word.isdecimal():
            rows[-1].nodes[int(word)] = int(rest)
    return rows


def legal_move_rows(name: str) -> Iterator[dict[str, Any]]:
    """The positions of one file under ``suites/legal_moves``, as the file has them."""
    path = SUITES / "legal_moves" / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for line in text.decode("utf-8").splitlines():
        yield json.loads(line)


def legal_move_files() -> list[str]:
    """The names of the files under ``suites/legal_moves``."""
    return sorted(path.name for path in (SUITES / "legal_moves").iterdir())
