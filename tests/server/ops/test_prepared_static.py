"""Static files that an installation has compressed once, and that the first start of a club copies."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from pytest_django import Settings

from crownhead.server.ops.starting import upkeep


@pytest.fixture
def calls(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collecting writes one file; the names of the commands that were called."""
    called: list[str] = []
    settings.STATIC_ROOT = tmp_path / "club" / "static"

    def call(name: str, **_options: object) -> None:
        called.append(name)
        (settings.STATIC_ROOT / "css").mkdir(parents=True)
        (settings.STATIC_ROOT / "css" / "site.css").write_text("p {}")
        (settings.STATIC_ROOT / "css" / "site.css").chmod(0o600)

    monkeypatch.setattr(upkeep, "call_command", call)
    monkeypatch.setattr(upkeep, "PREPARED", tmp_path / "share" / "static")
    return called


def test_a_new_club_copies_what_was_prepared(calls: list[str], settings: Settings, tmp_path: Path) -> None:
    assert upkeep.prepare_static_files()
    settings.STATIC_ROOT = tmp_path / "other" / "static"
    upkeep.collect_static_files()
    upkeep.collect_static_files()
    assert calls == ["collectstatic"]
    assert (settings.STATIC_ROOT / "css" / "site.css").read_text() == "p {}"


def test_any_user_who_runs_a_club_may_read_what_was_prepared(calls: list[str]) -> None:
    upkeep.prepare_static_files()
    assert stat.S_IMODE((upkeep.PREPARED / "css" / "site.css").stat().st_mode) == 0o644
    assert stat.S_IMODE((upkeep.PREPARED / "css").stat().st_mode) == 0o755


def test_it_is_prepared_once_and_not_used_when_the_sources_have_changed(
    calls: list[str], settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert upkeep.prepare_static_files()
    assert not upkeep.prepare_static_files()
    monkeypatch.setattr(upkeep, "_fingerprint", lambda: "another")
    settings.STATIC_ROOT = tmp_path / "other" / "static"
    upkeep.collect_static_files()
    assert calls == ["collectstatic"] * 2
