"""Prepares the data folder; without Django, whose settings need the folder."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from crownhead.server.core.hosting.data_folder import VARIABLE

FAILED, WRONG_USAGE = 1, 2

_SECRET = ("db.sqlite3*", "secret_key", "push_key.pem", "settings.toml", "mail", "mail/*.eml")


class CommandError(Exception):
    """The command cannot go on; the message says why and what to do. ``status`` is its exit status."""

    def __init__(self, message: str, *, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


def prepare(folder: Path) -> None:
    """Create the folder, its keys and its mail folder where they are missing; raises `CommandError`."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        (folder / "mail").mkdir(mode=0o700, exist_ok=True)
        _make_secret(folder / "secret_key")
        _make_push_key(folder / "push_key.pem")
        _close_to_others(folder)
    except (FileExistsError, NotADirectoryError) as error:
        raise CommandError(
            f"The data folder {folder} cannot be used: the path is a file or leads through one. "
            f"Choose another folder with --data or {VARIABLE}."
        ) from error
    except PermissionError as error:
        raise CommandError(
            f"The data folder {folder} is not writable. Give your user write permission, "
            f"or choose another folder with --data or {VARIABLE}."
        ) from error
    except OSError as error:
        raise CommandError(
            f"The data folder {folder} cannot be used: {error.strerror}. "
            f"Choose another folder with --data or {VARIABLE}."
        ) from error


def _close_to_others(folder: Path) -> None:
    """Let nobody else read the folder and what is secret in it, also if it was there before.

    What belongs to another user stays as it is: only they can change it.
    """
    if os.name != "posix":
        return
    for path in (folder, *(file for pattern in _SECRET for file in folder.glob(pattern))):
        with suppress(FileNotFoundError):  # the journals of the database come and go
            if not path.is_symlink() and path.stat().st_uid == os.geteuid():
                path.chmod(0o700 if path.is_dir() else 0o600)


def _make_push_key(path: Path) -> None:
    if path.is_file() and path.stat().st_size:
        return
    # Imported late: cryptography takes a while, and is not there without the packages of the site.
    from crownhead.server.notices.channels import vapid

    vapid.make_key(path.parent)


def _make_secret(path: Path) -> None:
    """Write the key atomically: another process that starts at the same time never reads half a key."""
    if path.is_file() and path.stat().st_size:
        return
    handle, draft = tempfile.mkstemp(dir=path.parent)  # readable only by its owner
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(handle)
    Path(draft).replace(path)
