"""The part of results/ that tells what the lists of a club cost as it grows."""

from __future__ import annotations

from typing import Any

from sections import HUGE_CLUB, provenance, table, write_section

Found = dict[str, dict[str, Any]]


def lines(found: Found) -> list[list[str]]:
    """A line a page: its milliseconds in each club, and how many times those of the smallest they are."""
    (first, *_), made = found.values(), []
    for page in first["pages"]:
        cells = [page, *(_format(club["pages"].get(page)) for club in found.values())]
        for title, smallest in _pairs(found):
            large, small = (found[name]["pages"].get(page) for name in (title, smallest))
            cells.append(f"{large['ms'] / small['ms']:.1f}" if large and small else "–")
        made.append(cells)
    return made


def _format(one: dict[str, Any] | None) -> str:
    if one is None:
        return "–"
    wrong = "" if one["status"] in {None, 0, 200, 302} else f" [{one['status']}]"
    return f"{one['ms']:.1f} ({one['database']:.1f}){wrong}"


def _pairs(found: Found) -> list[tuple[str, str]]:
    """Each club but the first of its database, and that one."""
    firsts: dict[str, str] = {}
    pairs = []
    for title, club in found.items():
        smallest = firsts.setdefault(club["club"]["database"], title)
        if smallest != title:
            pairs.append((title, smallest))
    return pairs


def write(found: Found, heading: str) -> None:
    """Put the section where the last one was."""
    titles = list(found)
    heads = ["", *titles, *(f"{title} : {smallest}" for title, smallest in _pairs(found))]
    sizes = "; ".join(
        f"{title}: {club['club']['members']:,} members, {club['club']['games']:,} games"
        for title, club in found.items()
    )
    played = next(iter(found.values()))["club"]["played"]
    rounds = ", the quickest of three rounds" if heading == HUGE_CLUB else ""
    head = f"""{provenance("club_pages.py")}
Milliseconds of a page made in one process without a server, and in brackets those of the database: on
SQLite of CPU time, the median of seven visits{rounds}; on PostgreSQL of the clock, the quickest of seven.
Caches are empty. The member who is signed in has finished some {played} games, as many as the one who has
played most in the first club; only where it says so it is the one who plays most.
{sizes}."""
    write_section(heading, f"{head}\n\n{table(heads, lines(found))}")
