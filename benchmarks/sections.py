"""The pages in results/, of which each run writes its own part, and results.md, which lists them."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

INDEX = Path(__file__).with_name("results.md")
RESULTS = Path(__file__).with_name("results")
_RESULTS = (":!benchmarks/results", ":!benchmarks/results.md")
_MEASURED = re.compile(r"\bon (\d{4}-\d\d-\d\d), at commit (\w+(?:-dirty)?)")
BROWSER = "## The kernel in a browser"
PAGES = "## The pages of a club in Chromium"
CLUBS = "## The lists of a club as it grows"
DAY = "## A day of a large club"
JOURNEYS = "## The daily ways of members"
HUGE_CLUB = "## The pages of a club of 3 million members"
PROBLEMS = "## Problem positions"
REQUESTS = "## What a request costs"
SEARCH = "## The search beside other engines"
STREAMS = "## Event streams"
TABLES = "## The search with endgame tables"
THREADS = "## Two threads beside one"
ENGINE = "## Pages while the computer thinks"
GUESTS = "## Guests who play the computer in their browsers"
WORKERS = "## Several processes on one port"


@dataclass(frozen=True, slots=True)
class Page:
    """A file in results/: its name, its title, and its sections in their order."""

    name: str
    title: str
    headings: tuple[str, ...] = ()

    def path(self) -> Path:
        """Where it is."""
        return RESULTS / f"{self.name}.md"


KERNEL = Page("kernel", "The kernel and the library beside others")  # written as a whole by `make bench`
PAGES_OF_RESULTS = (
    KERNEL,
    Page("engine", "The engine", (SEARCH, THREADS, TABLES, BROWSER)),
    Page("problems", "Problems that the engine solves", (PROBLEMS,)),
    Page("pages", "Pages and requests", (PAGES, JOURNEYS, REQUESTS)),
    Page("clubs", "Large clubs", (CLUBS, HUGE_CLUB, DAY)),
    Page("load", "Streams, processes and thinking computers", (STREAMS, WORKERS, ENGINE, GUESTS)),
)


def write_section(heading: str, text: str) -> None:
    """Put a section on its page, in the place of the last one."""
    page = next(page for page in PAGES_OF_RESULTS if heading in page.headings)
    parts = _parts(page.path())
    parts[heading] = f"{heading}\n\n{text.strip()}\n"
    write_page(page, "\n".join(parts[heading] for heading in page.headings if heading in parts))


def write_page(page: Page, text: str) -> None:
    """Write a page below its title, and the list of all pages."""
    RESULTS.mkdir(exist_ok=True)
    page.path().write_text(f"# {page.title}\n\n{text.strip()}\n", "utf-8")
    INDEX.write_text(_index(), "utf-8")
    print(f"Written: {page.path()}")


def _index() -> str:
    rows = []
    for page in PAGES_OF_RESULTS:
        parts, at = _parts(page.path()), f"results/{page.name}.md"
        head = parts.pop("", "")
        for heading, body in parts.items():
            title = heading.removeprefix("## ")
            anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            measured = _MEASURED.search(body) or _MEASURED.search(head)
            when, commit = measured.groups() if measured else ("", "")
            rows.append([f"[{page.title}]({at})", f"[{title}]({at}#{anchor})", when, commit])
    return f"""# What was measured

Each page is written by the program that made the measurements, and says which program, when and on which
machine. Figures from other machines, or from a busy one, can't be compared with these; ratios can.

{table(["page", "what", "on", "at commit"], rows)}
"""


def table(titles: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [titles, ["---" for _ in titles], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def commit() -> str:
    """The commit that is measured, dirty where any file but a written result differs from it."""
    hashed = _git("rev-parse", "--short=8", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *_RESULTS)
    return f"{hashed}-dirty" if changed else hashed


def _git(*arguments: str) -> str:
    root = RESULTS.parents[1]
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    ).stdout.strip()


def provenance(script: str) -> str:
    """By what, when and on which machine: the first lines of a section."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    return f"""Measured with `python benchmarks/{script}` on {today}, at commit {commit()}.
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
