"""Backups: whole and verified, made while others write, restored elsewhere, where play goes on."""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
import tarfile
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from crownhead.server.config.databases import database
from crownhead.server.ops.backup import archive, postgresql, services
from crownhead.server.ops.starting.first_start import CommandError
from tests import postgres
from tests.club import Club, Player

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a database of one table, keys, settings and a house variant."""
    folder = tmp_path / "club"
    (folder / "variants").mkdir(parents=True)
    (folder / "variants" / "mine.toml").write_text("# rules")
    (folder / "texts" / "en" / "help").mkdir(parents=True)
    (folder / "texts" / "en" / "help" / "terms.md").write_text("# Terms")
    (folder / "secret_key").write_text("key")
    (folder / "settings.toml").write_text('club = "Home"')
    with closing(sqlite3.connect(folder / "db.sqlite3")) as rows, rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.execute("CREATE TABLE play_game (id INTEGER PRIMARY KEY, moves TEXT)")
        rows.execute("INSERT INTO play_game (moves) VALUES ('11-15')")
    return folder


def back_up(folder: Path, target: Path) -> tuple[Path, archive.Manifest]:
    return services.back_up(folder=folder, database=database("", folder), target=target, now=NOON)


def restore(path: Path, folder: Path, *, replace: bool = False) -> archive.Manifest:
    return services.restore(path=path, folder=folder, replace=replace, now=NOON)


def moves(folder: Path) -> list[Any]:
    with closing(sqlite3.connect(folder / "db.sqlite3")) as rows:
        return rows.execute("SELECT moves FROM play_game ORDER BY id").fetchall()


def test_what_is_restored_elsewhere_is_what_was_backed_up(folder: Path, tmp_path: Path) -> None:
    path, manifest = back_up(folder, tmp_path)
    assert path == tmp_path / "crownhead-20260301-120000.tar.gz"
    assert manifest.rows == {"play_game": 1}
    assert path.stat().st_mode & 0o077 == 0
    restore(path, tmp_path / "new")
    assert moves(tmp_path / "new") == [("11-15",)]
    for name in ("secret_key", "settings.toml", "variants/mine.toml", "texts/en/help/terms.md"):
        assert (tmp_path / "new" / name).read_text() == (folder / name).read_text()
    assert {entry.name for entry in tmp_path.iterdir()} == {"club", "new", path.name}


def test_a_backup_made_while_others_write_is_of_one_moment(folder: Path, tmp_path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(folder / "db.sqlite3", timeout=20)) as rows:
            while not done.is_set():
                with rows:  # two rows at a time, always
                    rows.execute("INSERT INTO play_game (moves) VALUES ('a')")
                    rows.execute("INSERT INTO play_game (moves) VALUES ('b')")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        paths = [back_up(folder, tmp_path / f"{number}.tar.gz")[0] for number in range(3)]
    finally:
        done.set()
        writer.join()
    for path in paths:
        restore(path, tmp_path / path.stem)
        found = [text for (text,) in moves(tmp_path / path.stem)]
        assert found.count("a") == found.count("b")


def test_a_club_is_not_overwritten_unless_asked_and_then_moved_aside(folder: Path, tmp_path: Path) -> None:
    path, _ = back_up(folder, tmp_path)
    with pytest.raises(CommandError, match="holds a club already"):
        restore(path, folder)
    (folder / "secret_key").write_text("a newer key")
    restore(path, folder, replace=True)
    assert (folder / "secret_key").read_text() == "key"
    assert (folder / "before-20260301-120000" / "secret_key").read_text() == "a newer key"
    assert moves(folder) == [("11-15",)]


def test_a_club_that_runs_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    path, _ = back_up(folder, tmp_path)
    with closing(sqlite3.connect(folder / "db.sqlite3")) as rows, rows:
        rows.execute("CREATE TABLE play_heartbeat (at TEXT)")
        rows.execute("INSERT INTO play_heartbeat VALUES ('2026-03-01 11:59:55.123456')")
    with pytest.raises(CommandError, match="is running"):
        restore(path, folder, replace=True)


def test_a_file_that_exists_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        back_up(folder, tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "precious"


@pytest.mark.parametrize("cut", ["short", "changed", "another file"])
def test_a_damaged_backup_is_refused_and_touches_nothing(folder: Path, tmp_path: Path, cut: str) -> None:
    path, _ = back_up(folder, tmp_path)
    content = path.read_bytes()
    if cut == "short":
        path.write_bytes(content[: len(content) // 2])
    elif cut == "changed":
        path.write_bytes(gzip.compress(gzip.decompress(content).replace(b"11-15", b"11-16")))
    else:
        path.write_bytes(b"not a backup")
    with pytest.raises(CommandError, match="damaged"):
        restore(path, tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_backup_can_not_write_outside_the_folder(folder: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar.gz"
    with tarfile.open(evil, "w:gz") as tar:
        archive._add(  # noqa: SLF001
            tar,
            archive.MANIFEST,
            b'{"format": 1, "made_at": "", "version": "", "database": "x", "digests": {"../x": ""}}',
        )
        archive._add(tar, "../x", b"")  # noqa: SLF001
    with pytest.raises(CommandError, match="does not name"):
        restore(evil, tmp_path / "new")
    assert not (tmp_path / "x").exists()


@pytest.mark.skipif(postgres.programs() is None, reason="no PostgreSQL on this machine")
def test_postgresql_is_dumped_and_restored(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.delenv("DATABASE_URL", raising=False)
    with postgres.new_cluster() as cluster:
        url = cluster.url
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE play_game (id SERIAL PRIMARY KEY, moves TEXT)")
            connection.execute("INSERT INTO play_game (moves) VALUES ('11-15')")
        path, manifest = services.back_up(
            folder=folder, database=database(url, folder), target=tmp_path, now=NOON
        )
        assert manifest.database == archive.POSTGRESQL
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE other")
        with pytest.raises(CommandError, match="of PostgreSQL"):
            restore(path, tmp_path / "new")
        other = url.removesuffix("/postgres") + "/other"
        monkeypatch.setenv("DATABASE_URL", other)
        restore(path, tmp_path / "new")
        with psycopg.connect(other) as connection:
            assert connection.execute("SELECT moves FROM play_game").fetchall() == [("11-15",)]
        assert postgresql.has_tables(database(other, folder))
        with pytest.raises(CommandError, match="not empty"):
            restore(path, tmp_path / "third")
        assert not (tmp_path / "new" / archive.POSTGRESQL).exists()


def test_play_goes_on_in_a_club_that_was_backed_up_while_it_ran(tmp_path: Path) -> None:
    """Backed up by the command between moves, restored elsewhere, checked, and played on."""
    club = Club(tmp_path / "club")
    club.start()
    players = [Player(club.port, "alice"), Player(club.port, "bobby")]
    for player in players:
        player.register()
    terms = {"variant": "american", "colour": "first", "days_per_move": 3}
    game = players[0].expect(201, "POST", "/games", terms)["id"]
    players[1].expect(200, "POST", f"/waiting-room/{game}/join")
    players[0].expect(200, "POST", f"/games/{game}/moves", {"move": "11-15", "version": 0})
    said = run("backup", str(tmp_path / "backup.tar.gz"), "--data", str(club.data))
    assert "games: 1, rating changes: 0, tournaments: 0)" in said
    players[1].expect(200, "POST", f"/games/{game}/moves", {"move": "23-18", "version": 1})
    assert club.stop() == 0

    elsewhere = Club(tmp_path / "elsewhere")
    run("restore", str(tmp_path / "backup.tar.gz"), "--data", str(elsewhere.data))
    assert "Everything fits together." in run("check", "--data", str(elsewhere.data))
    elsewhere.start()
    for player in players:
        player.port = elsewhere.port
    players[1].expect(200, "POST", f"/games/{game}/moves", {"move": "22-17", "version": 1})
    assert elsewhere.stop() == 0
    assert "Traceback" not in elsewhere.log()


def run(*arguments: str) -> str:
    """What a command of `crownhead` prints when all goes well."""
    done = subprocess.run(
        [sys.executable, "-m", "crownhead.cli", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
