"""Training: self-play leaves training data, the fit makes weights, and stopped training can be resumed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from crownhead import Position
from crownhead._kernel import Trainer
from crownhead.engine import Engine
from crownhead.engine.training import WEIGHTS, SelfPlayBatch, TrainingConfig, play_batch, train
from crownhead.engine.weights import shipped, unpack
from crownhead.rules.errors import CrownheadError
from tests.engine.test_table_labels import labels_of, samples_in


@pytest.mark.parametrize("variant", ["american", "anti", "turkish", "mule"])
def test_a_round_leaves_positions_and_weights_that_the_engine_can_use(variant: str, tmp_path: Path) -> None:
    (result,) = train(TrainingConfig(variant, rounds=1, games=3, nodes=100), tmp_path)
    assert result.positions > 10
    assert 0 < result.training_loss < 2
    weights = (tmp_path / WEIGHTS).read_bytes()
    report = Engine(variant, megabytes=1, weights=weights).analyse(Position.start(variant), depth=4)
    assert report.move in Position.start(variant).legal_moves()


def test_the_same_config_gives_the_same_training_data(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        list(train(TrainingConfig("american", rounds=1, games=2, nodes=100), tmp_path / folder))
    one, two = (tmp_path / folder / "round-000-000.samples" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_games_that_explore_are_others_and_the_same_for_any_number_of_threads() -> None:
    trainer, known = Trainer("american"), shipped("american")

    def played(exploration: int, threads: int = 1) -> bytes:
        start = [Position.start("american")]
        return trainer.play(start, known, games=24, nodes=400, exploration=exploration, threads=threads)

    explored = played(25)
    assert explored == played(25, threads=3)
    assert explored != played(0)

    def middle_size(samples: bytes) -> float:
        """Of the scores."""
        return median(abs(score) for score, _ in labels_of(samples_in(samples, trainer)))

    # Somebody loses men on the way, as in the lines of a search.
    assert middle_size(explored) > 1.5 * middle_size(played(0))


def test_training_that_was_stopped_is_resumed(tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=2, games=2, nodes=100)
    next(train(config, tmp_path))
    first = (tmp_path / "round-000-000.samples").stat()
    results = list(train(config, tmp_path))
    assert [result.number for result in results] == [0, 1]
    assert (tmp_path / "round-000-000.samples").stat().st_mtime_ns == first.st_mtime_ns
    assert results[1].positions > results[0].positions


def test_a_round_that_was_fitted_is_reported_again_and_left_alone(tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=2, games=2, nodes=100)
    results = list(train(config, tmp_path))
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("round-*")}
    assert list(train(replace(config, games=5), tmp_path)) == results
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("round-*")} == kept


@pytest.mark.parametrize("left", ["", "{}", '{"lap": {"number": 0}, "aim": {}}', "[1"])
def test_a_round_whose_result_is_lost_is_fitted_again(left: str, tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=1, games=2, nodes=100)
    (result,) = train(config, tmp_path)
    (tmp_path / "round-000.json").write_text(left)
    assert list(train(config, tmp_path)) == [result]


def test_the_newest_weights_are_those_of_the_last_round_asked_for(tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=2, games=2, nodes=100)
    list(train(config, tmp_path))
    list(train(replace(config, rounds=1), tmp_path))
    assert (tmp_path / WEIGHTS).read_bytes() == (tmp_path / "round-000.bin").read_bytes()


def test_the_last_fit_may_leave_early_rounds_out_and_count_the_last_more_often(tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=3, games=3, nodes=100)
    results = list(train(config, tmp_path))
    first, second, third = (
        late - early for early, late in pairwise([0, *(result.positions for result in results)])
    )
    kept = (tmp_path / "round-001.bin").stat().st_mtime_ns

    again = list(train(replace(config, since=1, newest=3), tmp_path))

    assert again[:2] == results[:2]
    assert again[2].positions == second + 3 * third
    assert (tmp_path / "round-001.bin").stat().st_mtime_ns == kept
    assert list(train(replace(config, since=1, newest=3), tmp_path)) == again
    (one_more,) = list(train(replace(config, rounds=4), tmp_path))[3:]
    assert one_more.positions > first + second + third


def test_training_without_a_round_to_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CrownheadError, match="expected one of 2 rounds to begin with, got 3"):
        list(train(TrainingConfig("american", rounds=2, games=2, since=2), tmp_path))


def test_a_runner_may_play_the_batches_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crownhead.engine.training.GAMES_PER_BATCH", 2)
    config = TrainingConfig("american", rounds=2, games=5, nodes=100)

    def backwards(batches: Iterable[SelfPlayBatch]) -> Iterator[tuple[SelfPlayBatch, bytes]]:
        for batch in reversed(list(batches)):
            yield batch, play_batch(batch)

    results = list(train(config, tmp_path / "shuffled", runner=backwards))
    assert len(list((tmp_path / "shuffled").glob("round-000-*.samples"))) == 3
    assert list(map(asdict, results)) == list(map(asdict, train(config, tmp_path / "alone")))


def test_a_batch_is_not_played_with_other_tables_than_it_was_made_for() -> None:
    batch = SelfPlayBatch(
        TrainingConfig("american", games=1, nodes=50), round=0, number=0, games=1, weights=b"", pieces=6
    )
    with pytest.raises(CrownheadError, match="tables of up to 6 pieces, got some of 4"):
        play_batch(batch)


def test_the_validation_loss_is_below_that_of_the_material_evaluation(tmp_path: Path) -> None:
    results = list(train(TrainingConfig("russian", rounds=1, games=400, nodes=200), tmp_path))
    assert results[0].validation_loss < results[0].material_loss


def test_more_epochs_lower_the_training_loss(tmp_path: Path) -> None:
    first = TrainingConfig("american", rounds=1, games=60, nodes=100, epochs=1)
    (once,) = train(first, tmp_path)
    (often,) = train(replace(first, epochs=8), tmp_path)
    assert often.positions == once.positions
    assert often.training_loss < once.training_loss


def test_several_threads_play_the_same_games(tmp_path: Path) -> None:
    for threads in (1, 3):
        list(
            train(
                TrainingConfig("brazilian", rounds=1, games=9, nodes=100, threads=threads),
                tmp_path / f"{threads}",
            )
        )
    one, three = (tmp_path / folder / "round-000-000.samples" for folder in ("1", "3"))
    assert one.read_bytes() == three.read_bytes()


def test_the_newest_weights_are_also_stored_as_the_package_ships_them(tmp_path: Path) -> None:
    list(train(TrainingConfig("frisian", rounds=1, games=4, nodes=100), tmp_path))
    kept = unpack((tmp_path / "frisian.weights").read_bytes(), "frisian")
    exact = (tmp_path / WEIGHTS).read_bytes()
    assert len(kept) == len(exact)
    assert max(abs(a - b) for a, b in zip(array("h", kept), array("h", exact), strict=True)) <= 4


def test_training_may_begin_with_weights_that_play_its_first_round(tmp_path: Path) -> None:
    config = TrainingConfig("american", rounds=1, games=4, nodes=100, players=shipped("american"))
    list(train(config, tmp_path))
    batch = SelfPlayBatch(config, 0, 0, 4, shipped("american"), 4)
    assert (tmp_path / batch.name).read_bytes() == play_batch(batch)
    for others in (b"", bytes(len(config.players))):
        with pytest.raises(CrownheadError, match="whose first round had the same players"):
            list(train(replace(config, players=others), tmp_path))


def test_a_fit_stays_with_the_weights_that_it_begins_with_where_the_data_say_nothing() -> None:
    trainer, known = Trainer("american"), shipped("american")
    assert trainer.fit([], prior=known)[0] == known
    samples = trainer.play([Position.start("american")], known, games=4, nodes=100)
    pairs = [
        (new, old)
        for new, old in zip(
            array("h", trainer.fit([samples], prior=known)[0]), array("h", known), strict=True
        )
    ]
    moved = sum(new != old for new, old in pairs)
    assert 0 < moved < len(pairs) / 20
    with pytest.raises(ValueError, match="expected no weights or"):
        trainer.fit([samples], prior=known[:-4])


def test_training_learns_the_value_of_a_piece(tmp_path: Path) -> None:
    list(train(TrainingConfig("american", rounds=1, games=40, nodes=200), tmp_path))
    engine = Engine("american", megabytes=1, weights=(tmp_path / WEIGHTS).read_bytes())
    ahead = engine.analyse(Position.from_fen("W:W21-32:B1-9"), depth=1).score
    behind = engine.analyse(Position.from_fen("W:W21-29:B1-12"), depth=1).score
    assert ahead is not None
    assert behind is not None
    assert ahead > behind
