"""House variants: rows from a TOML file, and the keys by which a program knows them.

A file has a table ``[variants.KEY]`` for each row, with the columns that differ from those of its ``base``:

    [variants.long-russian]
    base = "russian"
    name = "Long Russian"
    board = { width = 8, height = 10 }
    start = { rows = 3 }
    man_captures = ["forward-left", "forward-right"]

``house_columns.py`` tells what each column takes. The recipe is ``docs/recipes/a_house_variant.md``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from crownhead.rules.checking import check
from crownhead.rules.columns import shown
from crownhead.rules.errors import BadVariant
from crownhead.rules.house_columns import Misfit, row_of
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK, VARIANTS, add

VARIABLE = "CROWNHEAD_VARIANTS"  # of the environment: files separated as the folders of PATH are

_TABLES = "variants"


def load_variants(path: Path | str) -> Mapping[str, Variant]:
    """Return the rows of a TOML file by their keys, checked; a row may build on an earlier one of the file.

    They are values like any other row; ``register`` makes their keys known. Raises ``BadVariant``, which says
    the file, the table and the column, what was expected there and what came; ``OSError`` where the file
    cannot be read.
    """
    file = Path(path)
    rows: dict[str, Variant] = {}
    for key, table in _tables(file).items():
        try:
            rows[key] = _row(key, table, {**VARIANTS, **rows})
        except Misfit as misfit:
            raise BadVariant(f"{file}, [{_TABLES}.{key}], {misfit}") from None
    return MappingProxyType(rows)


def register(rows: Iterable[Variant]) -> None:
    """Make rows known by their keys in this process, in ``VARIANTS`` and wherever a key is taken.

    Keys and names of the package stay its own, and a key that is known keeps its rules until the process
    ends: raises ``BadVariant`` for a key or name that another row has. The same row again changes nothing.
    """
    for row in rows:
        check(row)
        known = VARIANTS.get(row.key)
        if known is not None and known != row:
            raise BadVariant(f"expected a key of its own, got {row.key!r}, which {known.name} has")
        namesake = next((one for one in VARIANTS.values() if _is_named_like(one, row)), None)
        if namesake is not None:
            raise BadVariant(
                f"variant {row.key}: expected a name of its own, got {row.name!r}, which {namesake.key} has"
            )
        add(row)


def register_files(files: Iterable[Path | str]) -> None:
    """Register the rows of files; raises what ``load_variants`` and ``register`` raise, naming the file."""
    for file in files:
        rows = load_variants(file)
        try:
            register(rows.values())
        except BadVariant as bad:
            raise BadVariant(f"{file}: {bad}") from None


@cache
def register_named(paths: str, separator: str) -> None:
    """Register the rows of the files that ``VARIABLE`` names, once for all who ask for that in this process.

    Raises what ``register_files`` raises.
    """
    register_files(filter(None, paths.split(separator)))


def _is_named_like(known: Variant, row: Variant) -> bool:
    return known.key != row.key and known.name.casefold() == row.name.casefold()


def _tables(file: Path) -> Mapping[str, Any]:
    """Return the tables of the rows in a file."""
    try:
        content = tomllib.loads(file.read_text("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadVariant(f"{file}: expected a text in TOML, got a mistake: {error}") from None
    strange = next((key for key in content if key != _TABLES), None)
    if strange is not None:
        raise BadVariant(f"{file}: expected only tables such as [{_TABLES}.my-draughts], got {strange!r}")
    tables = content.get(_TABLES)
    if not isinstance(tables, dict) or not tables:
        raise BadVariant(
            f"{file}: expected a table such as [{_TABLES}.my-draughts], got {shown(tables or {})}"
        )
    return tables


def _row(key: str, table: Any, known: Mapping[str, Variant]) -> Variant:
    if not isinstance(table, dict):
        raise Misfit("", f"expected a table of columns, got {shown(table)}")
    if key in STOCK:
        raise Misfit("", f"expected a key of its own, got {key!r}, which {STOCK[key].name} has")
    row = row_of(key, table, known)
    try:
        check(row)
    except BadVariant as bad:
        raise Misfit("", str(bad).removeprefix(f"variant {key}: ").replace("rules.", "")) from None
    return row
