"""``crownhead train``: train the engine for a variant by self-play."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from crownhead.cli.arguments import Commands, add_command, add_variant, whole_number
from crownhead.engine.distributed import ray_runner
from crownhead.engine.engine import Engine
from crownhead.engine.matches import EnginePlayer, Player, Tally, openings_of, play_match
from crownhead.engine.networks import evaluation, read
from crownhead.engine.training import (
    EPOCHS,
    WEIGHTS,
    Runner,
    SelfPlayBatch,
    TrainingConfig,
    positions_in,
    run_locally,
    train,
    train_network,
)
from crownhead.engine.weights import shipped
from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_DESCRIPTION = """
Train the engine: it plays games against itself and fits its weights to the results. The folder stores the
positions of each round and the weights; finished parts are not repeated, so training can be stopped and
continued at any time. Endgame tables, if there are any, correct the results of positions with few pieces. At
the end the engine with its new weights plays a match against a version that only counts pieces.

With 512 nodes per move, one thread of a fast machine plays about a hundred games per second, of eighty
positions each.
"""
_EXAMPLES = (
    ("crownhead train --variant russian --games 2000 --rounds 2 --out learned", "a quick start, in minutes"),
    ("crownhead train --games 50000 --rounds 4 --threads 16 --out learned", "American checkers, thoroughly"),
    (
        "crownhead train --games 20000 --rounds 5 --nodes 4000 --since 3 --newest 3 --out learned",
        "a fifth round with a deeper search",
    ),
    (
        "crownhead train --variant italian --from shipped --rounds 1 --nodes 800 --out learned",
        "one more round, starting from the weights of the package",
    ),
    (
        "crownhead train --from shipped --rounds 1 --games 100000 --nodes 2000 --explore 14 --trust 0 "
        "--network --out learned",
        "American checkers: the next generation of weights and network",
    ),
    ("crownhead train --games 50000 --ray auto --out learned", "on the machines of a Ray cluster"),
)
_MATCH_NODES = 2000


def register(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands, "train", purpose="train the engine", description=_DESCRIPTION, examples=_EXAMPLES
    )
    add_variant(parser)
    for name, least, most, default, purpose in (
        ("rounds", 1, 1000, 4, "number of rounds, each played with the weights of the previous one"),
        ("games", 1, 10_000_000, 10_000, "games per round"),
        ("nodes", 1, 100_000_000, 512, "nodes per move"),
        ("explore", 0, 100, 0, "percent of moves made at random, for positions that good play avoids"),
        ("threads", 1, 256, 1, "games played in parallel"),
        ("seed", 0, 999_999, 0, "random seed"),
        ("since", 1, 1000, 1, "first round whose positions are used in the last fit"),
        ("newest", 1, 100, 1, "weight of the last round's positions in that fit"),
        ("trust", 0, 100, 10, "percent of game results in what is learned; the rest is scores of the search"),
        ("match", 0, 1_000_000, 100, "games of the final match"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="N",
            type=whole_number(least, most),
            default=default,
            help=f"{purpose} (default: {default})",
        )
    parser.add_argument(
        "--from",
        dest="players",
        metavar="WEIGHTS",
        help="'shipped' or a file of weights, with a network perhaps, to play the first round with and start "
        "the fit from "
        "(default: none)",
    )
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on a Ray cluster, or on this machine without an address (requires crownhead[ray])",
    )
    parser.add_argument(
        "--network",
        action="store_true",
        help="at the end, also fit a network that corrects the weights (best with millions of positions)",
    )
    parser.add_argument(
        "--keep-weights",
        action="store_true",
        help="fit only a network; the weights of --from stay as they are",
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="the training folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train, and print the result of each round."""
    row = variant_of(arguments.variant)  # a process elsewhere may not know the key
    players, network = _players(arguments.players, row)
    config = TrainingConfig(
        row,
        rounds=arguments.rounds,
        games=arguments.games,
        nodes=arguments.nodes,
        exploration=arguments.explore,
        threads=arguments.threads,
        seed=arguments.seed,
        since=arguments.since - 1,
        newest=arguments.newest,
        result_weight=arguments.trust / 100,
        players=players,
        network=network,
        epochs=0 if arguments.keep_weights else EPOCHS,
    )
    tables = config.open_tables()
    data = "none" if tables is None else f"up to {tables.most} pieces, {tables.folder}"
    print(f"Endgame tables: {data}", flush=True)
    runner = run_locally if arguments.ray is None else ray_runner(arguments.ray or None)
    for result in train(config, arguments.out, runner=_with_progress(runner)):
        print(
            f"round {result.number + 1}: {result.positions} positions, {result.relabelled} known to tables, "
            f"loss {result.training_loss:.4f}, of positions held back {result.validation_loss:.4f} "
            f"(counting: {result.material_loss:.4f})",
            flush=True,
        )
    print(f"Learned: {arguments.out / WEIGHTS}")
    fitted = b""
    if arguments.network or arguments.keep_weights:
        beside = train_network(config, arguments.out)
        fitted = beside.network
        print(
            f"network: {beside.positions} positions, loss of positions held back {beside.loss:.4f} "
            f"(weights alone: {beside.loss_without:.4f})"
        )
    if arguments.match:
        _match(arguments, (arguments.out / WEIGHTS).read_bytes() + fitted)


def _players(name: str | None, row: Variant) -> tuple[bytes, bytes]:
    """Weights of a name and the network beside them, if any; ``CrownheadError`` where there are no weights.

    Raises ``OSError`` for a missing file.
    """
    if name is None:
        return b"", b""
    if name == "shipped":
        if weights := shipped(row):
            return weights, evaluation(row)[len(weights) :]
        raise CrownheadError(f"expected a variant whose weights come with the package, got {row.key}")
    return read(Path(name), row)


def _with_progress(runner: Runner) -> Runner:
    """The runner, which prints after each batch how fast games are played and how long the round takes."""

    def run_and_report(missing: Iterable[SelfPlayBatch]) -> Iterator[tuple[SelfPlayBatch, bytes]]:
        batches = list(missing)
        began, games, positions = time.monotonic(), 0, 0
        for batch, samples in runner(batches):
            games += batch.games
            positions += positions_in(samples, batch.config.variant)
            seconds = time.monotonic() - began
            left = seconds / games * (sum(each.games for each in batches) - games)
            print(
                f"round {batch.round + 1}, batch {batch.number + 1}: {games} games and {positions} positions "
                f"so far, {positions / seconds:.0f} positions a second, {left / 60:.0f} min left",
                flush=True,
            )
            yield batch, samples

    return run_and_report


def _match(arguments: argparse.Namespace, weights: bytes) -> None:
    """Play the final match."""

    def players() -> tuple[Player, Player]:
        learned = Engine(arguments.variant, megabytes=4, weights=weights)
        counting = Engine(arguments.variant, megabytes=4, weights=b"")
        return EnginePlayer(learned, _MATCH_NODES), EnginePlayer(counting, _MATCH_NODES)

    openings = openings_of(arguments.variant, (arguments.match + 1) // 2, seed=arguments.seed)
    tally = Tally()
    for after_pair in play_match(openings, players, threads=arguments.threads):
        tally = after_pair
    print(f"Against counting, {_MATCH_NODES} nodes a move: {tally}")
