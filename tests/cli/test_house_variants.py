"""House variants on the command line: a file in place of a key, and keys of the files in the environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from crownhead.rules.house import VARIABLE
from tests.cli.conftest import PROGRAM, Command, Ran
from tests.rules.test_house_files import HEAD

SMALL = """
[variants.six]
base = "russian"
name = "Six by six"
board = { width = 6, height = 6 }
start = { rows = 2 }
"""
WIDE = """
[variants.wide]
base = "six"
name = "Eight by six"
board = { width = 8, height = 6 }
start = { rows = 2 }
"""


@pytest.fixture
def file(tmp_path: Path, house: None) -> Path:
    """A file with one variant."""
    path = tmp_path / "six.toml"
    path.write_text(SMALL, "utf-8")
    return path


def test_a_file_stands_in_place_of_a_key(run: Command, file: Path) -> None:
    assert len(run("legal", "--variant", file, "--json").json["moves"]) == 5
    assert run("perft", "--variant", file, "--depth", 7).out.startswith("13346 nodes at depth 7")
    assert run("variants", file).out.startswith("Six by six (six)\n")
    assert "White to move" in run("diagram", "--variant", f"{file}:six").out
    assert run("analyse", "--variant", file, "--depth", 3).status == 0
    assert (
        run("tables", "build", "--variant", file, "--pieces", 2, "--out", file.parent / "tables").status == 0
    )


def test_no_weights_come_with_the_package_to_train_from(run: Command, file: Path) -> None:
    out = file.parent / "learned"
    ran = run("train", "--variant", file, "--from", "shipped", "--games", 2, "--out", out)
    assert ran.status == 1
    assert "whose weights come with the package, got six" in ran.err
    assert not out.exists()


def test_of_several_one_is_named(run: Command, file: Path) -> None:
    file.write_text(SMALL + WIDE, "utf-8")
    assert run("legal", "--variant", f"{file}:wide", "--json").json["variant"] == "wide"
    for value in (str(file), f"{file}:big"):
        ran = run("legal", "--variant", value)
        assert ran.status == 2
        assert f"expected one of the variants in {file}, such as {file}:six, got '{value}'" in ran.err


def test_records_of_a_house_variant_are_read_and_converted(run: Command, file: Path, tmp_path: Path) -> None:
    record = tmp_path / "six.pdn"
    record.write_text('[Variant "six"]\n1. b2-a3 e5-f4 *\n\n[Event "x"]\n1. d2-c3 *\n', "utf-8")
    assert run("pdn", "check", record).status == 1
    assert run("pdn", "check", "--variant", file, record).status == 0
    assert run("pdn", "check", "--variant", file, "--jobs", 2, record, record).status == 0
    converted = run("pdn", "convert", "--variant", file, "--style", "numeric", record)
    assert converted.out.count('[Variant "six"]') == 2
    assert "GameType" not in converted.out
    assert run("pdn", "filter", "--variant", file, record).out.count("[Variant") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file or directory"),
        (
            SMALL.replace("rows = 2", "rows = 5"),
            "[variants.six], start.rows: expected 1 to 2 rows on a board of 6, got 5",
        ),
        (SMALL.replace("six]", "russian]"), "expected a key of its own, got 'russian'"),
    ],
)
def test_a_bad_file_is_wrong_usage(run: Command, file: Path, text: str | None, message: str) -> None:
    if text is None:
        file.unlink()
    else:
        file.write_text(text, "utf-8")
    ran = run("legal", "--variant", file)
    assert ran.status == 2
    assert ran.out == ""
    assert f"argument --variant: {file}" in ran.err
    assert message in ran.err


def test_keys_of_files_in_the_environment_are_like_any_other(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "x.toml"
    other.write_text(HEAD, "utf-8")

    def ran(*arguments: str, files: str) -> Ran:
        environment = {**os.environ, VARIABLE: files}
        done = subprocess.run(
            [*PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    both = f"{file}{os.pathsep}{other}"
    listed = ran("variants", files=both)
    assert "\nsix " in listed.out
    assert "\nx " in listed.out
    assert ran("perft", "--variant", "six", "--depth", "3", files=both).out.startswith("106 nodes at depth 3")
    assert " six " in ran("completion", "bash", files=both).out
    other.write_text(HEAD + "promotion = 1\n", "utf-8")
    refused = ran("variants", files=both)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"crownhead: {other}, [variants.x], promotion: expected ")
    missing = ran("variants", files=str(tmp_path / "none.toml"))
    assert missing.status == 2
    assert missing.err == f"crownhead: {VARIABLE}: {tmp_path / 'none.toml'}: No such file or directory\n"
