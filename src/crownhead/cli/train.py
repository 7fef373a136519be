"""``crownhead train``: let the engine learn a variant from games with itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from crownhead.cli.arguments import Commands, add_command, add_variant, whole_number
from crownhead.engine.matches import EnginePlayer, Player, Tally, openings_of, play_match
from crownhead.engine.ray_crew import ray_crew
from crownhead.engine.thinking import Engine
from crownhead.engine.training import WEIGHTS, Course, alone, train

_DESCRIPTION = """
Let the engine play itself and fit what its pieces are worth to the results. The folder holds the positions of
each round and the weights; what is there is neither played nor fitted again, so it can be stopped and gone on
with. Endgame tables, where there are any, tell the results of positions with few pieces. At the end the
engine with its new weights plays a match against itself counting pieces.

At 512 nodes a move a thread of a fast machine plays about a hundred games a second, of eighty positions each.
"""
_EXAMPLES = (
    ("crownhead train --variant russian --games 2000 --rounds 2 --out learned", "a first idea, in minutes"),
    ("crownhead train --games 50000 --rounds 4 --threads 16 --out learned", "American checkers, at length"),
    (
        "crownhead train --games 20000 --rounds 5 --nodes 4000 --since 3 --newest 3 --out learned",
        "a fifth round that looks deeper",
    ),
    ("crownhead train --games 50000 --ray auto --out learned", "by the machines of a Ray cluster"),
)
_MATCH_NODES = 2000


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(
        commands, "train", purpose="let the engine learn", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_variant(parser)
    for name, least, most, default, purpose in (
        ("rounds", 1, 1000, 4, "each played with what was learned before"),
        ("games", 1, 10_000_000, 10_000, "of a round"),
        ("nodes", 1, 100_000_000, 512, "for a move"),
        ("threads", 1, 256, 1, "games played side by side"),
        ("seed", 0, 999_999, 0, "of the dice"),
        ("since", 1, 1000, 1, "the first round that the last fit learns from"),
        ("newest", 1, 100, 1, "times that positions of the last round count in it"),
        ("match", 0, 1_000_000, 100, "games against counting at the end"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=whole_number(least, most),
            default=default,
            help=f"{purpose} (default: {default})",
        )
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on the machines of a Ray cluster, without an address on this one (needs crownhead[ray])",
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where it is kept")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train, and tell of each round."""
    course = Course(
        arguments.variant,
        rounds=arguments.rounds,
        games=arguments.games,
        nodes=arguments.nodes,
        threads=arguments.threads,
        seed=arguments.seed,
        since=arguments.since - 1,
        newest=arguments.newest,
    )
    tables = course.opened()
    data = "none" if tables is None else f"up to {tables.most} pieces, {tables.folder}"
    print(f"Endgame tables: {data}", flush=True)
    crew = alone if arguments.ray is None else ray_crew(arguments.ray or None)
    for lap in train(course, arguments.out, crew=crew):
        print(
            f"round {lap.number + 1}: {lap.positions} positions, {lap.tabled} known to tables, "
            f"loss {lap.loss:.4f}, of positions held back {lap.unseen:.4f} (counting: {lap.counted:.4f})",
            flush=True,
        )
    print(f"Learned: {arguments.out / WEIGHTS}")
    if arguments.match:
        _match(arguments, (arguments.out / WEIGHTS).read_bytes())


def _match(arguments: argparse.Namespace, weights: bytes) -> None:
    """Show by games what was learned."""

    def players() -> tuple[Player, Player]:
        learned = Engine(arguments.variant, megabytes=4, weights=weights)
        counting = Engine(arguments.variant, megabytes=4, weights=b"")
        return EnginePlayer(learned, _MATCH_NODES), EnginePlayer(counting, _MATCH_NODES)

    openings = openings_of(arguments.variant, (arguments.match + 1) // 2, seed=arguments.seed)
    tally = Tally()
    for after_pair in play_match(openings, players, threads=arguments.threads):
        tally = after_pair
    print(f"Against counting, {_MATCH_NODES} nodes a move: {tally}")
