"""`crownhead variants`, `legal` and `perft`."""

from __future__ import annotations

from dataclasses import fields

import pytest

from crownhead import VARIANTS, Position
from tests.cli.conftest import Command

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def test_variants_are_listed_with_board_and_name(run: Command) -> None:
    ran = run("variants")
    assert (ran.status, ran.err) == (0, "")
    heading, *rows = [line.split(maxsplit=6) for line in ran.out.splitlines()]
    assert heading == ["KEY", "BOARD", "MEN", "BEGINS", "KINGS", "PDN", "NAME"]
    assert [row[0] for row in rows] == list(VARIANTS)
    assert ["international", "10x10", "20", "white", "fly", "20", "International draughts"] in rows
    assert ["hawaiian", "8x8", "32", "black", "none", "–", "Hawaiian checkers"] in rows
    assert max(map(len, ran.out.splitlines())) <= 80


def test_variants_are_listed_as_json(run: Command) -> None:
    rows = {row["key"]: row for row in run("variants", "--json").json}
    assert list(rows) == list(VARIANTS)
    short = ("key", "name", "width", "height", "first", "game_type", "draw_rules")
    assert {key: rows["american"][key] for key in short} == {
        "key": "american",
        "name": "American checkers",
        "width": 8,
        "height": 8,
        "first": "black",
        "game_type": 21,
        "draw_rules": "wcdf",
    }
    assert all(row["summary"] for row in rows.values())


def test_the_json_of_variants_has_every_column_of_the_table(run: Command) -> None:
    rows = {row["key"]: row for row in run("variants", "--json").json}
    for key, variant in VARIANTS.items():
        row = rows[key]
        for part in ("board", "notation", "start", "rules"):
            assert {field.name for field in fields(getattr(variant, part))} <= row[part].keys()
        assert {field.name for field in fields(variant)} <= row.keys()
        assert row["fen"] == Position.start(key).fen()
        assert [rule["article"] for rule in row["draws"]["rules"]] == [
            rule.article for rule in variant.draws.rules
        ]
    assert rows["frisian"]["rules"]["king_run"] == 3
    assert rows["international"]["rules"]["priority"] == ["most-pieces"]
    assert rows["turkish"]["rules"]["man_steps"] == ["forward", "left", "right"]
    assert rows["international"]["draws"]["rules"][0] == {
        "kind": "repetition",
        "times": 3,
        "automatic": True,
        "article": "FMJD 6.1",
    }


def test_variants_that_are_named_are_put_into_words(run: Command) -> None:
    ran = run("variants", "russian", "thai")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Russian draughts (russian)\n\n")
    assert "Thai checkers (thai)" in ran.out
    assert "15 moves by each side without a capture or a man move" in ran.out
    assert "a position occurs 3 times, on claim" in ran.out
    assert "   8     b     b     b     b" in ran.out
    assert [row["key"] for row in run("variants", "--json", "thai", "russian").json] == ["thai", "russian"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_reported_counted_and_moved(run: Command, variant: str) -> None:
    assert run("variants", variant).status == 0
    moves = run("legal", "--variant", variant).out.split()
    assert len(moves) == len(set(moves)) == len(Position.start(variant).legal_moves())
    data = run("perft", "--variant", variant, "--depth", "3", "--divide", "--json").json
    assert list(data["divide"]) == moves
    assert data["nodes"] == sum(data["divide"].values()) == Position.start(variant).perft(3)


def test_legal_moves_are_printed_one_a_line(run: Command) -> None:
    ran = run("legal", "--variant", "american")
    assert ran.status == 0
    assert ran.out.split() == ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]


def test_legal_moves_are_printed_as_json_with_paths_and_captures(run: Command) -> None:
    fen = "B:W6,15,32:B1,28"
    assert run("legal", "--variant", "american", "--fen", fen, "--json").json == {
        "variant": "american",
        "fen": fen,
        "turn": "black",
        "moves": [{"notation": "1x19", "path": [1, 10, 19], "captures": [6, 15]}],
    }


def test_squares_are_named_where_the_variant_names_them(run: Command) -> None:
    ran = run("legal", "--variant", "russian", "--fen", "W:Wc3,a1:Bd4,f6,h8")
    assert ran.out == "c3:g7\n"


def test_a_decided_position_has_no_legal_moves_and_a_winner(run: Command) -> None:
    ran = run("legal", "--fen", "B:WK1:B")
    assert (ran.status, ran.out) == (0, "no legal moves: white has won (no-pieces)\n")
    assert run("legal", "--fen", "B:WK1:B", "--json").json["moves"] == []


@pytest.mark.parametrize(("variant", "depth", "nodes"), [("american", 6, 36768), ("international", 4, 4265)])
def test_perft_counts_what_is_published(run: Command, variant: str, depth: int, nodes: int) -> None:
    assert run("perft", "--variant", variant, "--depth", str(depth), "--json").json["nodes"] == nodes
    assert run("perft", "--variant", variant, "--depth", str(depth)).out.startswith(f"{nodes} nodes at depth")


def test_perft_divides_by_first_move(run: Command) -> None:
    data = run("perft", "--depth", "4", "--divide", "--json").json
    assert data["divide"]["11-15"] == Position.start("american").play("11-15").perft(3)
    assert sum(data["divide"].values()) == data["nodes"] == 1469
    assert {key: data[key] for key in ("variant", "fen", "depth")} == {
        "variant": "american",
        "fen": START,
        "depth": 4,
    }
    assert data["seconds"] >= 0
    lines = run("perft", "--depth", "4", "--divide").out.splitlines()
    assert lines[0] == "9-13  264"
    assert lines[-1].startswith("1469 nodes at depth 4 in ")


def test_perft_counts_from_a_position(run: Command) -> None:
    fen = "W:W27,28:B12,K20"
    data = run("perft", "--fen", fen, "--depth", "3", "--json").json
    assert data["nodes"] == Position.from_fen(fen, "american").perft(3)


@pytest.mark.parametrize("command", [["legal"], ["perft", "--depth", "2"]])
@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "expected the side to move"),
        ("nonsense", "expected the side to move"),
        ("W:W33:B1", "at column 4"),
        ("W:W1:B2", "white man on square 1"),
        ("W:W" + "1," * 5000, "at most 1000 characters"),
    ],
)
def test_a_bad_position_is_bad_input_told_in_a_sentence(
    run: Command, command: list[str], fen: str, reason: str
) -> None:
    ran = run(*command, "--fen", fen)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("crownhead: expected ")
    assert reason in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 500


@pytest.mark.parametrize(
    "depth", ["0", "-1", "21", "1.5", "", "four", "1e3", "999999999999999999999999", "٣", "9" * 5000]
)
def test_a_depth_that_is_no_sensible_number_is_wrong_usage(run: Command, depth: str) -> None:
    ran = run("perft", f"--depth={depth}")
    assert (ran.status, ran.out) == (2, "")
    assert "expected a whole number from 1 to 20" in ran.err
    assert len(ran.err) < 300


@pytest.mark.parametrize("command", [["legal"], ["perft", "--depth", "1"], ["pdn", "check", "x.pdn"]])
def test_an_unknown_variant_is_wrong_usage_and_the_known_are_named(run: Command, command: list[str]) -> None:
    ran = run(*command, "--variant", "lasca")
    assert (ran.status, ran.out) == (2, "")
    assert "expected one of the variants american, pro" in ran.err
    assert "got 'lasca'" in ran.err
