"""What browsers get of the engine: the tables of the host, where there are more than in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead.engine import browser
from crownhead.engine.tables import build


def names(tables: bytes) -> list[str]:
    """The names of the files in a file of tables."""
    found, at = [], 0
    while at < len(tables):
        name, size = (int.from_bytes(tables[at + start : at + start + 4], "little") for start in (0, 4))
        found.append(tables[at + 8 : at + 8 + name].decode())
        at += 8 + name + size
    return found


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the host's own tables."""
    monkeypatch.setenv("CROWNHEAD_TABLES", str(tmp_path))
    return tmp_path


def test_tables_that_the_host_has_built_are_for_browsers_too(own: Path) -> None:
    assert browser.tables("italian") == b""
    build("italian", 2, own)
    assert names(browser.tables("italian")) == ["k-k.results", "k-m.results", "m-m.results"]


def test_the_tables_of_the_package_stay_where_the_host_has_fewer(own: Path) -> None:
    shipped = browser.tables("american")
    assert len(names(shipped)) > 3
    build("american", 2, own)
    assert browser.tables("american") == shipped


def test_tables_of_five_pieces_are_too_large_for_a_browser(own: Path) -> None:
    build("italian", 2, own)
    (few,) = own.glob("*/k-k.results")
    few.with_name("kk-kkk.results").write_bytes(few.read_bytes())
    assert names(browser.tables("italian")) == ["k-k.results", "k-m.results", "m-m.results"]


@pytest.mark.usefixtures("own")
def test_tables_of_four_pieces_that_are_a_long_download_stay_with_the_host() -> None:
    most = {
        variant: max(len(name.partition(".")[0].replace("-", "")) for name in names(browser.tables(variant)))
        for variant in ("russian", "brazilian", "international")
    }
    assert most == {"russian": 4, "brazilian": 4, "international": 3}


def test_a_game_without_endgames_has_none() -> None:
    assert browser.tables("hawaiian") == b""
