"""The perft counts of `suites/perft`, so that a measurement checks what it counts."""

from __future__ import annotations

from pathlib import Path

SUITES = Path(__file__).resolve().parents[1] / "suites" / "perft"


def start_counts(variant: str) -> dict[int, int]:
    """The counts by depth of the first position of a variant's suite, which is its start array."""
    counts: dict[int, int] = {}
    positions = 0
    for line in (SUITES / f"{variant}.perft").read_text("utf-8").splitlines():
        match line.split():
            case ["position", *_]:
                positions += 1
            case [depth, nodes] if positions == 1 and depth.isdecimal():
                counts[int(depth)] = int(nodes)
    return counts


def deepest(variant: str, *, within: int) -> tuple[int, int]:
    """The greatest depth with at most so many nodes, and its count."""
    return max((depth, nodes) for depth, nodes in start_counts(variant).items() if nodes <= within)
