"""Nodes a second of the search of one library, `python benchmarks/search_nodes.py LIBRARY POSITIONS`.

The positions are FENs by variant in a file of JSON; each is searched for a while, and CPU time is counted but
for what it takes to make an engine.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from figures import Figure, emit

SECONDS = 0.3  # for each position, where a limit of nodes is not possible
NODES = 2_000_000  # for each position, where it is
Search = Callable[[str], int]  # of a FEN: the nodes
Searcher = Callable[[str], Search]  # of a variant


def crownhead(variant: str) -> Search:
    """Our engine, with its weights and without endgame tables."""
    engine, position = import_module("crownhead.engine"), import_module("crownhead").Position
    searcher = engine.Engine(variant, megabytes=64, tables=False)
    searcher.analyse(position.start(variant), nodes=NODES)  # takes the memory
    return lambda fen: int(searcher.analyse(position.from_fen(fen, variant), nodes=NODES).nodes)


def py_draughts(variant: str) -> Search:
    """The general engine of py-draughts; in American checkers captures are free there."""
    return _search_of(import_module("draughts.engines").SimpleEngine, variant)


def turbo(variant: str) -> Search:
    """Its engine for international draughts."""
    return _search_of(import_module("draughts.engines.turbo").TurboEngine, variant)


def _search_of(make: Any, variant: str) -> Search:
    draughts = import_module("draughts")
    import_module("loguru").logger.remove()
    names = {"american": "American", "international": "Standard"}
    board = getattr(draughts, f"{names.get(variant, variant.title())}Board")
    engine = make(depth_limit=60, time_limit=SECONDS)

    def search(fen: str) -> int:
        engine.get_best_move(board.from_fen(fen))
        return int(engine.nodes)

    return search


SEARCHERS: Mapping[str, tuple[Searcher, tuple[str, ...]]] = {
    "crownhead": (crownhead, ("american", "international", "russian", "brazilian")),
    "py-draughts": (py_draughts, ("american", "international", "russian", "brazilian")),
    "py-draughts turbo": (turbo, ("international",)),
}


def measure(name: str, positions: Mapping[str, list[str]]) -> Iterator[Figure]:
    """A figure for each variant that it knows."""
    make, variants = SEARCHERS[name]
    for variant in variants:
        search = make(variant)
        nodes, begun = 0, time.process_time()
        for fen in positions[variant]:
            nodes += search(fen)
        yield Figure("search", variant, nodes, time.process_time() - begun)


if __name__ == "__main__":
    for figure in measure(sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8"))):
        emit(figure)
