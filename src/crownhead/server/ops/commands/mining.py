"""The command `crownhead mine`: problems from the mistakes of reviewed games, into a file of the data folder.

Django's models are imported only when it runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crownhead.server.core import clock

if TYPE_CHECKING:
    from crownhead.problems.problem import Problem
    from crownhead.server.analysis.reviews.selectors.mistakes import ReviewedGame

FILE = "reviews.jsonl"
_DAYS, _MOST = 30, 100
_PURPOSE = "find problems in the mistakes of reviewed games"
_DESCRIPTION = f"""
Look at the mistakes in public games that were reviewed lately. If only one move would have won or drawn,
and a search of ten times as many positions confirms it, the position becomes a problem of the club: it is
added to problems/{FILE} in the data folder, without the names of the players, and offered after the next
start.
"""
Command = Callable[[argparse.Namespace], None]


def register(
    subparsers: Any,
    *,
    add_data: Callable[[argparse.ArgumentParser], None],
    with_exit_status: Callable[[Command], Callable[[argparse.Namespace], int]],
    open_folder: Callable[[Path | None], None],
) -> None:
    """Add the command to the parser of `crownhead`."""

    def run(options: argparse.Namespace) -> None:
        open_folder(options.data)
        from crownhead.server.ops.starting import upkeep

        upkeep.migrate()
        mine_reviews(days=options.days, most=options.most)

    mine = subparsers.add_parser("mine", help=_PURPOSE, description=_DESCRIPTION)
    for name, default, purpose in (
        ("days", _DAYS, "look at the reviews of the last N days"),
        ("most", _MOST, "stop after N problems"),
    ):
        mine.add_argument(
            f"--{name}", type=int, metavar="N", default=default, help=f"{purpose} (default: %(default)s)"
        )
    add_data(mine)
    mine.set_defaults(run=with_exit_status(run))


def mine_reviews(*, days: int, most: int, nodes: int | None = None) -> None:
    """Add what is found to the file, a line at a time; ``nodes`` of the search that judges a position."""
    from django.conf import settings

    from crownhead.problems.problem import written
    from crownhead.server.analysis.reviews.selectors.mistakes import public_mistakes
    from crownhead.server.problems.selectors.collection import problems_of_the_club

    now, count = clock.now(), 0
    games = public_mistakes(since=now - timedelta(days=days), now=now)
    path: Path = settings.HOUSE_PROBLEMS / FILE
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for problem in problems_in(games, known=problems_of_the_club(), nodes=nodes):
            file.write(f"{written(problem)}\n")
            file.flush()
            count += 1
            if count == most:
                break
    sys.stdout.write(f"Problems added to {path}: {count}\n")


def problems_in(
    games: Iterable[ReviewedGame], *, known: Collection[str], nodes: int | None = None
) -> Iterator[Problem]:
    """The problems in mistakes, without the ``known`` keys; a game gives two at most, none at its start."""
    from crownhead.engine import Engine
    from crownhead.problems.judging import Judge
    from crownhead.problems.mining import Effort, problem_if_it_stands
    from crownhead.problems.problem import key_of

    effort = Effort() if nodes is None else Effort(judged=nodes, followed=nodes)
    judges: dict[str, Judge] = {}
    seen = set(known)
    for game in games:
        count = 0
        for ply, position in game.positions.items():
            variant, key = position.variant_key, key_of(position.variant_key, position.fen())
            if ply < effort.skipped or count == effort.most_in_game or key in seen:
                continue
            seen.add(key)
            judge = judges.setdefault(variant, Judge(Engine(variant)))
            source = f"a reviewed game of this club, {game.game_id}, ply {ply}"
            problem = problem_if_it_stands(judge, position, source, effort)
            if problem is not None:
                count += 1
                yield problem
