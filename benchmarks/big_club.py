"""Makes a large club to measure: `python benchmarks/big_club.py --data FOLDER --members 300000`.

Its games are legal and varied, of every variant of the package, but only `--played` of them are different:
they are played once and lent to many pairs of players, on other days and cut off at other plies. Players,
ratings, changes of ratings, notifications, the outbox, sessions and talk come in the proportions of a club
in which few play much. The folder, or the PostgreSQL database that DATABASE_URL names, must be new. Everybody
has the password that the end of the run tells. The largest clubs come about fastest by `--copies`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random

PASSWORD = "large-club"


def main() -> None:
    """Read the options, make the tables, fill them."""
    chosen = _options()
    from crownhead.server.ops.commands import open_folder

    open_folder(chosen.data)
    from django.db import connection

    from crownhead.server.accounts.selectors import User
    from crownhead.server.ops.starting import upkeep

    began = time.monotonic()
    upkeep.migrate()
    if User.objects.filter(email__endswith="@example.org").exists():
        sys.exit(f"expected a new club, but there are members in {chosen.data} already")
    _hurry()
    import big_club_copies
    import big_club_games
    import big_club_people
    import big_club_play
    from big_club_rows import without_indexes

    dice = Random(chosen.seed)
    played = big_club_games.play(min(chosen.played, chosen.games), dice)
    sys.stdout.write(f"{len(played):>10,} games played in {time.monotonic() - began:.0f} s\n")
    with without_indexes():
        people = big_club_people.people(chosen.members, dice=dice, password=PASSWORD)
        big_club_play.games(
            chosen.games, played, people, dice=dice, running=chosen.running, waiting=chosen.waiting
        )
        big_club_copies.copy(chosen.copies, chosen.members)
    if connection.vendor == "postgresql":  # which does so by itself after a while; the club's SQLite never
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    took, name = time.monotonic() - began, people.name(people.busiest)
    sys.stdout.write(f"{took:.0f} s in all; sign in as {name} with the password {PASSWORD}\n")


def _hurry() -> None:
    """Let SQLite leave out what protects a file that cannot be made again."""
    from django.db import connection

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")
            cursor.execute("PRAGMA cache_size=-400000")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="make a large club to measure")
    parser.add_argument("--data", type=Path, required=True, help="the data folder, a new one")
    parser.add_argument("--members", type=int, default=300_000)
    parser.add_argument("--games", type=int, default=500_000)
    parser.add_argument("--played", type=int, default=2_000, help="how many of the games are different")
    parser.add_argument("--copies", type=int, default=0, help="how many times all games are copied, up to 56")
    parser.add_argument("--running", type=float, default=0.15, help="the share of games in progress")
    parser.add_argument("--waiting", type=float, default=0.03, help="the share in the waiting room")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.members < 10 or chosen.games < 10:
        parser.error("expected at least 10 members and 10 games")
    if not 0 <= chosen.copies <= 56:
        parser.error("expected --copies to be from 0 to 56")
    if not 0 <= chosen.running + chosen.waiting <= 1:
        parser.error("expected --running and --waiting to be at most 1 together")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crownhead.server.config.settings")
    return chosen


if __name__ == "__main__":
    main()
