"""The paths of the games and positions used in these tests."""

from __future__ import annotations

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE = PROJECT / "suites" / "games" / "american.pdn"
PDN = PROJECT / "suites" / "pdn"
_DATA = PROJECT.parent / "shared" / "data"


def data(*parts: str) -> Path:
    """Return a file of the data collection next to the project; skips the test if there is none."""
    path = _DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the data collection is not beside the project: no {path.name}")
    return path
