"""Turn the table in rules/variants.py into C++: the rules that the kernel is compiled for, and all rows.

Usage: generate_variants.py <rules directory> <output directory> [all | <key of a variant> ...]. Runs when
the package is built, hence before it can be imported. Writes ``rule_sets/<key>.hpp`` with a ``Rules``
constant and ``rule_sets/<key>.cpp`` to compile it for each distinct set of rules among the variants named,
``specialisations.cpp`` with the list of these, and ``rows.cpp`` with every row, for the tests in C++. Leaves
a file alone if nothing in it has changed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_HEAD = "// Generated from rules/variants.py when the package is built.\n"


def main(rules_directory: Path, output_directory: Path, keys: Sequence[str] = ()) -> None:
    """Write the generated sources; ``keys``: the variants whose rules are compiled, or ``all``."""
    variants, to_kernel = _read_table(rules_directory)
    rows = {key: to_kernel.kernel_row(row) for key, row in variants.items()}
    unknown = sorted({*keys} - {*rows, "all"})
    if unknown:
        raise SystemExit(
            f"expected keys of variants in CROWNHEAD_SPECIALISED, or all, got {', '.join(unknown)}"
        )
    named = rows.values() if "all" in keys else [rows[key] for key in keys]
    distinct: dict[str, str] = {}
    for row in named:
        distinct.setdefault(to_kernel.as_cpp(row.rules), _name(row.key))
    rule_sets = {name: text for text, name in distinct.items()}
    files = {
        "specialisations.cpp": _specialisations(rule_sets),
        "rows.cpp": _rows(rows.values(), to_kernel),
    }
    for name, text in rule_sets.items():
        files[f"rule_sets/{name}.hpp"] = _constant(name, text)
        files[f"rule_sets/{name}.cpp"] = _specialisation(name)
    (output_directory / "rule_sets").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = output_directory / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in output_directory.rglob("*.?pp"):
        if str(path.relative_to(output_directory)) not in files:
            path.unlink()


def _read_table(rules_directory: Path) -> tuple[Mapping[str, Any], Any]:
    """The rows, read without running any ``__init__.py``: those need the kernel that is being built."""
    for name, directory in (("crownhead", rules_directory.parent), ("crownhead.rules", rules_directory)):
        package = ModuleType(name)
        package.__path__ = [str(directory)]
        sys.modules[name] = package
    table: Mapping[str, Any] = importlib.import_module("crownhead.rules.variants").VARIANTS
    return table, importlib.import_module("crownhead.rules.kernel_row")


def _name(key: str) -> str:
    return key.replace("-", "_")


def _constant(name: str, rules: str) -> str:
    return (
        f'{_HEAD}#pragma once\n\n#include "crownhead/rules.hpp"\n\nnamespace crownhead::rule_sets {{\n\n'
        f"inline constexpr Rules {name}{rules};\n\n}}  // namespace crownhead::rule_sets\n"
    )


def _specialisation(name: str) -> str:
    return (
        f'{_HEAD}#include "rule_sets/{name}.hpp"\n\n#include "crownhead/specialisation.hpp"\n\n'
        "namespace crownhead::rule_sets {\n\n"
        f"extern Specialisation const compiled_{name};\n"
        f"Specialisation const compiled_{name} = specialise<{name}>();\n\n"
        "}  // namespace crownhead::rule_sets\n"
    )


def _specialisations(names: Iterable[str]) -> str:
    names = list(names)
    declared = "".join(f"extern Specialisation const compiled_{name};\n" for name in names)
    listed = "".join(f"        &rule_sets::compiled_{name},\n" for name in names)
    return (
        f'{_HEAD}#include <array>\n\n#include "crownhead/variant.hpp"\n\nnamespace crownhead {{\n\n'
        f"namespace rule_sets {{\n{declared}}}  // namespace rule_sets\n\n"
        "std::span<Specialisation const* const> specialisations() {\n"
        f"    static std::array<Specialisation const*, {len(names)}> const all{{\n{listed}    }};\n"
        "    return all;\n}\n\n}  // namespace crownhead\n"
    )


def _rows(rows: Iterable[Any], to_kernel: Any) -> str:
    rows = list(rows)
    listed = "".join(
        f'        {{.key = "{row.key}",\n.rules = {to_kernel.as_cpp(row.rules)},\n'
        f".objective = Objective::{row.objective}, .first = Colour::{row.first},\n"
        f".black = {_numbers(row.black)}, .white = {_numbers(row.white)}, .marked = {_numbers(row.marked)},\n"
        f'.fingerprint = {row.fingerprint:#x}U, .tables_key = "{to_kernel.tables_key(row, rows)}"}},\n'
        for row in rows
    )
    return (
        f'{_HEAD}#include "rows.hpp"\n\nnamespace crownhead::testing {{\n\n'
        f"std::vector<VariantRow> rows() {{\n    return {{\n{listed}    }};\n}}\n\n"
        "}  // namespace crownhead::testing\n"
    )


def _numbers(squares: Iterable[int]) -> str:
    return "{" + ", ".join(map(str, squares)) + "}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
