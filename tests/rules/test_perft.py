"""Counts of lines of play, against the published ones."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Position
from tests.lengths import short_and_full
from tests.reference.fen import from_fen
from tests.reference.moves import perft as reference_perft
from tests.rules.suites import SUITES, PerftRow, perft_rows

ROWS = [row for variant in VARIANTS for row in perft_rows(variant)]
QUICK_DEPTH = 7
QUICK_NODES = 3_000_000
SLOW_NODES, NIGHTLY_NODES = 5_000_000, 100_000_000
REFERENCE_NODES = 800, 8_000
DEPTH_IN_CI = {
    "american": 9,
    "russian": 9,
    "brazilian": 9,
    "italian": 9,
    "international": 7,
    "frisian": 8,
    "thai": 8,
    "turkish": 7,
    "dameo": 4,
}
# One king among eighteen men has more captures than the oracle has patience for.
BEYOND_THE_ORACLE = {"W:WK50:B3,7,10,12,13,14,17,20,21,23,25,30,32,36,38,39,41,43,K47"}


def _name(row: PerftRow) -> str:
    return f"{row.variant} {row.fen[:60]}"


def test_every_variant_has_a_suite_and_every_suite_a_variant() -> None:
    assert {path.stem for path in (SUITES / "perft").glob("*.perft")} == set(VARIANTS)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_lines_of_play_are_counted_as_published(row: PerftRow) -> None:
    position = Position.from_fen(row.fen, row.variant)
    for depth, nodes in row.nodes.items():
        if depth <= QUICK_DEPTH and nodes <= QUICK_NODES:
            assert (depth, position.perft(depth)) == (depth, nodes)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_counting_each_leaf_gives_the_same_as_counting_in_bulk(row: PerftRow) -> None:
    position = Position.from_fen(row.fen, row.variant)
    for depth, nodes in row.nodes.items():
        if depth <= QUICK_DEPTH and nodes <= QUICK_NODES:
            assert (depth, position.perft(depth, False)) == (depth, nodes)


@pytest.mark.parametrize("most", short_and_full(*REFERENCE_NODES))
@pytest.mark.parametrize("row", [row for row in ROWS if row.fen not in BEYOND_THE_ORACLE], ids=_name)
def test_the_oracle_counts_as_published_too(row: PerftRow, most: int) -> None:
    depth = row.deepest(most_nodes=most)
    assert depth is not None
    position = from_fen(VARIANTS[row.variant], row.fen)
    assert reference_perft(position, depth) == row.nodes[depth]


@pytest.mark.slow
@pytest.mark.parametrize("most", short_and_full(SLOW_NODES, NIGHTLY_NODES))
@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_deep_counts_are_as_published(row: PerftRow, most: int) -> None:
    depth = row.deepest(most_nodes=most)
    assert depth is not None
    assert Position.from_fen(row.fen, row.variant).perft(depth) == row.nodes[depth]


@pytest.mark.slow
@pytest.mark.parametrize("variant", DEPTH_IN_CI)
def test_the_start_is_counted_leaf_by_leaf_to_the_depth_promised(variant: str) -> None:
    depth = DEPTH_IN_CI[variant]
    start = Position.start(variant)
    published = {row.fen: row for row in perft_rows(variant)}[_spelled_out(start)]
    assert start.perft(depth, bulk=False) == published.nodes[depth]


def test_no_ply_is_one_line_of_play_and_a_decided_position_has_none_further() -> None:
    assert Position.start("american").perft(0) == 1
    assert Position.from_fen("B:W32:B").perft(0) == 1
    assert Position.from_fen("B:W32:B").perft(3) == 0


@pytest.mark.parametrize("depth", [-1, -(2**40)])
def test_a_negative_depth_is_refused(depth: int) -> None:
    with pytest.raises((ValueError, TypeError)):
        Position.start("american").perft(depth)


def _spelled_out(position: Position) -> str:
    """The FEN in plain numbers, as the suites have it."""
    white = ",".join(map(str, position.white_men))
    black = ",".join(map(str, position.black_men))
    return f"{position.turn.letter}:W{white}:B{black}"
