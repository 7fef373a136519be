"""Distributed self-play: batches are tasks of a cluster, with the result of a single machine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crownhead.engine import distributed
from crownhead.engine.distributed import ray_runner, runner_of
from crownhead.engine.training import SelfPlayBatch, TrainingConfig, train
from crownhead.rules.errors import CrownheadError


class RayTaskError(Exception):
    """As Ray's own: with the error of the task as its cause."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


@dataclass
class Task:
    """A remote function."""

    cluster: Cluster
    work: Callable[[SelfPlayBatch], bytes]
    processors: int = 1

    def options(self, *, num_cpus: int) -> Task:
        return Task(self.cluster, self.work, num_cpus)

    def remote(self, batch: SelfPlayBatch) -> Future[bytes]:
        self.cluster.asked.append((batch.name, self.processors))
        return self.cluster.pool.submit(self.work, batch)


class Cluster:
    """The part of Ray that is used, on threads of this process."""

    exceptions = SimpleNamespace(RayTaskError=RayTaskError)

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool = pool
        self.asked: list[tuple[str, int]] = []

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, work: Callable[[SelfPlayBatch], bytes]) -> Task:
        return Task(self, work)

    def wait(self, running: list[Any], *, num_returns: int) -> tuple[list[Any], list[Any]]:
        assert num_returns == 1
        assert len(running) <= 4
        done, rest = wait(running, return_when=FIRST_COMPLETED)
        return list(done)[:1], [*list(done)[1:], *rest]

    def get(self, done: Future[bytes]) -> bytes:
        try:
            return done.result()
        except CrownheadError as error:
            raise RayTaskError(error) from error


def test_a_cluster_plays_what_one_machine_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crownhead.engine.training.GAMES_PER_BATCH", 1)
    config = TrainingConfig("american", rounds=2, games=9, nodes=50, threads=1)
    with ThreadPoolExecutor(3) as pool:
        cluster = Cluster(pool)
        results = list(train(config, tmp_path / "cluster", runner=runner_of(cluster)))
    assert len(cluster.asked) == 18
    assert set(cluster.asked) >= {("round-000-000.samples", 1), ("round-001-008.samples", 1)}
    assert results == list(train(config, tmp_path / "alone"))
    for file in (tmp_path / "alone").glob("*.samples"):
        assert file.read_bytes() == (tmp_path / "cluster" / file.name).read_bytes()


def test_an_error_of_a_machine_is_raised_as_it_is() -> None:
    batch = SelfPlayBatch(
        TrainingConfig("american", games=1, nodes=50), round=0, number=0, games=1, weights=b"", pieces=8
    )
    with ThreadPoolExecutor(1) as pool, pytest.raises(CrownheadError, match="tables of up to 8 pieces"):
        list(runner_of(Cluster(pool))([batch]))


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(distributed, "import_module", missing)
    with pytest.raises(CrownheadError, match=r"pip install 'crownhead\[ray\]'"):
        ray_runner()


def test_a_cluster_that_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise ConnectionError("no answer")

    monkeypatch.setattr(distributed, "import_module", lambda _: SimpleNamespace(init=refuse))
    with pytest.raises(
        CrownheadError, match=r"expected a Ray cluster at 10\.0\.0\.1:6379, got none: no answer"
    ):
        ray_runner("10.0.0.1:6379")
