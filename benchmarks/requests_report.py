"""The part of results/ that tells what each kind of request costs."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import TYPE_CHECKING

from cold_start import GOAL
from sections import REQUESTS, provenance, table, write_section

if TYPE_CHECKING:
    from requests_cost import Found

FLOOR = "floor"
GOALS = {
    "move by the API": 2.0,
    "move by page, redirect": 3.0,
    "game page, member": 4.0,
    "game page, guest, after a move": 4.0,
    "game page, guest, again": 1.5,
    "my games": 5.0,
    "home, guest": 1.5,
    "waiting room, member": 5.0,
    "waiting room, guest": 1.5,
    "watch, member": 5.0,
    "watch, guest, after a move": 5.0,
    "watch, guest, again": 1.5,
    "players, guest": 1.5,
    "profile, guest": 1.5,
    "ladders, guest": 1.5,
    "leaderboard, guest": 1.5,
    "tournaments, guest": 1.5,
    "teams, guest": 1.5,
    "news, guest": 1.5,
    "help, guest": 1.5,
    "ratings, guest": 1.5,
    "games of a player, guest": 1.5,
    "rules, member": 1.5,
    "rules, guest": 1.5,
    "openapi.json": 1.5,
    "health": 1.5,
}
"""How many times the floor a kind may cost at most."""


def lines(found: Mapping[str, Found]) -> list[list[str]]:
    """A row for each kind: queries, milliseconds, times the floor, the goal, size of the answer."""
    floor = median(found[FLOOR].milliseconds)
    rows = []
    for kind, one in found.items():
        if kind.startswith("("):
            continue
        spent, goal = median(one.milliseconds), GOALS.get(kind)
        rows.append(
            [
                kind,
                f"{median(one.queries):.0f}",
                f"{spent:.2f}",
                f"{spent / floor:.2f}",
                "" if goal is None else f"{goal:g}",
                f"{one.size / 1024:.1f} KB",
            ]
        )
    return rows


def write(found: Mapping[str, Found], *, starts: tuple[float, float], load: float, rounds: int) -> None:
    """Put the section where the last one was; ``starts``: seconds of the first start, and of another."""
    first, again = starts
    heads = ["request", "queries", "CPU ms", "× floor", "goal", "answer"]
    text = f"""{provenance("requests_cost.py")}
CPU time of the process that answers, medians of {rounds} rounds in which all kinds take turns; the load was
{load:.1f} when it began. The floor is the least that a move by a form costs in Django (`site_floor.py`):
session, CSRF token, read a game, insert a row, change the game if it is as it was read, commit. Neither
includes the HTTP server; BEGIN and the like are not counted as queries. Answers are compressed. Pages buffer
who was there and which notifications were read; the process writes it later, as a server does (a row for the
whole round).

Until its first page is there, `crownhead serve` takes {first:.1f} s of CPU time for a new club, and
{again:.1f} s when it is started again (goal: {GOAL:g} s)."""
    write_section(REQUESTS, f"{text}\n\n{table(heads, lines(found))}")
