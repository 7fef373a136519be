"""Networks: what is packed comes back, what does not fit is refused, and engines use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead import VARIANTS, Position
from crownhead._kernel import Trainer
from crownhead.engine import Engine
from crownhead.engine.networks import SUFFIX, evaluation, pack, unpack
from crownhead.engine.training import (
    NETWORK,
    WEIGHTS,
    SelfPlayBatch,
    TrainingConfig,
    play_batch,
    train,
    train_network,
)
from crownhead.engine.weights import StaleWeights, shipped
from crownhead.engine.weights import unpack as unpack_weights

WEIGHTS_OF_AMERICAN = shipped("american")
NUMBERS = evaluation("american")[len(WEIGHTS_OF_AMERICAN) :]


def test_every_variant_has_a_network_and_those_of_the_same_rules_share_it() -> None:
    for variant in VARIANTS:
        assert len(evaluation(variant)) > len(shipped(variant)), variant
    assert evaluation("pro") == evaluation("american")


def test_a_network_comes_back_as_it_was_packed() -> None:
    content = pack(NUMBERS, "american", WEIGHTS_OF_AMERICAN)
    assert unpack(content, "american", WEIGHTS_OF_AMERICAN) == NUMBERS


@pytest.mark.parametrize(
    ("begin", "end", "instead", "said"),
    [
        (0, None, b"", "expected a network that begins with b'CRWN'"),
        (0, 4, b"CRWH", "got b'CRWH'"),
        (4, 5, b"\x09", "format 9"),
        (8, 16, bytes(8), "for others"),
        (16, 20, bytes(4), "for others"),
        (20, 24, bytes(4), "checksum"),
        (-9, None, b"", "damaged"),
        (-9, None, bytes(9), "damaged"),
    ],
)
def test_networks_that_are_damaged_or_stale_are_refused(
    begin: int, end: int | None, instead: bytes, said: str
) -> None:
    content = bytearray(pack(NUMBERS, "american", WEIGHTS_OF_AMERICAN))
    content[begin:end] = instead
    with pytest.raises(StaleWeights, match=said):
        unpack(bytes(content), "american", WEIGHTS_OF_AMERICAN)


def test_the_engine_asks_the_network_behind_its_weights() -> None:
    position = Position.from_fen("B:W18,21,22,25,26,27,30,31:B2,3,6,7,8,11,12,13")
    reports = [
        Engine("american", megabytes=1, weights=weights, tables=False).analyse(position, depth=9)
        for weights in (None, evaluation("american"), WEIGHTS_OF_AMERICAN)
    ]
    assert reports[0].nodes == reports[1].nodes
    assert reports[0].nodes != reports[2].nodes


def test_a_network_that_is_cut_off_is_refused_by_the_kernel() -> None:
    with pytest.raises(ValueError, match="expected no weights or"):
        Engine("american", weights=evaluation("american")[:-1])


@pytest.mark.parametrize("variant", ["american", "international", "mule", "anti"])
def test_training_leaves_a_network_that_the_engine_can_use(variant: str, tmp_path: Path) -> None:
    config = TrainingConfig(variant, rounds=1, games=4, nodes=100, tables=False)
    list(train(config, tmp_path))
    found = train_network(config, tmp_path)
    assert found.positions > 10
    assert 0 < found.loss < 5
    network = (tmp_path / NETWORK).read_bytes()
    assert network == found.network == train_network(config, tmp_path).network
    start = Position.start(variant)
    weights = (tmp_path / WEIGHTS).read_bytes()
    assert Engine(variant, megabytes=1, weights=weights + network).analyse(start, depth=4).move is not None
    rounded = unpack_weights((tmp_path / f"{variant}.weights").read_bytes(), variant)
    assert unpack((tmp_path / f"{variant}{SUFFIX}").read_bytes(), variant, rounded) == network


def test_training_may_keep_the_weights_and_fit_a_network_to_games_of_the_one_before(tmp_path: Path) -> None:
    config = TrainingConfig(
        "american",
        rounds=1,
        games=4,
        nodes=100,
        tables=False,
        epochs=0,
        players=WEIGHTS_OF_AMERICAN,
        network=NUMBERS,
    )
    list(train(config, tmp_path))
    batch = SelfPlayBatch(config, 0, 0, 4, evaluation("american"), 0)
    assert (tmp_path / batch.name).read_bytes() == play_batch(batch)
    found = train_network(config, tmp_path)
    assert (tmp_path / WEIGHTS).read_bytes() == WEIGHTS_OF_AMERICAN
    content = (tmp_path / f"american{SUFFIX}").read_bytes()
    assert unpack(content, "american", WEIGHTS_OF_AMERICAN) == found.network


def test_a_network_learns_what_the_weights_do_not_know(tmp_path: Path) -> None:
    list(train(TrainingConfig("american", rounds=1, games=60, nodes=60, tables=False), tmp_path))
    samples = (tmp_path / "round-000-000.samples").read_bytes()
    material: bytes = Trainer("american").fit([])[0]
    _, positions, loss, loss_without = Trainer("american").fit_network([samples] * 4, material)
    assert positions > 2048  # more than one batch
    assert loss < loss_without
