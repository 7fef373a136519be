"""The parts of results.md that a run of their own measures; the other runs leave them as they are."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).with_name("results.md")
PAGES = "## The pages of a club in Chromium"
PROBLEMS = "## Problem positions"
SEARCH = "## The search beside other engines"
THREADS = "## Two threads beside one"
OWN_RUNS = (SEARCH, THREADS, PROBLEMS, PAGES)


def kept(path: Path = RESULTS) -> str:
    """The sections as they are, empty where there are none: for a run that writes the rest again."""
    parts = _parts(path)
    return "\n".join(parts[heading] for heading in OWN_RUNS if heading in parts)


def write_section(heading: str, text: str, path: Path = RESULTS) -> None:
    """Put a section behind what `make bench` writes, in the place of the last one."""
    parts = _parts(path)
    first = [body for heading, body in parts.items() if heading not in OWN_RUNS]
    parts[heading] = f"{heading}\n\n{text.strip()}\n"
    last = [parts[heading] for heading in OWN_RUNS if heading in parts]
    path.write_text("\n".join([*first, *last]), "utf-8")
    print(f"Written: {path}")


def table(titles: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [titles, ["---" for _ in titles], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def provenance(script: str) -> str:
    """By what, when and on which machine: the first lines of a section."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return f"""By `python benchmarks/{script}` on {datetime.now(UTC):%Y-%m-%d}, at commit {commit}.
{platform.system()} {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()}."""


def _parts(path: Path) -> dict[str, str]:
    """The text by its headings of the second rank; what comes before them has none."""
    text = path.read_text("utf-8") if path.exists() else ""
    parts: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        heading = line if line.startswith("## ") else heading
        parts[heading] = parts.get(heading, "") + f"{line}\n"
    return {heading: body.rstrip("\n") + "\n" for heading, body in parts.items()}
