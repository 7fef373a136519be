"""Training of the evaluation: rounds of self-play, each followed by a fit of the weights.

A folder holds everything: the training data of each round in batches (``round-000-000.samples``), the weights
fitted to all rounds so far (``round-000.bin``) with their losses (``round-000.json``), the newest weights
again (``weights.bin``) and as the package ships them (``<variant>.weights``). A batch that is there is not
played again, and a round that has been fitted is finished, so training that was stopped can be resumed.
Weights that training began with are kept, too (``players.bin``). A network that is fitted beside the newest
weights is ``network.bin``, and ``<variant>.network`` as the package ships it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from crownhead._kernel import Trainer
from crownhead.engine import networks
from crownhead.engine.certainty import certain_wins
from crownhead.engine.matches import deck_of
from crownhead.engine.random_endgames import random_endgames
from crownhead.engine.tables import Tables
from crownhead.engine.tables.available import available
from crownhead.engine.weights import SUFFIX, pack, unpack
from crownhead.rules.errors import CrownheadError
from crownhead.rules.fingerprint import fingerprint
from crownhead.rules.kernel import kernel_variant
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant
from crownhead.rules.variants import STOCK

WEIGHTS = "weights.bin"
NETWORK = "network.bin"
RULES = "rules.txt"  # the fingerprint of a row that does not come with the package
PLAYERS = "players.bin"  # the weights of the first round's players, where there were any
GAMES_PER_BATCH = 2000  # fewer in the last batch of a round
EPOCHS = 8  # of the fit of the weights
# See FitOptions in the kernel. Weights are expected to differ less from those of players who have learned.
_LEARNING_RATE = 0.2
_DEVIATION_FROM_MATERIAL, _DEVIATION_FROM_PLAYERS = 80.0, 40.0
# The names of the fields of a ``RoundResult`` in its file.
_STORED_AS = {
    "number": "number",
    "positions": "positions",
    "relabelled": "tabled",
    "training_loss": "loss",
    "validation_loss": "unseen",
    "material_loss": "counted",
}


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Self-play of ``rounds`` of ``games``, at ``nodes`` a move, after up to ``random_plies``, and the fits.

    Behind those ``exploration`` percent of the moves are random, too (epsilon-greedy), which makes positions
    that good play avoids, but a search meets; results of such games tell less than scores.

    With ``tables`` the available endgame tables label training data: games end at positions that they know,
    and the fit takes their results. It makes ``epochs`` passes over the data; ``result_weight`` is the share
    of the result of the game in the target, the rest is the score of the search. The fit of the last round
    leaves out the rounds before ``since``, whose players were weak, and counts the data of the last round
    ``newest`` times, which pays where it was searched more deeply. The first round is played with the weights
    ``players``, from which every fit begins; without any, both are those of the material evaluation. A
    ``network`` beside these weights plays that round, too. With no ``epochs`` the weights stay as they are.
    """

    variant: str | Variant
    rounds: int = 4
    games: int = 10_000
    nodes: int = 512
    random_plies: int = 8
    exploration: int = 0
    threads: int = 1
    epochs: int = EPOCHS
    result_weight: float = 0.1
    seed: int = 0
    tables: bool = True
    since: int = 0
    newest: int = 1
    players: bytes = b""
    network: bytes = b""

    def is_last(self, number: int) -> bool:
        """Whether no round comes after this one."""
        return number == self.rounds - 1

    def open_tables(self) -> Tables | None:
        """The endgame tables that label the data; None: there are none, or they are not wanted."""
        return available(self.variant) if self.tables else None


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The result of a round: how many positions the weights are fitted to, and how well they predict results.

    Endgame tables have ``relabelled`` so many positions, those of the validation set among them. Losses are
    mean cross-entropies, lower is better: ``training_loss`` in the last epoch, ``validation_loss`` of
    positions that were held back, ``material_loss`` of the same by the material evaluation.
    """

    number: int
    positions: int
    relabelled: int
    training_loss: float
    validation_loss: float
    material_loss: float


@dataclass(frozen=True, slots=True)
class NetworkResult:
    """A network beside weights: how many positions it is fitted to, and how well it predicts the targets.

    Losses are mean cross-entropies of positions held back, with the network and by the weights alone.
    """

    network: bytes
    positions: int
    loss: float
    loss_without: float


@dataclass(frozen=True, slots=True)
class SelfPlayBatch:
    """Some games of a round, with all that is needed to play them on any machine with the same result.

    ``pieces`` are the most that the endgame tables must know, 0 without tables.
    """

    config: TrainingConfig
    round: int
    number: int
    games: int
    weights: bytes
    pieces: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"round-{self.round:03}-{self.number:03}.samples"


Runner = Callable[[Iterable[SelfPlayBatch]], Iterator[tuple[SelfPlayBatch, bytes]]]


def run_locally(batches: Iterable[SelfPlayBatch]) -> Iterator[tuple[SelfPlayBatch, bytes]]:
    """Play one batch after the other in this process."""
    for batch in batches:
        yield batch, play_batch(batch)


def train(config: TrainingConfig, folder: Path, *, runner: Runner = run_locally) -> Iterator[RoundResult]:
    """Play and fit round after round; each round's games are played with the weights of the one before.

    ``runner`` plays the missing batches, in any order. Raises ``CrownheadError`` where no round is left to
    fit the weights to, and where the first round in the folder had other players.
    """
    if not 0 <= config.since < config.rounds:
        raise CrownheadError(f"expected one of {config.rounds} rounds to begin with, got {config.since + 1}")
    folder.mkdir(parents=True, exist_ok=True)
    _require_own_rules(folder, variant_of(config.variant))
    _require_same_players(folder, config.players + config.network)
    weights = config.players + config.network
    for number in range(config.rounds):
        stored = _stored_result(config, folder, number)
        if stored is None:
            for batch, samples in runner(_missing_batches(config, folder, number, weights)):
                _write(folder / batch.name, samples)
        result = stored or _fit(config, folder, number)
        weights = (folder / f"round-{number:03}.bin").read_bytes()
        if stored is None or config.is_last(number):
            _publish(folder, config.variant, weights)
        yield result


def train_network(config: TrainingConfig, folder: Path) -> NetworkResult:
    """Fit a network beside the newest weights of the folder, to the data of the last fit; store it."""
    weights = (folder / WEIGHTS).read_bytes()
    found = NetworkResult(
        *Trainer(kernel_variant(variant_of(config.variant))).fit_network(
            _training_data(config, folder, config.rounds - 1),
            weights,
            result_weight=config.result_weight,
            seed=config.seed,
            **_table_labels(config.variant, config.open_tables()),
        )
    )
    _write(folder / NETWORK, found.network)
    content = networks.pack(found.network, config.variant, _as_shipped(weights, config.variant))
    _write(folder / f"{variant_of(config.variant).key}{networks.SUFFIX}", content)
    return found


def _as_shipped(weights: bytes, variant: str | Variant) -> bytes:
    """Weights as a file of the package gives them, where they are rounded."""
    return unpack(pack(weights, variant), variant)


def _require_own_rules(folder: Path, row: Variant) -> None:
    """Note the rules of a row that is not the package's: its key does not tell them from later ones."""
    if STOCK.get(row.key) == row:
        return
    noted = folder / RULES
    if not noted.exists():
        _write(noted, fingerprint(row).encode())
    elif noted.read_text("ascii") != fingerprint(row):
        raise CrownheadError(f"expected a folder trained by the rules of {row.key} as they are, got {folder}")


def _require_same_players(folder: Path, players: bytes) -> None:
    """Note the weights that training began with: neither games nor fits tell them."""
    noted = folder / PLAYERS
    if players and not any(folder.glob("round-*")):
        _write(noted, players)
    elif players != (noted.read_bytes() if noted.exists() else b""):
        raise CrownheadError(f"expected a folder whose first round had the same players, got {folder}")


def play_batch(batch: SelfPlayBatch) -> bytes:
    """The training data of a batch. Raises ``CrownheadError`` where the endgame tables are others."""
    config = batch.config
    tables = config.open_tables()
    most = 0 if tables is None else tables.most
    if most != batch.pieces:
        raise CrownheadError(f"expected endgame tables of up to {batch.pieces} pieces, got some of {most}")
    seed = (config.seed * 1000 + batch.round) * 1000 + batch.number
    return Trainer(kernel_variant(variant_of(config.variant))).play(
        start_positions(config.variant, seed, endgames=bool(batch.weights)),
        batch.weights,
        games=batch.games,
        nodes=config.nodes,
        random_plies=config.random_plies,
        exploration=config.exploration,
        seed=seed,
        threads=config.threads,
        **_table_labels(config.variant, tables),
    )


def positions_in(samples: bytes, variant: str | Variant) -> int:
    """How many positions are in the training data of a batch."""
    return len(samples) // Trainer(kernel_variant(variant_of(variant))).sample_size


def start_positions(variant: str | Variant, seed: int, *, endgames: bool) -> list[Position]:
    """The start positions of a batch, in turn.

    These are the start of the variant and the ballots of a deck made for it. With ``endgames`` every fourth
    game begins with a random endgame, for players that have learned something.
    """
    deck = deck_of(variant)
    start = Position.start(variant)
    openings = [start] if deck is None else [start, *(ballot.position(variant) for ballot in deck.ballots)]
    drawn = random_endgames(variant, GAMES_PER_BATCH // 4, seed=seed) if endgames else []
    if not drawn:
        return [position for opening in openings for position in (start, opening)]
    turns = cycle(openings)
    return [position for endgame in drawn for position in (start, next(turns), next(turns), endgame)]


def _missing_batches(
    config: TrainingConfig, folder: Path, number: int, weights: bytes
) -> Iterator[SelfPlayBatch]:
    """The batches of a round that are still to be played."""
    tables = config.open_tables()
    for order, begin in enumerate(range(0, config.games, GAMES_PER_BATCH)):
        games = min(GAMES_PER_BATCH, config.games - begin)
        batch = SelfPlayBatch(config, number, order, games, weights, 0 if tables is None else tables.most)
        if not (folder / batch.name).exists():
            yield batch


def _table_labels(variant: str | Variant, tables: Tables | None) -> dict[str, Any]:
    """The endgame tables for the kernel, and within how many plies no draw rule overtakes their wins."""
    if tables is None:
        return {}
    row = variant_of(variant)
    within = [certain_wins(row.draws, pieces) for pieces in range(row.board.squares + 1)]
    return {"tables": tables.kernel, "within": within}


def _training_data(config: TrainingConfig, folder: Path, number: int) -> list[bytes]:
    """What the fit of a round learns from: the batches of the rounds up to this one."""
    last = config.is_last(number)
    rounds = range(config.since if last else 0, number + 1)
    files = [file for earlier in rounds for file in sorted(folder.glob(f"round-{earlier:03}-*.samples"))]
    if last:
        files += sorted(folder.glob(f"round-{number:03}-*.samples")) * (config.newest - 1)
    return [file.read_bytes() for file in files]


def _fit(config: TrainingConfig, folder: Path, number: int) -> RoundResult:
    """Fit the weights to the rounds up to this one; store them and the result."""
    weights, positions, relabelled, *losses = Trainer(kernel_variant(variant_of(config.variant))).fit(
        _training_data(config, folder, number),
        learning_rate=_LEARNING_RATE,
        prior=config.players,
        prior_deviation=_DEVIATION_FROM_PLAYERS if config.players else _DEVIATION_FROM_MATERIAL,
        epochs=config.epochs,
        result_weight=config.result_weight,
        seed=config.seed,
        **_table_labels(config.variant, config.open_tables()),
    )
    result = RoundResult(number, positions, relabelled, *losses)
    _write(folder / f"round-{number:03}.bin", weights)
    content = {
        "lap": {key: getattr(result, field) for field, key in _STORED_AS.items()},
        "aim": _stored_settings(config),
    }
    _write(folder / f"round-{number:03}.json", json.dumps(content).encode())
    return result


def _stored_settings(config: TrainingConfig) -> dict[str, Any]:
    """The settings of a fit, as they are stored: with others it is fitted again."""
    return {
        "epochs": config.epochs,
        "trust": config.result_weight,
        "seed": config.seed,
        **_settings_of_last_round(config),
    }


def _settings_of_last_round(config: TrainingConfig) -> dict[str, int]:
    """The settings of the last round alone."""
    return {"since": config.since, "newest": config.newest}


def _stored_result(config: TrainingConfig, folder: Path, number: int) -> RoundResult | None:
    """The result of a round that was fitted with the same settings; None: it is still to be played."""
    try:
        content = json.loads((folder / f"round-{number:03}.json").read_text("utf-8"))
        defaults = _settings_of_last_round(TrainingConfig(config.variant))  # older versions stored none
        settings = {**defaults, **content["aim"]}
        if not config.is_last(number):
            settings |= _settings_of_last_round(config)
        if settings != _stored_settings(config) or not (folder / f"round-{number:03}.bin").exists():
            return None
        return RoundResult(**{field: content["lap"][key] for field, key in _STORED_AS.items()})
    except (OSError, ValueError, KeyError, TypeError):
        return None  # fitted by an older version, or cut off


def _publish(folder: Path, variant: str | Variant, weights: bytes) -> None:
    """Store the newest weights, also in the form that is shipped."""
    _write(folder / WEIGHTS, weights)
    _write(folder / f"{variant_of(variant).key}{SUFFIX}", pack(weights, variant))


def _write(path: Path, content: bytes) -> None:
    """Write the whole file or none of it, so that an interrupted batch is played again."""
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(draft).replace(path)
