"""Finds the data folder; works before Django is set up."""

import os
import sys
from pathlib import Path

VARIABLE = "CROWNHEAD_DATA"


def data_folder() -> Path:
    """The folder named by `CROWNHEAD_DATA`, else the platform's usual folder for application data."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser().absolute() if named else _default_folder()


def _default_folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Crownhead"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Crownhead"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "crownhead"
