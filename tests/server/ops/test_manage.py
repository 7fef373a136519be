"""`manage.py` on the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.house.tree import HOUSE


def manage(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run `manage.py` on a data folder, in a process of its own."""
    return subprocess.run(
        [sys.executable, HOUSE / "manage.py", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "CROWNHEAD_DATA": str(data)},
        check=False,
    )


def test_manage_uses_the_settings_and_the_data_folder_of_the_site(tmp_path: Path) -> None:
    folder = tmp_path / "club"

    done = manage("diffsettings", "--output", "unified", data=folder)

    assert done.returncode == 0, done.stderr
    assert str(folder / "db.sqlite3") in done.stdout
    assert (folder / "secret_key").is_file()


def test_an_unusable_data_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = manage("check", data=tmp_path / "file")

    assert done.returncode == 1
    assert done.stderr.startswith("manage.py: The data folder")
    assert done.stderr.count("\n") == 1
