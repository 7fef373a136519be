"""``crownhead tables``: built, verified, counted, interrupted and continued."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from crownhead.engine.tables import Projection
from tests.cli.conftest import PROGRAM, Command


def build(run: Command, folder: Path, *more: str) -> None:
    ran = run("tables", "build", "--pieces", "3", "--out", folder, *more)
    assert (ran.status, ran.err) == (0, "")


def test_tables_are_built_verified_and_counted(run: Command, tmp_path: Path) -> None:
    ran = run("tables", "build", "--pieces", "3", "--out", tmp_path, "--threads", "2")
    assert ran.status == 0
    assert "196,032  100,250  87,305" in ran.out
    assert "9 built, 0 already there" in ran.out
    ran = run("tables", "verify", "--pieces", "3", "--out", tmp_path)
    assert (ran.status, ran.out.split(":")[0]) == (
        0,
        "199,520 positions compared, all agree with their successors",
    )
    ran = run("tables", "stats", "--pieces", "2", "--out", tmp_path, "--materials")
    assert "k-k" in ran.out
    assert "kk-k" not in ran.out


def test_programs_are_told_in_json(run: Command, tmp_path: Path) -> None:
    first = run("tables", "build", "--pieces", "2", "--out", tmp_path, "--json").json
    assert (first["made"], first["there_before"]) == (3, 0)
    assert first["pieces"][0] == {
        "pieces": 2,
        "positions": 3488,
        "wins": 716,
        "losses": 402,
        "draws": 2370,
        "longest_win": 13,
        "longest_loss": 12,
    }
    again = run("tables", "build", "--pieces", "2", "--out", tmp_path, "--json").json
    assert (again["made"], again["there_before"]) == (0, 3)
    assert run("tables", "verify", "--pieces", "2", "--out", tmp_path, "--json").json["wrong"] == 0
    stats = run("tables", "stats", "--out", tmp_path, "--json").json
    kings = next(one for one in stats["materials"] if one["material"] == "k-k")
    assert (kings["counts"]["wins"], kings["counts"]["losses"], kings["counts"]["draws"]) == (230, 108, 654)


def test_the_tables_that_are_shipped_are_counted_where_there_are_no_others(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path))
    ran = run("tables", "stats")
    assert "6,209,316" in ran.out
    ran = run("tables", "stats", "--variant", "italian")
    assert (ran.status, ran.out.startswith("No endgame tables for italian in")) == (0, True)


def test_the_environment_names_the_folder(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path / "mine"))
    assert run("tables", "build", "--pieces", "2", "--variant", "czech").status == 0
    assert (tmp_path / "mine" / "czech" / "k-k.results").exists()


def test_a_damaged_file_is_named(run: Command, tmp_path: Path) -> None:
    build(run, tmp_path)
    bad = tmp_path / "american" / "kk-k.plies"
    bad.write_bytes(bad.read_bytes()[:-8])
    for command in ("verify", "stats"):
        ran = run("tables", command, "--pieces", "3", "--out", tmp_path)
        assert (ran.status, ran.out) == (1, "")
        assert str(bad) in ran.err
        assert ran.err.count("\n") == 1


def test_tables_that_are_missing_cannot_be_verified(run: Command, tmp_path: Path) -> None:
    ran = run("tables", "verify", "--pieces", "2", "--out", tmp_path)
    assert ran.status == 1
    assert "No such file" in ran.err


def test_a_variant_without_tables_is_told_so(run: Command, tmp_path: Path) -> None:
    ran = run("tables", "build", "--variant", "hawaiian", "--pieces", "2", "--out", tmp_path)
    assert ran.status == 1
    assert "every move there is a jump" in ran.err


def test_results_alone_are_built_verified_and_counted(run: Command, tmp_path: Path) -> None:
    ran = run("tables", "build", "--pieces", "3", "--distances", "2", "--out", tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert "196,032 100,250 87,305 8,477 – –" in " ".join(ran.out.split())
    assert not list(tmp_path.rglob("kk-k.plies"))
    ran = run("tables", "verify", "--pieces", "3", "--out", tmp_path, "--memory", "1")
    assert "199,520 positions compared, all agree" in ran.out
    held = run("tables", "stats", "--pieces", "3", "--out", tmp_path, "--json").json
    assert [row["longest_win"] for row in held["pieces"]] == [13, None]
    assert "–" in run("tables", "stats", "--out", tmp_path, "--materials").out


def test_a_long_build_says_first_what_it_takes(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    projected = Projection(37, 2_564_000_000, 1_000_000_000, 40_000_000, 700.0)
    monkeypatch.setattr("crownhead.cli.endgames.build.project", lambda *_, **__: projected)
    ran = run("tables", "build", "--pieces", "2", "--out", tmp_path)
    assert ran.err == (
        "To build: 2,564 million positions of 37 material balances. Expected: 12 minutes, 1 GB of memory, "
        "0.04 GB on disk.\n"
    )


def test_tables_that_take_more_memory_than_is_allowed_are_refused(run: Command, tmp_path: Path) -> None:
    build = ("tables", "build", "--variant", "canadian", "--pieces", "6", "--out", tmp_path, "--memory", "1")
    ran = run(*build)
    assert (ran.status, ran.out) == (1, "")
    assert "expected tables that can be built in 1.1 GB of memory" in ran.err
    assert not list(tmp_path.rglob("*.results"))


def test_eight_pieces_are_refused_with_the_reason(run: Command) -> None:
    ran = run("tables", "build", "--pieces", "8")
    assert "400,000 million" in ran.err


@pytest.mark.parametrize("pieces", ["1", "8", "many"])
def test_a_number_of_pieces_that_cannot_be_is_refused(run: Command, pieces: str) -> None:
    ran = run("tables", "build", "--pieces", pieces)
    assert ran.status == 2
    assert "expected a whole number from 2 to 7" in ran.err


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_build_that_is_killed_leaves_whole_files_and_can_be_continued(
    run: Command, tmp_path: Path, how: signal.Signals
) -> None:
    command = [*PROGRAM, "tables", "build", "--variant", "dameo", "--pieces", "4", "--out", str(tmp_path)]
    with subprocess.Popen(command, env=dict(os.environ), stderr=subprocess.DEVNULL) as process:
        folder = tmp_path / "dameo"
        end = time.monotonic() + 60
        while not (folder / "kk-k.results").exists() and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(how)
        assert process.wait(60) == (130 if how is signal.SIGINT else -how)
    made = {path.name for path in folder.glob("*.results")}
    assert "k-k.results" in made
    data = run("tables", "build", "--variant", "dameo", "--pieces", "2", "--out", tmp_path, "--json").json
    assert data["there_before"] == 3
    assert run("tables", "verify", "--variant", "dameo", "--pieces", "2", "--out", tmp_path).status == 0


def test_an_analysis_tells_what_the_tables_say(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path))
    data = run("analyse", "--fen", "B:WK6,27:BK15,K19", "--json").json
    assert data["tables"] == {"result": "win", "plies": 41}
    assert data["proven"]
    assert data["lines"][0]["wins_in"] == 41
    assert len(data["lines"][0]["moves"]) == 41
    assert run("analyse", "--depth", "1", "--json").json["tables"] is None
