"""`crownhead problems`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from crownhead.problems.collection import SHIPPED
from crownhead.problems.problem import read
from tests.cli.conftest import Command

# Beginner's Problems #3 and #1, as records without moves.
RECORDS = """\
[Event "Beginner's Problem #3"]
[FEN "W:W19,24,32:B10,11,18"]
*

[Event "Beginner's Problem #1"]
[FEN "W:W19,27,31:B5,12,17"]
*
"""


@pytest.fixture
def mined(run: Command, tmp_path: Path) -> Path:
    """A file of the problems of two records."""
    records, out = tmp_path / "records.pdn", tmp_path / "problems.jsonl.gz"
    records.write_text(RECORDS)
    assert run("problems", "mine", "--nodes", "5000", records, "--out", out).status == 0
    return out


def test_records_of_problems_are_mined(mined: Path) -> None:
    with gzip.open(mined, "rt") as lines:
        problems = list(read(lines))
    assert [problem.source for problem in problems] == ["Beginner's Problem #3", "Beginner's Problem #1"]
    assert problems[0].line[0] == "19-16"


def test_games_of_the_engine_are_mined(run: Command) -> None:
    arguments = ("--play", "5", "--level", "4", "--seed", "21", "--nodes", "5000", "--most", "1")
    ran = run("problems", "mine", "--variant", "american", *arguments)
    assert ran.status == 0
    assert json.loads(ran.out)["source"].startswith("engine game, level 4, seed 2")


def test_good_problems_are_confirmed(run: Command, mined: Path) -> None:
    assert run("problems", "check", mined).out == "2 problems, 2 searched, 0 refuted\n"
    assert run("problems", "check", "--every", "2", mined).out == "2 problems, 1 searched, 0 refuted\n"


def test_a_refuted_problem_is_named(run: Command, mined: Path, tmp_path: Path) -> None:
    with gzip.open(mined, "rt") as lines:
        wrong = lines.readline().replace("19-16 11x20x27 32x23x14x7", "19-15")
    path = tmp_path / "wrong.jsonl"
    path.write_text(wrong)
    ran = run("problems", "check", path)
    assert (ran.status, ran.out.splitlines()[0]) == (1, "refuted: american W:W19,24,32:B10,11,18 19-15")
    told = run("problems", "check", "--json", path)
    assert (told.status, told.json["problems"], len(told.json["refuted"])) == (1, 1, 1)


def test_a_problem_that_needs_endgame_tables_is_undecided_without_them(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path / "none"))
    path = tmp_path / "ending.jsonl"
    with gzip.open(SHIPPED, "rt") as lines:
        path.write_text(next(line for line in lines if '"fen":"B:Wb5,e5,e4:Ba2"' in line))
    ran = run("problems", "check", path)
    assert (ran.status, ran.out.splitlines()) == (
        0,
        [
            "undecided: alquerque B:Wb5,e5,e4:Ba2 a2-b2",
            "1 problem, 1 searched, 0 refuted, 1 undecided without endgame tables; build these with",
            "  crownhead tables build --pieces 4 --variant alquerque",
        ],
    )
    told = run("problems", "check", "--json", path).json
    assert (told["refuted"], len(told["undecided"])) == ([], 1)


def test_a_file_of_something_else_is_refused(run: Command, games: Path, tmp_path: Path) -> None:
    ran = run("problems", "check", games)
    assert (ran.status, "line 1: expected a problem" in ran.err) == (1, True)
    assert run("problems", "check", tmp_path / "missing").status == 2
    assert run("problems", "mine", tmp_path / "missing").status == 2
