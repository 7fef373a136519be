"""The files of the repository, for the tests that read them as text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).resolve().parents[2]
ROOMS = HOUSE / "src" / "crownhead"

_GENERATED = {"__pycache__", "migrations", "build", "bundles"}


def files(*folders: str, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Every written file below the folders, in a fixed order; what a tool generated is left out."""
    for folder in folders:
        for path in sorted((HOUSE / folder).rglob("*")):
            generated = _GENERATED.intersection(path.relative_to(HOUSE).parts)
            if path.suffix in suffixes and path.is_file() and not generated and path.name != "_kernel.pyi":
                yield path


def name(path: Path) -> str:
    """The path from the root of the repository."""
    return path.relative_to(HOUSE).as_posix()


def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))
