"""``crownhead analyse``, ``play``, ``hub``, ``train`` and ``bench``."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from crownhead import Position
from crownhead.engine.networks import evaluation
from crownhead.engine.weights import LEARNED, shipped
from tests.cli.conftest import Command


def test_a_position_is_analysed_for_people(run: Command) -> None:
    ran = run("analyse", "--fen", "B:WK29:BK14,K19", "--depth", "20")
    assert ran.status == 0
    assert "wins in" in ran.out


def test_a_position_is_analysed_for_programs(run: Command) -> None:
    ran = run("analyse", "--variant", "russian", "--depth", "6", "--lines", "3", "--json")
    data = json.loads(ran.out)
    assert data["variant"] == "russian"
    assert data["depth"] == 6
    assert len(data["lines"]) == 3
    legal = [Position.start("russian").notation(move) for move in Position.start("russian").legal_moves()]
    assert all(line["moves"][0] in legal for line in data["lines"])


def test_a_game_that_is_over_is_no_error(run: Command) -> None:
    ran = run("analyse", "--fen", "W:W:B1")
    assert ran.status == 0
    assert "over" in ran.out


@pytest.mark.parametrize("limit", [("--seconds", "0"), ("--depth", "0"), ("--nodes", "x"), ("--lines", "0")])
def test_a_limit_that_makes_no_sense_is_wrong_usage(run: Command, limit: tuple[str, str]) -> None:
    ran = run("analyse", *limit)
    assert ran.status == 2
    assert "expected" in ran.err


def test_a_game_is_played_in_the_terminal(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\n11-99\n11-15\nhint\nback\nboard\nresign\n"))
    ran = run("play", "--depth", "2")
    assert ran.status == 0
    assert "11-15" in ran.out
    assert "expected" in ran.out
    assert "The engine plays" in ran.out
    assert "The engine won" in ran.out


def test_a_weak_engine_plays_in_the_terminal(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("11-15\nresign\n"))
    ran = run("play", "--level", "1")
    assert ran.status == 0
    assert "The engine plays" in ran.out
    assert run("play", "--level", "11").status == 2


def test_the_engine_begins_where_it_is_asked_to(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("back\nquit\n"))
    ran = run("play", "--side", "second", "--depth", "2")
    assert ran.out.count("The engine plays") == 1
    assert "no move to take back" in ran.out


def test_hub_talks_on_the_standard_streams(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hub\nping\nquit\n"))
    ran = run("hub", "--variant", "frisian")
    assert "param name=variant value=frisian" in ran.out
    assert ran.out.splitlines()[-1] == "pong"


def test_what_hub_offers_can_be_set_on_the_command_line(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hub\nquit\n"))
    ran = run("hub", "--hash", "8", "--threads", "2", "--no-tables", "--no-ponder")
    for offered in ("variant value=normal", "hash value=8", "threads value=2", "tables value=false"):
        assert f"param name={offered} type=" in ran.out
    assert "param name=ponder value=false" in ran.out
    assert run("hub", "--hash", "0").status == 2


def test_the_engine_plays_by_the_clock(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for options in (("--depth", "3"), ("--level", "2")):
        monkeypatch.setattr("sys.stdin", io.StringIO("11-15\nresign\n"))
        ran = run("play", "--clock", "1+1", "--hash", "1", *options)
        assert ran.status == 0
        assert "The engine plays" in ran.out
    assert run("play", "--clock", "soon").status == 2
    assert run("play", "--clock", "0").status == 2


def test_training_leaves_weights(run: Command, tmp_path: Path) -> None:
    ran = run(
        "train",
        "--rounds",
        "1",
        "--games",
        "2",
        "--nodes",
        "50",
        "--match",
        "2",
        "--out",
        str(tmp_path / "learned"),
    )
    assert ran.status == 0
    assert (tmp_path / "learned" / "weights.bin").is_file()
    assert "positions" in ran.out
    assert "Endgame tables: up to" in ran.out


def test_training_may_begin_with_the_weights_of_the_package(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "learned"
    asked = ("train", "--rounds", "1", "--games", "2", "--nodes", "50", "--match", "0", "--out", str(folder))
    ran = run(*asked, "--from", "shipped", "--trust", "20", "--explore", "14")
    assert ran.status == 0
    assert "round 1, batch 1: 2 games and " in ran.out
    assert " 0 min left" in ran.out
    assert json.loads((folder / "round-000.json").read_text())["aim"]["trust"] == 0.2
    again = run(*asked, "--from", str(folder / "american.weights"))
    assert again.status != 0
    assert "whose first round had the same players" in again.err


def test_training_may_begin_with_a_file_of_weights_and_a_network(run: Command, tmp_path: Path) -> None:
    asked = (
        "train",
        "--variant",
        "russian",
        "--rounds",
        "1",
        "--games",
        "2",
        "--nodes",
        "50",
        "--match",
        "0",
    )
    (tmp_path / "players.bin").write_bytes(evaluation("russian"))
    for name in ("russian.weights", "russian.network"):
        (tmp_path / name).write_bytes((LEARNED / name).read_bytes())
    for name in ("players.bin", "russian.weights"):
        folder = tmp_path / f"from-{name}"
        ran = run(*asked, "--from", str(tmp_path / name), "--out", str(folder))
        assert ran.status == 0
        assert (folder / "players.bin").read_bytes() == evaluation("russian")


def test_training_may_keep_the_weights_and_fit_a_network_alone(run: Command, tmp_path: Path) -> None:
    asked = ("train", "--variant", "russian", "--rounds", "1", "--games", "2", "--nodes", "50")
    ran = run(*asked, "--match", "0", "--from", "shipped", "--keep-weights", "--out", str(tmp_path))
    assert ran.status == 0
    assert "network: " in ran.out
    assert (tmp_path / "weights.bin").read_bytes() == shipped("russian")
    assert (tmp_path / "russian.network").is_file()


def test_bench_tells_the_signature(run: Command) -> None:
    data = json.loads(run("bench", "--json").out)
    assert set(data) == {"signature", "search_nodes_per_second", "perft_nodes_per_second"}
    assert data["signature"] > 0
