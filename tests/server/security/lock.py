"""Writes ``requirements/server.lock``: the packages of the site with versions and hashes, for ``make lock``.

A release is tested with exactly these; ``pip install --require-hashes`` refuses anything else that a registry
might hand out. Versions already in the file stay, unless pip-compile is told to upgrade: arguments are passed
on to it, such as ``--upgrade`` or ``--upgrade-package django``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOCK = Path("requirements/server.lock")
_HEADER = """\
# The packages of the site, with their hashes: what a release is tested with.
# Written by `make lock`; docs/operating.md#releases says how it is used.
"""
_OPTIONS = (
    "--quiet", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--extra=server", "--no-header",
    "--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host", "--no-emit-options",
)  # fmt: skip


def main() -> int:
    """Write the file; the exit status of pip-compile."""
    command = [sys.executable, "-m", "piptools", "compile", *_OPTIONS, "--output-file", str(LOCK)]
    status = subprocess.run([*command, *sys.argv[1:], "pyproject.toml"], check=False).returncode
    if status == 0:
        text = LOCK.read_text("utf-8")
        lines = [line for line in text.splitlines() if not line.startswith(("#", "-"))]
        LOCK.write_text(_HEADER + "\n".join(lines) + "\n", "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
