"""Making a backup of a site, and restoring one."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from crownhead.server.ops.backup import archive, postgresql, sqlite
from crownhead.server.ops.starting.first_start import CommandError


def back_up(
    *, folder: Path, database: dict[str, Any], target: Path, now: datetime
) -> tuple[Path, archive.Manifest]:
    """Write a backup to a file, or into a folder under a name of its own; raises ``CommandError``."""
    if target.is_dir():
        target /= f"crownhead-{now:%Y%m%d-%H%M%S}.tar.gz"
    if target.exists():
        raise CommandError(f"{target} exists already. Choose another name.")
    try:
        with tempfile.TemporaryDirectory(prefix=".crownhead-", dir=target.parent) as draft:
            copied, rows = Path(draft) / "database", {}
            if _is_sqlite(database):
                rows, name = sqlite.copy(Path(database["NAME"]), copied), archive.SQLITE
            else:
                postgresql.dump(database, copied)
                name = archive.POSTGRESQL
            manifest = archive.write(target, folder=folder, database=copied, name=name, rows=rows, now=now)
    except OSError as error:
        raise CommandError(f"The backup cannot be written to {target}: {error.strerror or error}.") from error
    return target, manifest


def restore(*, path: Path, folder: Path, replace: bool, now: datetime) -> archive.Manifest:
    """Put what a backup holds into a data folder, and its database into place; raises ``CommandError``.

    What was there is moved into a folder beside it. Nothing is touched before the whole backup is verified.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".restored-", dir=folder) as draft:
        manifest = archive.extract(path, Path(draft))
        if manifest.database == archive.SQLITE:
            sqlite.expect_sound(Path(draft) / archive.SQLITE)
            _expect_free(folder, replace=replace, now=now)
            _put_in_place(Path(draft), folder, now)
        else:
            _restore_postgresql(Path(draft), folder, replace=replace, now=now)
    return manifest


def _expect_free(folder: Path, *, replace: bool, now: datetime) -> None:
    present = [path for path in (folder / sqlite.DATABASE, *archive.files_of(folder)) if path.exists()]
    if present and not replace:
        raise CommandError(
            f"{folder} holds a club already ({present[0].name}). Choose another folder, or add --replace; "
            "what is there is then moved aside."
        )
    if sqlite.is_served(folder / sqlite.DATABASE, now):
        raise CommandError(f"The club in {folder} is running. Stop it, and try again after half a minute.")


def _restore_postgresql(draft: Path, folder: Path, *, replace: bool, now: datetime) -> None:
    database = _database_named(draft, folder)
    if postgresql.has_tables(database) and not replace:
        raise CommandError(
            f"The database {database['NAME']} is not empty. "
            "Name an empty one in DATABASE_URL, or add --replace."
        )
    _expect_free(folder, replace=replace, now=now)
    dumped = draft / archive.POSTGRESQL
    postgresql.expect_sound(database, dumped)
    postgresql.restore(database, dumped)
    dumped.unlink()
    _put_in_place(draft, folder, now)


def _database_named(draft: Path, folder: Path) -> dict[str, Any]:
    """The database that the environment names, or else the settings of the folder or of the backup."""
    from crownhead.server.core.hosting.options import BadOption, Options
    from crownhead.server.core.queries.urls import postgresql_at

    url = os.environ.get("DATABASE_DIRECT_URL") or os.environ.get("DATABASE_URL")
    for name in ("database_direct", "database"):
        url = url or Options(folder).text(name) or Options(draft).text(name)
    if not url:
        raise CommandError("The backup is of PostgreSQL. Name an empty database in DATABASE_URL.")
    try:
        return postgresql_at(url)
    except BadOption as error:
        raise CommandError(
            "DATABASE_URL: expected something like postgres://name:password@host/club"
        ) from error


def _put_in_place(draft: Path, folder: Path, now: datetime) -> None:
    """Move the restored files into the folder, and what was there aside."""
    aside = folder / f"before-{now:%Y%m%d-%H%M%S}"
    for name in (*sqlite.FILES, *(str(path.relative_to(folder)) for path in archive.files_of(folder))):
        if (folder / name).exists():
            (aside / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / name).rename(aside / name)
    for path in sorted(draft.rglob("*")):
        if path.is_file():
            name = str(path.relative_to(draft))
            target = folder / (sqlite.DATABASE if name == archive.SQLITE else name)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.move(path, target)


def _is_sqlite(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")
