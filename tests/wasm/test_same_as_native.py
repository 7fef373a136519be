"""The module for browsers counts, plays and searches exactly as the native kernel."""

from __future__ import annotations

from dataclasses import replace

import brotli  # type: ignore[import-untyped]
import pytest

from crownhead import VARIANTS, Move, Position, Variant
from crownhead.engine import Engine
from crownhead.engine.browser import row as browser_row
from crownhead.engine.browser import tables, weights
from crownhead.engine.levels import LEVELS
from crownhead.engine.signature import signature
from crownhead.engine.tables import Tables
from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Objective
from crownhead.rules.variants import STOCK
from tests.house.tree import HOUSE
from tests.house_rows import ROWS
from tests.lengths import short_and_full
from tests.wasm.asking import answer, encoded
from tests.wasm.random_games import ALL, astray, disagreements

MAX_PERFT = 30_000  # the largest count that is verified
SEARCHED = 2_000  # nodes
SIGNATURE_DEPTH = 5
PORTION = 20  # games of a variant that one run of the module answers
IN_CI = 5  # games of each variant and house variant: two hundred
LARGEST = 150_000  # bytes of the module, by brotli

# With vector instructions and code of their own for some rules, and without either.
both = pytest.mark.parametrize("module", ["vectors", "plain"])


def suite(key: str) -> list[tuple[str, int, int]]:
    """The counts of a suite: FEN, depth and nodes."""
    counts, fen = [], ""
    for line in (HOUSE / "suites/perft" / f"{key}.perft").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "position":
            fen = rest
        elif word.isdecimal() and int(rest) <= MAX_PERFT:
            counts.append((fen, int(word), int(rest)))
    return counts


@pytest.mark.slow
@both
def test_perft_suites_count_the_same(module: str) -> None:
    suites = {key: suite(key) for key in STOCK}
    question = [
        {"row": browser_row(key), "counts": [(fen, depth) for fen, depth, _ in counts]}
        for key, counts in suites.items()
    ]
    expected = [[[nodes, nodes] for _, _, nodes in counts] for counts in suites.values()]
    assert answer("perft", question, module=module) == expected
    assert all(suites.values())


@pytest.mark.slow
def test_random_games_of_all_variants_and_house_variants_go_the_same_way() -> None:
    assert disagreements(ALL, range(IN_CI)) == []


@pytest.mark.slow
@pytest.mark.parametrize("games", short_and_full(3_000, 10_000))
@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_thousands_of_random_games_of_all_variants_end_the_same_way(variant: Variant, games: int) -> None:
    half = -(-games // 2 // len(ALL))
    assert astray(variant, range(half), module="vectors") == []
    assert astray(variant, range(half, 2 * half), module="plain") == []


@pytest.mark.nightly
def test_all_is_said_alike_of_ten_thousand_random_games() -> None:
    each = -(-10_000 // len(ALL))
    for row in ALL:
        for first in range(0, each, PORTION):
            assert disagreements([row], range(first, min(first + PORTION, each))) == []


def reported(engine: Engine, position: Position, **limits: int) -> dict[str, object]:
    """A report as `answers.js` tells it."""
    report = engine.analyse(position, **limits)  # type: ignore[arg-type]
    return {
        "depth": report.depth,
        "nodes": report.nodes,
        "lines": [[line.score.value, [ends(move) for move in line.moves]] for line in report.lines],
        "verdict": None if report.verdict is None else report.verdict.result.value,
    }


def ends(move: Move) -> list[int]:
    return [move.origin, move.target]


@pytest.mark.slow
@both
def test_searches_of_so_many_nodes_find_the_same_moves_and_scores(module: str) -> None:
    """With the weights of each variant, two lines, and the nodes counted exactly."""
    starts = [Position.start(row) for row in (*VARIANTS.values(), *ROWS)]
    limits = {"nodes": SEARCHED, "lines": 2}
    question = [
        {
            "row": browser_row(start.variant),
            "fen": start.fen(),
            "limits": limits,
            "weights": encoded(weights(start.variant)),
        }
        for start in starts
    ]
    engines = [
        Engine(start.variant, megabytes=4, weights=weights(start.variant), tables=False) for start in starts
    ]
    expected = [reported(engine, start, **limits) for engine, start in zip(engines, starts, strict=True)]
    assert answer("searches", question, module=module) == expected


@both
def test_the_signature_of_the_search_is_the_same(module: str) -> None:
    question = [
        {"row": browser_row(key), "fen": Position.start(key).fen(), "limits": {"depth": SIGNATURE_DEPTH}}
        for key in STOCK
    ]
    found = answer("searches", question, module=module)
    assert sum(one["nodes"] for one in found) == signature(SIGNATURE_DEPTH)


def test_endgame_tables_are_probed_as_by_the_engine() -> None:
    """The page has results without distances."""
    fens = ["W:WK32:BK18,K19", "B:W32,31:BK1,K2", "W:WK1,K2,K3:BK29", "B:W22,K15:B6,K20,1"]
    question = [
        {
            "row": browser_row("american"),
            "fen": fen,
            "limits": {"nodes": 2000},
            "tables": encoded(tables("american")),
        }
        for fen in fens
    ]
    found = answer("searches", question)
    shipped = Tables.shipped("american")
    verdicts = [shipped.probe(Position.from_fen(fen)) for fen in fens]
    assert [one["verdict"] for one in found] == [one and one.result.value for one in verdicts]
    assert [verdict is None for verdict in verdicts] == [False, False, False, True]


def test_texts_of_moves_mean_the_same() -> None:
    cases = [
        (
            "american",
            "W:W22:B18,11,10",
            ["22x15x6", "22 15 6", "22-15 6", "22x6", "22x8", "22-18", "22x1", "18-22", "nonsense", "22x99"],
        ),
        (
            "russian",
            Position.start("russian").fen(),
            ["c3-d4", "c3d4", "c3 d4", "cd4", "gf4", "22-18", "a3:b4", "ed4"],
        ),
        ("american", "B:W6,7,14,15,16,23,24:BK2", ["2x9x18x11x2", "2x11x18x9x2", "2x2"]),
        ("hawaiian", Position.start("hawaiian").fen(), ["d5", "d5xd5", "a1"]),
    ]

    def path(position: Position, text: str) -> list[int] | None:
        try:
            return [*position.parse(text).path]
        except CrownheadError:
            return None

    question = [{"row": browser_row(key), "fen": fen, "texts": texts} for key, fen, texts in cases]
    found = [[None if isinstance(one, dict) else one for one in texts] for texts in answer("texts", question)]
    expected = [[path(Position.from_fen(fen, key), text) for text in texts] for key, fen, texts in cases]
    assert found == expected
    assert any(one for texts in expected for one in texts)


def test_a_piece_that_will_not_move_has_a_reason() -> None:
    fen = "B:W18,27:B1,14,15"
    wanted = {
        (2,): "empty",
        (18,): "theirs",
        (1,): "jump",
        (15, 19): "elsewhere",
        (15, 22): None,
    }
    question = [{"row": browser_row("american"), "positions": [(fen, [*wanted])]}]
    ((found,),) = answer("reasons", question)
    assert [one and one["reason"] for one in found] == [*wanted.values()]
    assert found[2]["squares"] == [14, 15]


def test_positions_that_cannot_be_are_refused_in_words_and_the_rules_go_on() -> None:
    fens = ["W:W1:B5", "W:W22:B5,5", "W:W22,K99:B5", "nonsense", "W:WK22:BK5"]
    found = answer("positions", [{"row": browser_row("american"), "fen": fen} for fen in fens])
    assert found[0] == {
        "error": "RulesError",
        "message": "expected no white man on square 1, for it would have been crowned there",
    }
    assert [one["error"] for one in found[1:4]] == ["SyntaxError"] * 3
    assert found[4] == "W:WK22:BK5"


def test_a_run_of_a_frisian_king_is_read_and_written() -> None:
    fens = ["W:W40,K46:B10,K5:+1+2", "B:W40,K46,K45:B10,K5:+0+1@45"]
    found = answer("positions", [{"row": browser_row("frisian"), "fen": fen} for fen in fens])
    assert found == [Position.from_fen(fen, "frisian").fen() for fen in fens]


def test_the_ten_levels_are_those_of_the_engine() -> None:
    expected = [
        {
            "horizons": [*level.horizons],
            "temperature": level.temperature,
            **({} if level.nodes is None else {"nodes": level.nodes}),
            **({} if level.seconds is None else {"seconds": level.seconds}),
        }
        for level in LEVELS
    ]
    assert answer("levels") == expected


@pytest.mark.parametrize("level", [1, 6, 9])
def test_no_level_throws_away_a_win_that_it_sees(level: int) -> None:
    """The jump of two ends the game; at every throw of the dice it is chosen, as the captures differ much."""
    question = {"row": browser_row("american"), "fen": "W:W22:B18,11,10", "level": level, "times": 3}
    assert {tuple(path) for path in answer("choices", question)} <= {(22, 15, 8), (22, 15, 6)}


def test_the_module_was_made_from_these_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HOUSE / "native" / "wasm"))
    build = __import__("build")
    assert build.is_current(), "the sources have changed: make wasm"


def test_a_variant_that_loses_its_pieces_tells_the_page_so() -> None:
    row: Variant = VARIANTS["russian"]
    loses = replace(row, key="loses", rules=replace(row.rules, objective=Objective.MOVER_WINS))
    assert browser_row(loses)["stuckWins"] is True


def test_the_modules_are_small() -> None:
    files = sorted((HOUSE / "src/crownhead/server/static/crownhead/wasm").iterdir())
    assert [file.name for file in files] == ["crownhead.wasm", "crownhead_plain.wasm"]
    for file in files:
        assert len(brotli.compress(file.read_bytes())) < LARGEST, file.name
