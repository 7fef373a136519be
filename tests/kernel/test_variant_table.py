"""The generator that turns the variant table into C++."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def generate(output: Path) -> dict[str, str]:
    command = [sys.executable, "-I", "-B", str(ROOT / "native/generate_variants.py")]
    subprocess.run([*command, str(ROOT / "src/crownhead/rules"), str(output)], check=True)
    return {path.name: path.read_text("utf-8") for path in output.iterdir()}


def test_the_table_is_read_without_the_package(tmp_path: Path) -> None:
    written = generate(tmp_path)
    assert {"variants.hpp", "variants.cpp", "rule_set_0.cpp"} <= set(written)


def test_variants_that_move_alike_share_one_template(tmp_path: Path) -> None:
    rows = {
        line.split('"')[1]: line.split("laws_of<")[1].split(">")[0]
        for line in generate(tmp_path)["variants.cpp"].splitlines()
        if line.strip().startswith("Variant{")
    }
    assert rows["american"] == rows["pro"] == rows["anti"]
    assert rows["crowded"] == rows["sparse"]
    assert rows["spanish"] == rows["portuguese"]
    assert (rows["antidraughts"], rows["poddavki"]) == (rows["international"], rows["russian"])
    assert rows["mule"] != rows["american"]
    assert rows["frysk"] == rows["frisian"]
    assert rows["brainking-turkish"] != rows["turkish"]
    assert len(set(rows.values())) == 29


def test_a_second_run_leaves_the_files_alone(tmp_path: Path) -> None:
    generate(tmp_path)
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    (tmp_path / "rule_set_99.cpp").write_text("// a rule set that the table has no more\n", "utf-8")
    generate(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == stamps
