"""What games against the strongest computer do to pages, for results/: `python benchmarks/engine_load.py`.

A club is served over loopback by a process for each core. Readers ask for a game and a member stores
something, some times a second as people do: first by themselves, then while twenty others play level 1, and
level 10. What these ask for is the same, so the difference is what the searches do. With `--dry` the figures
are only printed.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from statistics import median
from typing import Any

from sections import ENGINE, provenance, table, write_section
from tests.club import Club, Player
from workers import a_game, served

OTHERS, LEVELS = 20, (1, 10)
THINKING = 2.0  # seconds between two looks of a player at their game
READERS, PAUSE = 4, 0.1  # seconds between two requests of a reader
SECONDS = 30.0


def newcomer(club: Club, name: str) -> Player:
    """A member who has just signed up."""
    player = Player(club.port, name)
    player.register()
    return player


@contextmanager
def playing_the_computer(players: list[Player], level: int) -> Iterator[None]:
    """These members play the computer."""
    over = threading.Event()

    def play(player: Player) -> None:
        terms = {"variant": "american", "colour": "first", "days_per_move": 3, "computer": level}
        game = player.expect(201, "POST", "/games", terms)
        while not over.wait(THINKING):
            game = player.expect(200, "GET", f"/games/{game['id']}")
            if game["status"] != "playing":
                game = player.expect(201, "POST", "/games", terms)
            elif game["turn"] == "first":
                move = {"move": game["legal_moves"][0]["notation"], "version": game["version"]}
                player.expect(200, "POST", f"/games/{game['id']}/moves", move)

    threads = [threading.Thread(target=play, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def repeatedly(ask: Callable[[], Any], took: list[float]) -> None:
    """Do it again and again for the time of the measurement, with pauses."""
    until = time.monotonic() + SECONDS
    while (begun := time.monotonic()) < until:
        ask()
        took.append(time.monotonic() - begun)
        time.sleep(PAUSE)


def measured(game: str, reader: Player, notes: Player) -> dict[str, list[float]]:
    """How long readers wait for a game, and a member for something that is written."""
    reads: list[list[float]] = [[] for _ in range(READERS)]
    writes: list[float] = []

    def read() -> None:
        reader.expect(200, "GET", f"/games/{game}")

    works = [threading.Thread(target=repeatedly, args=(read, took)) for took in reads]
    sounds = cycle(("on", "off"))

    def write() -> None:
        notes.expect(200, "PATCH", "/preferences", {"sound": next(sounds)})

    works.append(threading.Thread(target=repeatedly, args=(write, writes)))
    for work in works:
        work.start()
    for work in works:
        work.join()
    return {
        "a game by the API": [took for one in reads for took in one],
        "a preference that is stored": writes,
    }


def lines(found: dict[str, dict[str, list[float]]]) -> list[list[str]]:
    """The rows of the table."""
    return [
        [what, when, *(f"{1000 * value:.0f} ms" for value in _middle_and_last(took))]
        for when, by_kind in found.items()
        for what, took in by_kind.items()
    ]


def _middle_and_last(took: list[float]) -> tuple[float, float]:
    ordered = sorted(took)
    return median(ordered), ordered[int(0.99 * len(ordered))]


def main() -> None:
    """Measure, print, and write the section."""
    parser = argparse.ArgumentParser(description="measure what games against the computer do to pages")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    chosen = parser.parse_args()
    load, found = os.getloadavg()[0], {}
    with served(os.cpu_count() or 1) as club:
        reader, game = a_game(club)
        writer = newcomer(club, "wanda")
        found["nobody plays the computer"] = measured(game, reader, writer)
        players = [newcomer(club, f"member{number}") for number in range(OTHERS)]
        for level in LEVELS:
            with playing_the_computer(players, level):
                found[f"{OTHERS} play level {level}"] = measured(game, reader, writer)
    rows = lines(found)
    for row in rows:
        print(" | ".join(row))
    if not chosen.dry:
        text = f"""{provenance("engine_load.py")}
{READERS} readers and a writer ask ten times a second each for {SECONDS:.0f} seconds, on SQLite, from the same
machine, whose load was {load:.1f} when it began."""
        write_section(ENGINE, f"{text}\n\n{table(['what', 'while', 'p50', 'p99'], rows)}")


if __name__ == "__main__":
    main()
