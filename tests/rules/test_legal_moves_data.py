"""Complete lists of legal moves, from real games and from the articles of the laws."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead import VARIANTS, Position
from tests.reference.fen import from_fen
from tests.reference.moves import legal_moves
from tests.rules.suites import legal_move_files, legal_move_rows

Listed = list[tuple[int, int, tuple[int, ...]]]


@pytest.mark.parametrize("name", legal_move_files())
def test_legal_moves_are_those_that_others_list(name: str) -> None:
    for row in legal_move_rows(name):
        moves = Position.from_fen(row["fen"], row["variant"]).legal_moves()
        found = [(move.origin, move.target, tuple(move.captures)) for move in moves]
        assert (row["fen"], _comparable(found, row)) == (row["fen"], _listed(row))


@pytest.mark.parametrize("name", legal_move_files())
def test_the_oracle_lists_the_same(name: str) -> None:
    for row in legal_move_rows(name):
        moves = legal_moves(from_fen(VARIANTS[row["variant"]], row["fen"]))
        found = [(move.origin, move.target, tuple(move.captures)) for move in moves]
        assert (row["fen"], _comparable(found, row)) == (row["fen"], _listed(row))


def test_the_lists_are_all_there() -> None:
    counts = {name: len(list(legal_move_rows(name))) for name in legal_move_files()}
    assert counts == {
        "american.jsonl.gz": 966,
        "articles.jsonl": 32,
        "brazilian.jsonl.gz": 151,
        "frisian.jsonl.gz": 141,
        "international.jsonl.gz": 744,
        "italian.jsonl.gz": 479,
        "russian.jsonl.gz": 587,
    }


def _tells_captures(row: dict[str, Any]) -> bool:
    return any("captures" in move for move in row["legal"])


def _comparable(found: Listed, row: dict[str, Any]) -> Listed:
    """Captures in no order, and only where the list tells them."""
    told = _tells_captures(row)
    return sorted((origin, to, tuple(sorted(taken)) if told else ()) for origin, to, taken in found)


def _listed(row: dict[str, Any]) -> Listed:
    return sorted((m["from"], m["to"], tuple(sorted(m.get("captures", ())))) for m in row["legal"])
