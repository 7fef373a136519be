"""A day of a large club, with time to think: `PYTHONPATH=. python benchmarks/day.py --data FOLDER`.

The folder is one that `big_club.py` filled lately; its club is served with `--workers` processes, and moves
are made in its games. More and more people visit it at once. Each opens a page, thinks for ten seconds in the
middle, and goes on as members and guests do: their games, a move, games of others, lists, profiles. Each has
a connection for pages, one for the stream of events, and keeps pages with their validators as browsers do.
The number grows until 99 of a hundred pages no longer come within a tenth of a second, and beyond; then
numbers between are tried. With `--dry` the figures are only printed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import time
from pathlib import Path

from day_people import Crowd, Step
from day_report import line, write
from tests.club import Club

GOAL = 0.1  # seconds within which 99 of a hundred pages are to come
FIRST, GROWTH = 100, 1.6  # people, and how many times as many there are at the next step
BETWEEN = 2  # numbers tried between what went well and what did not
# Clients of one machine are no abuse here, and nobody is turned away.
ENVIRONMENT = {
    "CROWNHEAD_LIMITS": "pages=none moves=none api=none offers=none",
    "CROWNHEAD_CONNECTIONS_PER_ADDRESS": "0",
    "CROWNHEAD_STREAMS": "100000",
    "CROWNHEAD_STREAMS_PER_ADDRESS": "100000",
}


def main() -> None:
    """Prepare members, serve the club, let more and more people in."""
    chosen = _options()
    random.seed(1)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    began, load = time.monotonic(), os.getloadavg()[0]
    from day_scene import set_up

    scene = set_up(chosen.data, chosen.most)
    print(f"{len(scene.members)} members ready after {time.monotonic() - began:.0f} s", flush=True)
    club = Club(chosen.data, workers=chosen.workers, environment=ENVIRONMENT)
    club.start()
    try:
        steps = asyncio.run(_steps(Crowd(club, scene, chosen.seconds), chosen))
    finally:
        club.stop()
    if not chosen.dry:
        write(steps, scene=scene, workers=chosen.workers, load=load, goal=GOAL)


async def _steps(crowd: Crowd, chosen: argparse.Namespace) -> list[Step]:
    """What was measured with each number of people, in order of the numbers."""
    steps: list[Step] = []
    people = chosen.first
    ends = time.monotonic() + chosen.longest
    while sum(step.p99 >= GOAL for step in steps) < 2 and people <= chosen.most and time.monotonic() < ends:
        steps.append(await _step(crowd, people))
        people = round(people * GROWTH)
    for _ in range(BETWEEN):
        well = [step.people for step in steps if step.p99 < GOAL]
        badly = [step.people for step in steps if step.p99 >= GOAL]
        if not well or not badly or time.monotonic() > ends:
            break
        steps.append(await _step(crowd, round((max(well) * min(badly)) ** 0.5)))
    await crowd.become(0)
    return sorted(steps, key=lambda step: step.people)


async def _step(crowd: Crowd, people: int) -> Step:
    step = await crowd.measure(people)
    print(" | ".join(line(step)), flush=True)
    return step


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="replay a day of a large club with more and more people")
    parser.add_argument("--data", type=Path, required=True, help="a data folder that big_club.py filled")
    parser.add_argument("--workers", type=int, default=2, help="processes of the server")
    parser.add_argument(
        "--seconds", type=float, default=15, help="how long each number of people is measured"
    )
    parser.add_argument("--longest", type=float, default=330, help="seconds after which no step begins")
    parser.add_argument("--first", type=int, default=FIRST, help="people at the first step")
    parser.add_argument("--most", type=int, default=4000, help="the most people")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
