"""A crew of several machines: each part of a round is a task of Ray, which finds it a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any

from crownhead.engine.training import Crew, Part, play
from crownhead.rules.errors import CrownheadError

_QUEUED = 2  # parts for each processor: enough that none waits, few enough that weights do not pile up


def ray_crew(address: str | None = None) -> Crew:
    """The machines of the Ray cluster at ``address``; None: that of ``RAY_ADDRESS``, or this machine alone.

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
    return crew_of(ray)


def crew_of(ray: Any) -> Crew:
    """Those who work for Ray, which has been told where."""

    def crew(parts: Iterable[Part]) -> Iterator[tuple[Part, bytes]]:
        task = ray.remote(play)
        waiting = iter(parts)
        running: dict[Any, Part] = {}
        while True:
            room = max(1, int(_QUEUED * ray.cluster_resources().get("CPU", 1))) - len(running)
            for part in islice(waiting, max(0, room)):
                running[task.options(num_cpus=part.course.threads).remote(part)] = part
            if not running:
                return
            (done, *_), _ = ray.wait(list(running), num_returns=1)
            try:
                samples = ray.get(done)
            except ray.exceptions.RayTaskError as failed:
                raise failed.cause from None
            yield running.pop(done), samples

    return crew
