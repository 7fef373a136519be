"""A copy of the tree in which a recipe can be followed, with an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from crownhead import _kernel
from tests.house.tree import HOUSE
from tests.recipes.page import Command, changes, commands

_PARTS = ("src", "tests", "docs", "suites", "native", "CMakeLists.txt", "manage.py", "pyproject.toml")
# What is compiled already stays so: a copy keeps the times of the files, which Python goes by.
_LEFT_OUT = shutil.ignore_patterns("*.so")
_TOOLS = ("cmake", "djade", "ruff")


class Copy:
    """The sources in another folder; commands run there as they would in a checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "src"),
            "PATH": f"{folder / '.venv' / 'bin'}:{os.environ['PATH']}",
            "CROWNHEAD_DATA": str(folder / "data"),
        }
        for part in _PARTS:
            if (HOUSE / part).is_dir():
                shutil.copytree(HOUSE / part, folder / part, ignore=_LEFT_OUT)
            else:
                shutil.copy(HOUSE / part, folder / part)
        self._make_environment()

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ".venv" / "bin" / "python"

    def take_the_kernel(self) -> None:
        """Use the compiled kernel that is there; for recipes that do not change it."""
        shutil.copy(_kernel.__file__, self.folder / "src" / "crownhead")

    def follow(self, page: Path) -> None:
        """Do what a recipe says, to the letter."""
        self.take_the_kernel()
        for change in changes(page):
            change.apply(self.folder)
        typed = list(commands(page))
        assert typed
        for command in typed:
            self.run(command)

    def run(self, command: Command) -> None:
        """Raises ``AssertionError`` where a command fails, or does not print what the page says."""
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command.line}\n{done.stdout[-6000:]}"
        printed = " ".join(done.stdout.split())
        missing = [line for line in command.prints if " ".join(line.split()) not in printed]
        assert missing == [], f"{command.line}\n{done.stdout[-6000:]}"

    def _make_environment(self) -> None:
        venv.create(self.folder / ".venv", symlinks=True)
        site = next((self.folder / ".venv").glob("lib/python*/site-packages"))
        # What is installed here, but not the package of this tree: it would be read instead of the copy.
        installed = [path for path in sys.path if path.endswith("site-packages")]
        (site / "tools.pth").write_text("".join(f"{path}\n" for path in installed), "utf-8")
        programs = self.python.parent
        for tool in _TOOLS:
            (programs / tool).symlink_to(Path(sys.executable).parent / tool)
        script = programs / "crownhead"
        script.write_text(f'#!/bin/sh\nexec {self.python} -m crownhead.cli "$@"\n', "utf-8")
        script.chmod(0o755)
