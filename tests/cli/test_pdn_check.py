"""`crownhead pdn check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, program
from tests.notation.files import PDN, SAMPLE, data

CHECK = ("pdn", "check", "--variant", "american")
GOOD = '[Event "Good"]\n1. 11-15 24-20 1-0\n\n'
BAD = '[Event "Bad"]\n1. 11-15 24-19 2. 15-20 1-0\n\n'


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A file with two good games and a bad one between them."""
    path = tmp_path / "mixed.pdn"
    path.write_text(GOOD + BAD + GOOD)
    return path


def test_good_games_are_counted(run: Command) -> None:
    ran = run(*CHECK, str(SAMPLE))
    assert (ran.status, ran.out, ran.err) == (0, "20 games, 0 rejected\n", "")


def test_the_archive_has_no_bad_game(run: Command) -> None:
    ran = run(*CHECK, str(data("games", "american_1841-2004.pdn.gz")))
    assert (ran.status, ran.out) == (0, "7541 games, 0 rejected\n")


def test_a_bad_game_is_told_with_its_place_and_reason(run: Command, mixed: Path) -> None:
    ran = run(*CHECK, str(mixed))
    assert (ran.status, ran.out) == (1, "3 games, 1 rejected\n")
    assert ran.err.startswith(f"{mixed}: game 2 (Bad), line 5, column 19: expected a legal move, got '15-20'")
    assert ran.err.count("\n") == 1


def test_json_tells_each_file_and_the_sums(run: Command, mixed: Path) -> None:
    ran = run(*CHECK, "--json", str(mixed), str(SAMPLE))
    assert (ran.status, ran.err) == (1, "")
    data = ran.json
    (error,) = data["files"][0].pop("errors")
    assert "expected a legal move, got '15-20'" in error.pop("message")
    assert error == {"game": 2, "event": "Bad", "line": 5, "column": 19}
    assert data == {
        "files": [
            {"file": str(mixed), "games": 3, "good": 2, "bad": 1, "warnings": []},
            {"file": str(SAMPLE), "games": 20, "good": 20, "bad": 0, "errors": [], "warnings": []},
        ],
        "games": 23,
        "good": 22,
        "rejected": 1,
    }


def test_what_is_read_in_spite_of_the_standard_is_told_apart(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "doubtful.pdn"
    path.write_text("1. 11-15 . 24-20 *\n")
    ran = run(*CHECK, str(path))
    assert (ran.status, ran.out) == (0, "1 game, 0 rejected, 1 warning\n")
    assert ran.err == (
        f"{path}: warning: game 1, line 1, column 10: expected no isolated full stop, got '.'\n"
    )
    (warning,) = run(*CHECK, "--json", str(path)).json["files"][0]["warnings"]
    assert (warning["kind"], warning["line"], warning["column"]) == ("warning", 1, 10)


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_checked(run: Command, tmp_path: Path) -> None:
    missing = tmp_path / "missing.pdn"
    ran = run(*CHECK, str(missing), str(SAMPLE))
    assert (ran.status, ran.out) == (2, "20 games, 0 rejected\n")
    assert ran.err == f"crownhead: {missing}: No such file or directory\n"
    data = run(*CHECK, "--json", str(missing), str(SAMPLE)).json
    assert data["files"][0]["unreadable"] == "No such file or directory"
    assert data["good"] == 20


@pytest.mark.parametrize("jobs", ["1", "2", "5"])
def test_several_files_are_told_in_their_order_whichever_is_ready_first(
    run: Command, tmp_path: Path, mixed: Path, jobs: str
) -> None:
    long = tmp_path / "long.pdn"
    long.write_text((GOOD * 300 + BAD) * 2)
    missing = tmp_path / "missing.pdn"
    ran = run(*CHECK, "--jobs", jobs, long, mixed, missing, mixed)
    assert (ran.status, ran.out) == (2, "608 games, 4 rejected\n")
    assert [line.partition(": ")[0] for line in ran.err.splitlines()] == [
        str(long),
        str(long),
        str(mixed),
        "crownhead",
        str(mixed),
    ]


def test_several_processes_find_what_one_finds(run: Command, tmp_path: Path, mixed: Path) -> None:
    files = [mixed, SAMPLE, mixed, tmp_path / "missing.pdn"]
    one = run(*CHECK, "--json", "--jobs", "1", *files)
    several = run(*CHECK, "--json", "--jobs", "3", *files)
    assert (one.status, one.json) == (several.status, several.json)
    assert one.json["rejected"] == 2


def test_files_and_the_standard_input_are_checked_together(mixed: Path) -> None:
    ran = program(*CHECK, "--jobs", "2", mixed, "-", SAMPLE, given=(GOOD + BAD).encode())
    assert (ran.returncode, ran.stdout) == (1, b"25 games, 2 rejected\n")
    assert [line.split(b":")[0] for line in ran.stderr.splitlines()] == [
        str(mixed).encode(),
        b"standard input",
    ]


@pytest.mark.parametrize("jobs", ["0", "257", "many", "1.5"])
def test_a_number_of_jobs_without_sense_is_wrong_usage(run: Command, mixed: Path, jobs: str) -> None:
    ran = run(*CHECK, "--jobs", jobs, mixed)
    assert (ran.status, ran.out) == (2, "")
    assert "expected a whole number from 1 to 256" in ran.err


def test_a_variant_is_that_of_games_that_name_none(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "russian.pdn"
    path.write_text('[FEN "W:WKa1:Bh6"]\n1. a1-f6 *')
    assert run(*CHECK, str(path)).status == 1
    assert run(*CHECK, "--variant", "russian", str(path)).status == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_where_no_game_is_legal_the_variant_may_be_wrong_and_that_is_said(
    run: Command, tmp_path: Path, jobs: str
) -> None:
    path = tmp_path / "international.pdn"
    path.write_text("1. 33-28 18-22 *\n" * 2)
    ran = run(*CHECK, "--jobs", jobs, path, path)
    assert ran.status == 1
    hint = "games that do not name their variant were read as American checkers (--variant)"
    assert ran.err.splitlines()[2] == ran.err.splitlines()[5] == f"{path}: no valid game found; {hint}"
    assert run(*CHECK, "--variant", "international", path).err == ""


@pytest.mark.parametrize("path", sorted(PDN.glob("*.pdn")), ids=lambda path: path.stem)
def test_without_an_option_the_variant_is_recognised_and_told(run: Command, path: Path) -> None:
    ran = run("pdn", "check", path)
    assert (ran.status, ran.out.partition(",")[0].rstrip("s")[-5:]) == (0, " game")
    if path.stem == "remarks":  # its games name their variant
        assert "no variant is named" not in ran.err
        return
    (line,) = (line for line in ran.err.splitlines() if "no variant is named" in line)
    assert line.startswith(f"{path}: info: game 1, line ")
    (file,) = run("pdn", "check", "--json", path).json["files"]
    assert (file["good"], file["bad"]) == (file["games"], 0)
    assert file["recognised"]["variant"] in path.read_text("utf-8")
    assert file["recognised"]["reason"].startswith("squares ")


def test_a_numbering_is_that_of_the_squares(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "mirrored.pdn"
    path.write_text("1. 22-18 11-15 2. 18x11 *")
    assert run(*CHECK, path).status == 1
    assert run(*CHECK, "--numbering", "mirrored", path).status == 0


@pytest.mark.parametrize("arguments", [["pdn"], ["pdn", "check"], ["pdn", "eat", "x"]])
def test_a_command_that_is_not_whole_is_wrong_usage(run: Command, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
