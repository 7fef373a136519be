"""The file of a backup: a compressed tar with a manifest that has the size and digest of each member.

It opens with tar, too: `database.sqlite3` is a database of SQLite, `database.dump` what `pg_restore` reads.
"""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

import crownhead
from crownhead.server.ops.starting.first_start import CommandError

MANIFEST = "manifest.json"
SQLITE, POSTGRESQL = "database.sqlite3", "database.dump"
SETTINGS = "settings.toml"
FORMAT = 1
_FILES = ("secret_key", "push_key.pem", SETTINGS)
_PATTERNS = ("variants/*.toml", "problems/*.jsonl", "texts/**/*.md")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds: ``digests`` by name, the database among them; ``rows`` of a few tables."""

    made_at: str
    version: str
    database: str
    digests: dict[str, str]
    rows: dict[str, int] = field(default_factory=dict)


def files_of(folder: Path) -> list[Path]:
    """The keys, settings, house variants, problems and texts of the host in a data folder."""
    found = [folder / name for name in _FILES]
    found += [path for pattern in _PATTERNS for path in sorted(folder.glob(pattern))]
    return [path for path in found if path.is_file()]


def write(
    target: Path, *, folder: Path, database: Path, name: str, rows: dict[str, int], now: datetime
) -> Manifest:
    """Write a backup and read it again; it has its name only once it is whole. Raises ``CommandError``."""
    members = {str(path.relative_to(folder).as_posix()): path for path in files_of(folder)}
    members[name] = database
    manifest = Manifest(
        made_at=now.isoformat(timespec="seconds"),
        version=crownhead.__version__,
        database=name,
        digests={member: _digest_of(path) for member, path in members.items()},
        rows=rows,
    )
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            _write_members(file, manifest, members)
            file.flush()
            os.fsync(file.fileno())
        verify(draft)
        if target.exists():
            raise CommandError(f"{target} exists already. Choose another name.")
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def verify(path: Path) -> Manifest:
    """Read all of a backup and compare it with its manifest; raises ``CommandError``."""
    with _opened(path) as (manifest, members):
        for name, content in members:
            _expect_digest(path, manifest, name, _digest(content))
    return manifest


def extract(path: Path, folder: Path) -> Manifest:
    """Write the members of a backup into an empty folder and compare them; raises ``CommandError``."""
    with _opened(path) as (manifest, members):
        for name, content in members:
            target = folder / name
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            digest = hashlib.sha256()
            with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for part in _parts(content):
                    digest.update(part)
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            _expect_digest(path, manifest, name, digest.hexdigest())
    return manifest


def _write_members(file: IO[bytes], manifest: Manifest, members: dict[str, Path]) -> None:
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as tar:
        document = {"format": FORMAT} | {name: getattr(manifest, name) for name in Manifest.__slots__}
        _add(tar, MANIFEST, json.dumps(document, indent=1).encode())
        for name, path in members.items():
            with path.open("rb") as content:
                info = tar.gettarinfo(arcname=name, fileobj=content)
                info.mode, info.uid, info.gid, info.uname, info.gname = 0o600, 0, 0, "", ""
                tar.addfile(info, content)


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    from io import BytesIO

    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o600
    tar.addfile(info, BytesIO(content))


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Manifest, Iterator[tuple[str, IO[bytes]]]]]:
    """The manifest of a backup and its members, to be read in order."""
    try:
        with tarfile.open(path, "r|gz") as tar:
            manifest = _manifest(path, tar)
            yield manifest, _members(path, tar, manifest)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise CommandError(f"{path} is no backup, or is damaged: {error}") from error


def _manifest(path: Path, tar: tarfile.TarFile) -> Manifest:
    first = tar.next()
    content = tar.extractfile(first) if first is not None and first.name == MANIFEST else None
    if content is None:
        raise CommandError(f"{path} is no backup of a club: it does not begin with {MANIFEST}.")
    document: dict[str, Any] = json.load(content)
    if document.pop("format", None) != FORMAT:
        raise CommandError(f"{path} was made by another version of Crownhead: {document.get('version')}.")
    return Manifest(**document)


def _members(path: Path, tar: tarfile.TarFile, manifest: Manifest) -> Iterator[tuple[str, IO[bytes]]]:
    missing = set(manifest.digests)
    while (info := tar.next()) is not None:
        content = tar.extractfile(info) if info.isreg() else None
        if content is None or info.name not in missing or not _is_inside(info.name):
            raise CommandError(f"{path} holds {info.name!r}, which its manifest does not name.")
        missing.remove(info.name)
        yield info.name, content
    if missing:
        raise CommandError(f"{path} is not whole: it lacks {', '.join(sorted(missing))}.")


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts


def _expect_digest(path: Path, manifest: Manifest, name: str, digest: str) -> None:
    if manifest.digests[name] != digest:
        raise CommandError(f"{path} is damaged: {name} is not what was written.")


def _digest_of(path: Path) -> str:
    with path.open("rb") as content:
        return _digest(content)


def _digest(content: IO[bytes]) -> str:
    digest = hashlib.sha256()
    for part in _parts(content):
        digest.update(part)
    return digest.hexdigest()


def _parts(content: IO[bytes]) -> Iterable[bytes]:
    return iter(lambda: content.read(_CHUNK), b"")
