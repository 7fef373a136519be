"""The engine of these tests uses the endgame tables of the package, and none of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def nobodys_tables(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that does not exist."""
    monkeypatch.setenv("CROWNHEAD_TABLES", str(Path(tmp_path_factory.getbasetemp()) / "no-tables"))
