"""The data folder: checked, and filled on the first start. Knows no Django, so that it can run before it."""

import os
import secrets
import tempfile
from pathlib import Path

from crownhead.server.core.data_folder import VARIABLE


class Unusable(Exception):
    """The club cannot start; the text is a sentence that says what to do."""


def prepare(folder: Path) -> None:
    """Make the folder, its keys and its mail folder, unless they are there; raise `Unusable`."""
    # Not before a command runs: the command line lists them where the site's packages are not installed.
    from crownhead.server.notices.channels.vapid import make_key as make_push_key

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        (folder / "mail").mkdir(mode=0o700, exist_ok=True)
        _make_secret(folder / "secret_key")
        make_push_key(folder)
    except (FileExistsError, NotADirectoryError) as error:
        raise Unusable(
            f"The data folder {folder} cannot be used: it is, or lies below, a file. "
            f"Choose another folder with --data or {VARIABLE}."
        ) from error
    except PermissionError as error:
        raise Unusable(
            f"The data folder {folder} cannot be written to. "
            "Give your user write permission there, or "
            f"choose another folder with --data or {VARIABLE}."
        ) from error
    except OSError as error:
        raise Unusable(
            f"The data folder {folder} cannot be used: {error.strerror}. "
            f"Choose another folder with --data or {VARIABLE}."
        ) from error


def _make_secret(path: Path) -> None:
    """Whole or not at all: a second process that starts now finds no half a key."""
    if path.is_file() and path.stat().st_size:
        return
    handle, draft = tempfile.mkstemp(dir=path.parent)  # readable by its owner alone
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(handle)
    Path(draft).replace(path)
