"""``crownhead train``: let the engine learn a variant from games with itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from crownhead.cli.arguments import Commands, add_command, add_variant, whole_number
from crownhead.engine.distributed import ray_runner
from crownhead.engine.engine import Engine
from crownhead.engine.matches import EnginePlayer, Player, Tally, openings_of, play_match
from crownhead.engine.training import WEIGHTS, TrainingConfig, run_locally, train

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


def run(chosen: argparse.Namespace) -> None:
    """Train, and tell of each round."""
    config = TrainingConfig(
        chosen.variant,
        rounds=chosen.rounds,
        games=chosen.games,
        nodes=chosen.nodes,
        threads=chosen.threads,
        seed=chosen.seed,
        since=chosen.since - 1,
        newest=chosen.newest,
    )
    tables = config.open_tables()
    told = "none" if tables is None else f"up to {tables.most} pieces, {tables.folder}"
    print(f"Endgame tables: {told}", flush=True)
    runner = run_locally if chosen.ray is None else ray_runner(chosen.ray or None)
    for result in train(config, chosen.out, runner=runner):
        print(
            f"round {result.number + 1}: {result.positions} positions, {result.relabelled} known to tables, "
            f"loss {result.training_loss:.4f}, of positions held back {result.validation_loss:.4f} "
            f"(counting: {result.material_loss:.4f})",
            flush=True,
        )
    print(f"Learned: {chosen.out / WEIGHTS}")
    if chosen.match:
        _match(chosen, (chosen.out / WEIGHTS).read_bytes())


def _match(chosen: argparse.Namespace, weights: bytes) -> None:
    """Show by games what was learned."""

    def players() -> tuple[Player, Player]:
        learned = Engine(chosen.variant, megabytes=4, weights=weights)
        counting = Engine(chosen.variant, megabytes=4, weights=b"")
        return EnginePlayer(learned, _MATCH_NODES), EnginePlayer(counting, _MATCH_NODES)

    openings = openings_of(chosen.variant, (chosen.match + 1) // 2, seed=chosen.seed)
    tally = Tally()
    for after_pair in play_match(openings, players, threads=chosen.threads):
        tally = after_pair
    print(f"Against counting, {_MATCH_NODES} nodes a move: {tally}")
