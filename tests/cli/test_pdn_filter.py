"""`crownhead pdn filter`."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from crownhead import pdn
from tests.cli.conftest import GAMES, Command, program
from tests.notation.files import SAMPLE, data

LATIN = b'[Event "Li\xe8ge"]\r\n[White "Andr\xe9"]\r\n1. 11-15 *\r\n'


def numbers(out: str) -> list[int]:
    """Which of the four games were written, from 1."""
    records = re.split(r"(?m)^(?=\[Event)", GAMES)[1:]
    assert "".join(records) == GAMES
    return [number for number, record in enumerate(records, start=1) if record.strip() in out]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], [1, 2, 3, 4]),
        (["--player", "JORDAN"], [1, 2]),
        (["--white", "jordan"], [1]),
        (["--black", "jordan"], [2]),
        (["--player", "stewart", "--player", "kuperman"], [1, 4]),
        (["--player", "long", "--event", "glasgow"], []),
        (["--event", "LOND"], [2, 3]),
        (["--year", "1931"], [2]),
        (["--year", "1931", "--year", "1912"], [1, 2]),
        (["--from", "1912-05-04"], [2, 4]),
        (["--from", "1912-05-03", "--to", "1931-08"], [1, 2]),
        (["--to", "1931.08.15"], [1, 2]),
        (["--result", "draw"], [1, 4]),
        (["--result", "1/2-1/2"], [1, 4]),
        (["--result", "1-0"], [2]),
        (["--result", "white"], [3]),
        (["--result", "black", "--result", "0-1"], [2, 3]),
        (["--result", "unknown"], []),
        (["--variant", "russian"], [4]),
        (["--variant", "american"], [1, 2, 3]),
        (["--variant", "russian", "--variant", "american"], [1, 2, 3, 4]),
        (["--min-moves", "3"], [1, 4]),
        (["--max-moves", "2"], [2, 3]),
        (["--opening", "single corner"], [3]),
        (["--opening", "c3-d4"], []),
        (["--moves", "11-15"], [1, 3]),
        (["--moves", "11-15 23-19 8-11"], [1]),
        (["--moves", "c3-d4 ba5", "--variant", "russian"], [4]),
        (["--position", "B:W18,21,23-32:B1-10,12,15"], [3]),
        (["--position", "W:W18,21,23-32:B1-10,12,15"], []),
        (["--valid"], [1, 2, 3, 4]),
        (["--event", "london", "--not"], [1, 4]),
        (["--limit", "2"], [1, 2]),
    ],
)
def test_the_games_that_meet_the_conditions_are_written(
    run: Command, games: Path, conditions: list[str], expected: list[int]
) -> None:
    ran = run("pdn", "filter", *conditions, games)
    assert (ran.status, ran.err) == (0, "")
    assert numbers(ran.out) == expected
    assert run("pdn", "filter", "--count", *conditions, games).out == f"{len(expected)}\n"


def test_without_a_condition_a_file_is_written_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "mixed.pdn"
    path.write_bytes(LATIN + '[Event "高文龙"]\n1. 12-16 1-0 1. 11-16 *'.encode() + b"\n\n  " + LATIN)
    assert program("pdn", "filter", path).stdout == path.read_bytes()
    assert program("pdn", "filter", "-", given=path.read_bytes()).stdout == path.read_bytes()
    assert program("pdn", "filter", SAMPLE).stdout == SAMPLE.read_bytes()
    assert program("pdn", "filter", "-", given=gzip.compress(path.read_bytes())).stdout == path.read_bytes()


def test_names_in_latin_letters_are_found_and_their_bytes_stay(tmp_path: Path) -> None:
    path = tmp_path / "latin.pdn"
    path.write_bytes(GAMES.encode() + LATIN)
    assert program("pdn", "filter", "--white", "ANDRÉ", path).stdout == LATIN


def test_games_that_were_no_neighbours_are_kept_apart(run: Command, tmp_path: Path) -> None:
    first, second = tmp_path / "first.pdn", tmp_path / "second.pdn"
    first.write_text('[Event "One"]\n1. 11-15')
    second.write_text("1. 12-16 22-18 *")
    ran = run("pdn", "filter", first, second)
    assert [len(game.moves) for game in pdn.read(ran.out)] == [1, 2]


def test_a_game_is_judged_by_what_comes_before_a_bad_move(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.pdn"
    path.write_text("1. 11-15 22-18 2. 1-32 *\n")
    assert run("pdn", "filter", "--moves", "11-15 22-18", "--count", path).out == "1\n"
    assert run("pdn", "filter", "--valid", "--count", path).out == "0\n"


def test_games_are_rewritten_with_all_that_is_said_of_them(run: Command, games: Path) -> None:
    ran = run("pdn", "filter", "--rewrite", "--event", "london", games)
    assert (ran.status, ran.err) == (0, "")
    _, tree = pdn.read_trees(ran.out)
    assert tree.comments == ["a short one"]
    assert len(tree.line[1].variations[0]) == 2
    assert tree.tags["GameType"] == "21"


def test_a_game_that_cannot_be_rewritten_is_reported_and_left_out(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.pdn"
    path.write_text('[Event "Bad"]\n1. 11-15\n22-11 *\n\n' + GAMES)
    ran = run("pdn", "filter", "--rewrite", path)
    assert ran.status == 1
    assert ran.err.startswith(f"{path}: game 1 (Bad), line 3, column 1: expected a legal move, got '22-11'")
    assert len(list(pdn.read(ran.out))) == 4


@pytest.mark.parametrize("name", ["some.pdn", "some.pdn.gz"])
def test_games_go_to_a_file(run: Command, games: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    ran = run("pdn", "filter", "--variant", "russian", "--out", out, games)
    assert (ran.status, ran.out) == (0, "")
    assert run("pdn", "filter", "--count", out).out == "1\n"
    assert (out.read_bytes()[:2] == b"\x1f\x8b") is (out.suffix == ".gz")


def test_an_input_is_not_written_over(run: Command, games: Path) -> None:
    ran = run("pdn", "filter", "--out", games, games)
    assert (ran.status, ran.out) == (2, "")
    assert "expected an output file that is not an input file" in ran.err
    assert games.read_text() == GAMES


def test_a_position_is_found_though_its_kings_have_run(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "frisian.pdn"
    path.write_text('[GameType "40"]\n[FEN "W:WK46,31:BK5,20"]\n1. 46-41 5-10 2. 41-46 10-5 *\n')
    for fen, found in (("W:WK46,31:BK5,20", 1), ("W:WK41,31:BK5,20", 0), ("B:WK41,31:BK5,20", 1)):
        ran = run("pdn", "filter", "--position", fen, "--variant", "frisian", "--count", path)
        assert ran.out == f"{found}\n"


@pytest.mark.parametrize(
    ("conditions", "status", "reason"),
    [
        (["--moves", "11-16 11-16"], 1, "there is no piece on 11"),
        (["--moves", "nonsense"], 1, "expected a move such as"),
        (["--position", "nonsense"], 1, "expected the side to move"),
        (["--result", "2-1"], 2, "expected one of 1-0, 0-1, draw"),
        (["--from", "1.5.1999"], 2, "expected a date such as 1999"),
        (["--to", "1999-13"], 2, "expected a date such as 1999"),
        (["--to", "1999-00"], 2, "expected a date such as 1999"),
        (["--year", "99"], 2, "expected a whole number from 1000 to 9999"),
        (["--limit", "0"], 2, "expected a whole number from 1"),
        (["--variant", "lasca"], 2, "expected one of the variants"),
    ],
)
def test_conditions_without_sense_are_refused_in_a_sentence(
    run: Command, games: Path, conditions: list[str], status: int, reason: str
) -> None:
    ran = run("pdn", "filter", *conditions, games)
    assert (ran.status, ran.out) == (status, "")
    assert reason in ran.err
    assert ran.err.count("\n") == 1


def test_a_game_beyond_all_bounds_is_bad_input(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "endless.pdn"
    path.write_text("11-15 22-18 15-11 18-22 " * 60_000)
    ran = run("pdn", "filter", path)
    assert (ran.status, ran.out) == (1, "")
    assert "expected a game of at most 1048576 characters" in ran.err


def test_the_archive_is_filtered_to_the_byte() -> None:
    archive = data("games", "american_1841-2004.pdn.gz")
    assert program("pdn", "filter", archive).stdout == gzip.decompress(archive.read_bytes())
    assert program("pdn", "filter", "--moves", "11-15 23-19", "--count", archive).stdout == b"597\n"
