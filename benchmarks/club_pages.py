"""Times the lists of clubs of several sizes: `python benchmarks/club_pages.py small=FOLDER large=FOLDER`.

Each place is a data folder that `big_club.py` filled, or the URL of a PostgreSQL database with `TITLE=URL`.
Pages are asked for in one process, without a server, as a guest, as a member who has played as many games as
the one who has played most in the first of the clubs, and as the one who has played most. Times are
those of some visits with empty caches, beside those of the database: of CPU time, the median, where that is
SQLite; else of the clock, the quickest, for the machine may have other work. They go to results/, unless
`--dry` is given. `--plans` prints the plans of queries that took long. `--pages` leaves out the repeated
jobs, which in a club of millions change and delete much, writes a section of its own, and measures the clubs
in turns, of which the quickest counts for each page.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

VISITS = 7
ROUNDS = 3  # one club after the other, for a machine is not equally fast at every minute
SLOW = 0.005  # seconds


def main() -> None:
    """Measure each club in a process of its own, for the settings are made once."""
    parser = argparse.ArgumentParser(description="time the lists of clubs of several sizes")
    parser.add_argument("clubs", nargs="+", metavar="TITLE=PLACE")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    parser.add_argument("--plans", action="store_true", help="print the plans of slow queries")
    parser.add_argument("--pages", action="store_true", help="leave out the repeated jobs")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--played", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.here:
        from club_visits import visit_all

        json.dump(
            visit_all(
                visits=VISITS,
                slow=SLOW if chosen.plans else None,
                jobs=not chosen.pages,
                games=chosen.played,
            ),
            sys.stdout,
        )
        return
    found: dict[str, dict[str, Any]] = {}
    for _ in range(ROUNDS if chosen.pages else 1):  # the jobs change the club
        for title, place in _places(chosen.clubs):
            found[title] = _quicker(_measured(place, chosen), found.get(title))
            chosen.played = chosen.played or found[title]["club"]["played"]
    from club_pages_report import lines, write
    from sections import CLUBS, HUGE_CLUB

    for line in lines(found):
        print(" | ".join(line))
    if not chosen.dry:
        write(found, HUGE_CLUB if chosen.pages else CLUBS)


def _quicker(found: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    """Of each page the quicker of two rounds."""
    if before is None:
        return found
    pages = {
        name: min(page, before["pages"][name], key=lambda timed: timed["ms"])
        for name, page in found["pages"].items()
    }
    return found | {"pages": pages}


def _places(clubs: list[str]) -> list[tuple[str, str]]:
    pairs = [club.partition("=") for club in clubs]
    for title, sign, place in pairs:
        if not (title and sign and place):
            sys.exit(f"expected TITLE=PLACE, got {title!r}")
    return [(title, place) for title, _, place in pairs]


def _measured(place: str, chosen: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        is_url = "://" in place
        environment = os.environ | {"CROWNHEAD_DATA": folder if is_url else str(Path(place).resolve())}
        environment |= {"DATABASE_URL": place} if is_url else {}
        command = [sys.executable, __file__, "--here", "here=here"]
        command += [f"--{name}" for name in ("plans", "pages") if getattr(chosen, name)]
        command += ["--played", str(chosen.played)] if chosen.played else []
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
