"""The list of tests that CI runs on PostgreSQL, too, names files that are there."""

from __future__ import annotations

from tests.rules.suites import ROOT
from tests.server.databases import LOCKS, ON_POSTGRESQL

SERVER = ROOT / "tests" / "server"


def test_every_file_of_the_list_is_there() -> None:
    assert [name for name in ON_POSTGRESQL if not (SERVER / name).exists()] == []


def test_whatever_happens_at_once_happens_on_postgresql_too() -> None:
    at_once = {path.relative_to(SERVER).as_posix() for path in SERVER.rglob("test_at_once.py")}
    assert at_once == {name for name in ON_POSTGRESQL if name.endswith("test_at_once.py")}
    assert {ON_POSTGRESQL[name] for name in at_once} == {LOCKS}
