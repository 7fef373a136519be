"""The generator that turns the variant table into C++."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from crownhead.rules.variants import VARIANTS

ROOT = Path(__file__).parents[2]


def generate(output: Path, *keys: str) -> dict[str, str]:
    command = [sys.executable, "-I", "-B", str(ROOT / "native/generate_variants.py")]
    subprocess.run([*command, str(ROOT / "src/crownhead/rules"), str(output), *keys], check=True)
    files = (path for path in output.rglob("*") if path.is_file())
    return {str(path.relative_to(output)): path.read_text("utf-8") for path in files}


def compiled(written: dict[str, str]) -> set[str]:
    """The rule sets that have an object file."""
    return {Path(name).stem for name in written if name.startswith("rule_sets/") and name.endswith(".cpp")}


def test_the_table_is_read_without_the_package(tmp_path: Path) -> None:
    written = generate(tmp_path, "russian")
    assert set(written) == {
        "rows.cpp",
        "specialisations.cpp",
        "rule_sets/russian.hpp",
        "rule_sets/russian.cpp",
    }


def test_variants_that_move_alike_share_one_rule_set(tmp_path: Path) -> None:
    assert compiled(generate(tmp_path, "american", "pro", "anti")) == {"american"}
    assert compiled(generate(tmp_path, "crowded", "sparse", "one-way")) == {"crowded", "one_way"}
    everything = generate(tmp_path, "all")
    assert len(compiled(everything)) == 29
    assert {"american", "mule", "brainking_turkish", "turkish", "frisian"} <= compiled(everything)
    assert not compiled(everything) & {"anti", "portuguese", "antidraughts", "poddavki", "frysk"}


def test_nothing_need_be_compiled(tmp_path: Path) -> None:
    assert not compiled(generate(tmp_path))


def test_every_row_is_there_for_the_tests_in_cpp(tmp_path: Path) -> None:
    assert generate(tmp_path)["rows.cpp"].count(".tables_key") == len(VARIANTS)


def test_a_variant_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        generate(tmp_path, "american", "chess")


def test_a_second_run_leaves_the_files_alone(tmp_path: Path) -> None:
    generate(tmp_path, "american")
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.?pp")}
    (tmp_path / "rule_sets" / "stale.cpp").write_text("// a rule set that is compiled no more\n", "utf-8")
    generate(tmp_path, "american")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.?pp")} == stamps
