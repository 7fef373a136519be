"""Plays random contests of every format to the end, with simulated players.

Run as ``python -m tests.nightly.many_contests``. What every format promises is checked on the way. A contest
that breaks a promise is told with its seed; ``--contests 1 --seed SEED`` plays it again. Exit status 1 where
there is one.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random

from crownhead.contest import Contest, formats
from crownhead.contest.model import OptionValue
from crownhead.contest.options import Option
from crownhead.contest.tie_breaks import TIE_BREAKS
from tests.contest.checks import places_are_sound, really_met
from tests.contest.play import Club, Habits, field_of

PLAYED = [key for key, made in formats.FORMATS.items() if not made.timed]  # those have an end of their own
ONCE = {"swiss", "single-elimination"}  # formats in which nobody is met twice
LARGEST = {"round-robin": 24, "swiss": 60}


def contest_of(seed: int) -> Club:
    """Return a random contest with random players."""
    dice = Random(seed)
    key = dice.choice(PLAYED)
    made = formats.FORMATS[key]
    count = dice.randint(made.least, dice.choice([6, 12, min(LARGEST.get(key, 120), made.most)]))
    options = {one.key: chosen(one, dice) for one in made.options if dice.random() < 0.5}
    if key == "swiss" and int(options.get("rounds", 0)) >= count:
        options["rounds"] = count - 1
    habits = Habits(
        draws=dice.choice([0, 25, 60, 95]),
        no_shows=dice.choice([0, 3, 20]),
        both_absent=dice.choice([0, 1, 15]),
        withdrawals=dice.choice([0, 2, 10, 30]),
        byes_asked=dice.choice([0, 10]) if key == "swiss" else 0,
        late=dice.choice([0, 3]) if made.late else 0,
    )
    players = field_of(count)
    return Club(Contest(key, players, options=options, dice=dice.randrange(10**6)), habits, seed=seed)


def chosen(option: Option, dice: Random) -> OptionValue:
    """Return a random valid value."""
    if option.key == "tie_breaks":
        return ",".join(dice.sample(list(TIE_BREAKS), dice.randint(0, len(TIE_BREAKS))))
    if isinstance(option.default, bool):
        return dice.random() < 0.5
    if isinstance(option.default, int):
        return dice.randint(option.least, min(option.most, 12))
    return dice.choice(option.choices)


def fault(seed: int) -> tuple[str, str]:
    """The format of a contest, and what went wrong in it, if anything did."""
    club = contest_of(seed)
    key = club.contest.format
    try:
        end = club.to_the_end()
        for made in end.tables:
            places_are_sound(made)
        left = {player.key for player in club.contest.players if player.left is not None}
        assert left.isdisjoint(end.winners), "who has left wins nothing"
        if key in ONCE:
            assert max(really_met(club.contest).values(), default=1) == 1, "nobody is met twice"
    except Exception:
        return key, f"seed {seed}: {key} {dict(club.contest.options)}\n{traceback.format_exc(limit=3)}"
    return key, ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the contests, and report those that broke an invariant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(arguments)
    seeds = range(asked.seed, asked.seed + asked.contests)
    played: Counter[str] = Counter()
    faults = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for key, said in pool.map(fault, seeds, chunksize=10):
            played[key] += 1
            if said:
                faults.append(said)
    sys.stdout.write("".join(f"{count:6} {key}\n" for key, count in sorted(played.items())))
    sys.stdout.write("".join(f"{said}\n" for said in faults[:5]))
    sys.stdout.write(f"{len(faults)} of {asked.contests} broke a promise\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
