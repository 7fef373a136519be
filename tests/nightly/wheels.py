"""Installs wheels as a host would, and plays a move at the club that each one serves.

``python -m tests.nightly.wheels WHEEL…``: each is installed with what its site needs into a new environment,
by every Python here that it fits. Prints how long it took from nothing to a club that answers. Exit status
1 where one does not install or does not serve, or where a wheel fits no Python.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests import tour
from tests.club import Club

_FITS = """
import sys
from pip._internal.models.wheel import Wheel
from pip._internal.utils.compatibility_tags import get_supported
sys.exit(not Wheel(sys.argv[1]).supported(get_supported()))
"""


def pythons() -> Iterator[str]:
    """The Pythons of this machine, by their paths, each version once."""
    seen = set()
    for name in (sys.executable, "python3.11", "python3.12", "python3.13", "python3.14"):
        path = shutil.which(name)
        asked = subprocess.run([path or "false", "--version"], check=False, capture_output=True, text=True)
        if path and asked.returncode == 0 and asked.stdout not in seen:
            seen.add(asked.stdout)
            yield path


def serve(wheel: Path, python: str, folder: Path) -> float | None:
    """Install a wheel, serve a club and visit it; how many seconds it took, or None where it does not fit."""
    started = time.monotonic()
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    inside = folder / "venv" / "bin" / "python"
    if subprocess.run([inside, "-c", _FITS, wheel.name], check=False).returncode:
        return None
    pip = [str(inside), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{wheel.resolve()}[server]"], check=True)
    club = Club(folder / "data", python=str(inside))
    club.start()
    taken = time.monotonic() - started
    try:
        tour.site(club)
    finally:
        club.stop()
    assert tour.library(inside, os.environ, folder).is_relative_to(folder)
    return taken


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every wheel with every Python; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheels", nargs="+", type=Path, metavar="WHEEL")
    unfit = 0
    for wheel in parser.parse_args(arguments).wheels:
        served = 0
        for python in pythons():
            with tempfile.TemporaryDirectory() as folder:
                taken = serve(wheel, python, Path(folder).resolve())
            if taken is not None:
                served += 1
                sys.stdout.write(f"{wheel.name}: {python} serves a club after {taken:.0f} s\n")
        if not served:
            sys.stdout.write(f"{wheel.name}: fits no Python here\n")
            unfit += 1
    return 1 if unfit else 0


if __name__ == "__main__":
    raise SystemExit(main())
