"""Turn the table in rules/variants.py into C++, so that the kernel is compiled from the same rows.

Usage: generate_variants.py <rules directory> <output directory> [<key of a variant> ...]. Without keys it
takes every variant. Runs when the package is built, hence before it can be imported. Writes
``variants.hpp`` with a ``Rules`` constant for each distinct set of rules, ``rule_set_<n>.cpp``,
``engine_<n>.cpp`` and ``tables_<n>.cpp`` to compile each, ``variants.cpp`` with the rows, and leaves a file
alone if nothing in it has changed.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_DIRECTIONS = (
    "forward-left",
    "forward",
    "forward-right",
    "left",
    "right",
    "backward-left",
    "backward",
    "backward-right",
)
_PROMOTION = {"stop": "stop", "pass": "pass", "continue": "carry_on"}
_OBJECTIVE = {"opponent-wins": "opponent_wins", "mover-wins": "mover_wins", "first-king": "opponent_wins"}
_HEAD = "// Generated from rules/variants.py when the package is built.\n"


def main(rules_directory: Path, output_directory: Path, keys: Sequence[str] = ()) -> None:
    """Write the generated sources of some variants, or of all."""
    table = _read_table(rules_directory)
    variants = {key: table[key] for key in keys or table}
    rule_sets = list(dict.fromkeys(_rules(row) for row in variants.values()))
    files = {"variants.hpp": _header(rule_sets), "variants.cpp": _rows(variants, rule_sets)}
    for number in range(len(rule_sets)):
        files[f"rule_set_{number}.cpp"] = _rule_set(number)
        files[f"engine_{number}.cpp"] = _engine_factory(number)
        files[f"tables_{number}.cpp"] = _tables(number)
    output_directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = output_directory / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    written = {output_directory / name for name in files}
    for kind in ("rule_set", "engine", "tables"):
        for stale in {*output_directory.glob(f"{kind}_*.cpp")} - written:
            stale.unlink()


def _read_table(rules_directory: Path) -> Mapping[str, Any]:
    """The rows, read without running any ``__init__.py``: those need the kernel that is being built."""
    for name, directory in (("crownhead", rules_directory.parent), ("crownhead.rules", rules_directory)):
        package = ModuleType(name)
        package.__path__ = [str(directory)]
        sys.modules[name] = package
    table: Mapping[str, Any] = importlib.import_module("crownhead.rules.variants").VARIANTS
    return table


def _rules(row: Any) -> str:
    """The value of a ``Rules`` constant, without what bears on the result of a game alone."""
    rules = row.rules
    fields = {
        "board": _board(row),
        "flying_king": _bool(rules.flying_king),
        "man_steps": _directions(rules.man_steps),
        "man_captures": _directions(rules.man_captures),
        "man_goes_on": _directions(rules.man_captures_again),
        "king_steps": _directions(rules.king_steps),
        "king_captures": _directions(rules.king_captures),
        "man_captures_king": _bool(rules.man_captures_king),
        "promotion": f"Promotion::{_PROMOTION[rules.promotion]}",
        "priority": "{" + ", ".join(_word("Priority", component) for component in rules.priority) + "}",
        "removal": _word("Removal", rules.removal),
        "landing": _word("Landing", rules.landing),
        "may_reverse": _bool(rules.may_reverse),
        "crowning": _word("Crowning", rules.crowning),
        "marked": _word("Marked", rules.marked or "none"),
        "one_way": _bool(rules.one_way),
        "lines_step": _bool(rules.lines_step),
        "rests_on_far_row": _bool(rules.rests_on_far_row),
        "jumps_only": _bool(rules.jumps_only),
        "king_run": str(rules.king_run),
        "first_king_wins": _bool(rules.objective == "first-king"),
    }
    return "{\n" + "".join(f"    .{name} = {value},\n" for name, value in fields.items()) + "}"


def _board(row: Any) -> str:
    """The board as its square numbers see it."""
    board = row.board
    numbered_from_top = row.notation.first_square.startswith("top")
    # Square 1 lies in a corner of the side that it is counted from, or one file away from it.
    from_left = row.notation.first_square.endswith("left")
    corner_played = board.is_played(
        0 if from_left else board.width - 1, board.height - 1 if numbered_from_top else 0
    )
    return (
        f"{{.width = {board.width}, .height = {board.height}, .grid = {_word('Grid', board.grid)}, "
        f".indented = {_bool(not corner_played)}, .white_lowers = {_bool(numbered_from_top)}}}"
    )


def _directions(directions: Iterable[str]) -> str:
    """A bit for each direction; up is forward."""
    return f"{sum(1 << _DIRECTIONS.index(direction) for direction in directions):#010b}"


def _word(enumeration: str, value: str) -> str:
    return f"{enumeration}::{value.replace('-', '_')}"


def _header(rule_sets: Iterable[str]) -> str:
    constants = "".join(f"inline constexpr Rules rules_{n}{text};\n" for n, text in enumerate(rule_sets))
    return (
        f'{_HEAD}#pragma once\n\n#include "crownhead/laws.hpp"\n\nnamespace crownhead {{\n\n{constants}\n'
        "template <Rules R>\nLaws const& laws_of();\n"
        "template <Rules R>\nengine::EngineFactory const& engine_factory_of();\n\n"
        "template <Rules R>\nendgame::Endgames const& endgames_of();\n\n}  // namespace crownhead\n"
    )


def _rule_set(number: int) -> str:
    return (
        f'{_HEAD}#include "crownhead/rule_set.hpp"\n#include "variants.hpp"\n\nnamespace crownhead {{\n\n'
        f"template <>\nLaws const& laws_of<rules_{number}>() {{\n"
        f"    return RuleSet<rules_{number}>::laws;\n}}\n\n}}  // namespace crownhead\n"
    )


def _engine_factory(number: int) -> str:
    return (
        f'{_HEAD}#include "crownhead/engine/rule_set_engine.hpp"\n#include "variants.hpp"\n\n'
        "namespace crownhead {\n\n"
        f"template <>\nengine::EngineFactory const& engine_factory_of<rules_{number}>() {{\n"
        f"    return engine::engine_factory<rules_{number}>;\n}}\n\n}}  // namespace crownhead\n"
    )


def _tables(number: int) -> str:
    return (
        f'{_HEAD}#include "crownhead/endgame/rule_set_endgames.hpp"\n#include "variants.hpp"\n\n'
        "namespace crownhead {\n\n"
        f"template <>\nendgame::Endgames const& endgames_of<rules_{number}>() {{\n"
        f"    return endgame::RuleSetEndgames<rules_{number}>::endgames;\n}}\n\n}}  // namespace crownhead\n"
    )


def _rows(variants: Mapping[str, Any], rule_sets: list[str]) -> str:
    declarations = "".join(
        f"template <>\nLaws const& laws_of<rules_{n}>();\n"
        f"template <>\nengine::EngineFactory const& engine_factory_of<rules_{n}>();\n"
        f"template <>\nendgame::Endgames const& endgames_of<rules_{n}>();\n"
        for n in range(len(rule_sets))
    )
    arrays = "".join(_arrays(number, row) for number, row in enumerate(variants.values()))
    rows = "".join(
        f'        Variant{{"{key}", &laws_of<rules_{rule_sets.index(_rules(row))}>(), '
        f"&engine_factory_of<rules_{rule_sets.index(_rules(row))}>(), "
        f"&endgames_of<rules_{rule_sets.index(_rules(row))}>(), "
        f'"{_tables_key(variants, row)}", {_fingerprint(row)}U, '
        f"Objective::{_OBJECTIVE[row.rules.objective]}, Colour::{row.start.first}, "
        f"black_{number}, white_{number}, marked_{number}}},\n"
        for number, (key, row) in enumerate(variants.items())
    )
    return (
        f'{_HEAD}#include "variants.hpp"\n\n#include <array>\n\nnamespace crownhead {{\n\n{declarations}\n'
        f"namespace {{\n{arrays}}}  // namespace\n\n"
        "std::span<Variant const> variants() {\n"
        f"    static std::array const rows{{\n{rows}    }};\n    return rows;\n}}\n\n"
        "}  // namespace crownhead\n"
    )


def _tables_key(variants: Mapping[str, Any], row: Any) -> str:
    """The first variant with the same endgames, whose tables serve both."""
    return next(key for key, other in variants.items() if _endgame_rules(other) == _endgame_rules(row))


def _fingerprint(row: Any) -> str:
    return f"0x{hashlib.sha256(repr(_endgame_rules(row)).encode()).hexdigest()[:16]}"


def _endgame_rules(row: Any) -> tuple[str, str]:
    """What the endgame tables of a variant depend on: how pieces move, and who has won."""
    return _rules(row), _OBJECTIVE[row.rules.objective]


def _arrays(number: int, row: Any) -> str:
    """The start array of one row."""
    lines = []
    for name in ("black", "white", "marked"):
        squares = sorted(getattr(row.start, name))
        listed = ", ".join(map(str, squares))
        lines.append(f"constexpr std::array<std::uint8_t, {len(squares)}> {name}_{number}{{{listed}}};\n")
    return "".join(lines)


def _bool(value: bool) -> str:
    return "true" if value else "false"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
