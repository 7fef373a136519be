"""``crownhead problems mine``: find problems in games."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice

from crownhead.cli.arguments import FILES, Commands, add_command, add_numbering, add_variant, whole_number
from crownhead.cli.games.inputs import add_output, output, total_of
from crownhead.cli.progress import Progress
from crownhead.cli.sources import opened, size_of
from crownhead.engine import Engine
from crownhead.notation.pdn import read
from crownhead.problems.games import Origin, engine_games, recorded
from crownhead.problems.mining import Effort, mine
from crownhead.problems.problem import written

_DESCRIPTION = """
Find positions in which only one move wins or draws. Each position of a game is searched briefly; what looks
like a problem is searched with more nodes and again with ten times as many, then its solution is played on
against the best defence. The same games give the same problems every time.

Besides games on record, or instead of them, the engine can play games against itself (--play).

The exit status is 0, 1 if a file is not text, or 2 if a file cannot be read.
"""
_MEGABYTES = 16  # of the transposition table: it is cleared for each move of a solution, which takes a while
_EXAMPLES = (
    ("crownhead problems mine games.pdn --out problems.jsonl", "problems of American checkers"),
    (
        "crownhead problems mine --variant spanish --play 100 --level 5 --out spanish.jsonl",
        "from a hundred games of the engine",
    ),
)


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "mine",
        purpose="find problems in games",
        description=_DESCRIPTION,
        examples=_EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help=FILES)
    add_variant(parser)
    add_numbering(parser)
    effort = Effort()
    for name, least, most, default, purpose in (
        ("play", 0, 1_000_000, 0, "number of games that the engine plays against itself"),
        ("level", 1, 9, 5, "level of these games"),
        ("seed", 0, 999_999_999, 1, "seed of the first of them"),
        ("nodes", 1_000, 100_000_000, effort.judged, "nodes of the search that judges a position"),
        ("each", 1, 100, effort.most_in_game, "most problems to take from a game"),
        ("most", 1, 1_000_000, 1_000_000, "number of problems after which to stop"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=whole_number(least, most),
            default=default,
            help=f"{purpose} (default: {default})",
        )
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Write the problems that are found; raises ``Unreadable`` and ``OSError``."""
    engine = Engine(arguments.variant, megabytes=_MEGABYTES)
    effort = Effort(judged=arguments.nodes, most_in_game=arguments.each)
    with (
        Progress("mining", total=total_of(arguments.files)) as progress,
        output(arguments.out, other_than=arguments.files) as file,
    ):
        problems = mine(engine, _games(arguments, engine, progress), effort)
        for problem in islice(problems, arguments.most):
            file.write(f"{written(problem)}\n".encode())
            file.flush()


def _games(arguments: argparse.Namespace, engine: Engine, progress: Progress) -> Iterator[Origin]:
    before = 0
    for name in arguments.files:
        with opened(name) as source:
            games = read(
                source,
                variant=arguments.variant,
                numbering=arguments.numbering,
                on_error=lambda error: progress.print(str(error)),
                on_warning=lambda _: None,
            )
            for game in games:
                progress.show(before + source.done)
                if game.variant == engine.variant:
                    yield recorded(game)
        before += size_of(name)
    yield from engine_games(engine, count=arguments.play, level=arguments.level, seed=arguments.seed)
