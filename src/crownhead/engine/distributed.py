"""Distributed self-play: each batch of a round is a task of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any

from crownhead.engine.training import Runner, SelfPlayBatch, play_batch
from crownhead.rules.errors import CrownheadError

_QUEUED = 2  # batches for each processor: enough that none is idle, few enough that weights do not pile up


def ray_runner(address: str | None = None) -> Runner:
    """Plays on the Ray cluster at ``address``; None: that of ``RAY_ADDRESS``, or this machine alone.

    This version of Crownhead must be installed on each, with the same endgame tables. Raises
    ``CrownheadError`` where Ray is not installed, or there is no such cluster.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise CrownheadError(
            "expected Ray beside Crownhead (pip install 'crownhead[ray]'), got none"
        ) from None
    try:
        ray.init(address=address, ignore_reinit_error=True, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise CrownheadError(
            f"expected a Ray cluster at {address or 'this machine'}, got none: {error}"
        ) from None
    return runner_of(ray)


def runner_of(ray: Any) -> Runner:
    """Plays as tasks of Ray, which has been initialised."""

    def runner(batches: Iterable[SelfPlayBatch]) -> Iterator[tuple[SelfPlayBatch, bytes]]:
        task = ray.remote(play_batch)
        waiting = iter(batches)
        running: dict[Any, SelfPlayBatch] = {}
        while True:
            free = max(1, int(_QUEUED * ray.cluster_resources().get("CPU", 1))) - len(running)
            for batch in islice(waiting, max(0, free)):
                running[task.options(num_cpus=batch.config.threads).remote(batch)] = batch
            if not running:
                return
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            try:
                samples = ray.get(done)
            except ray.exceptions.RayTaskError as failed:
                raise failed.cause from None
            yield running.pop(done), samples

    return runner
