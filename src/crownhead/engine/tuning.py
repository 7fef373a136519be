"""Tunes margins of the search by matches: simultaneous perturbation stochastic approximation (SPSA).

Each iteration moves all margins at once by a step up or down, at random, and plays a few pairs of games
between the engine with these and the engine with the opposite steps. Every margin then goes a little way
towards the side that scored more. Steps become smaller from iteration to iteration, by the exponents that
Spall recommends ("Implementation of the simultaneous perturbation algorithm for stochastic optimization",
1998).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from crownhead._kernel import Searcher
from crownhead.engine.errors import EngineError

_STEP_EXPONENT = 0.101
_RATE_EXPONENT = 0.602
_STABLE = 0.1  # of all iterations, by which the rate falls more slowly at first
_SHARE = 4  # the first step is the value divided by this, where none is given


@dataclass(frozen=True, slots=True)
class Margin:
    """A margin on its way: where it is now, its first step, and its least and greatest value."""

    name: str
    value: float
    step: float
    least: int
    most: int

    def at(self, distance: float) -> int:
        """The whole number so far away, within what makes sense."""
        return min(max(math.floor(self.value + distance + 0.5), self.least), self.most)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tuning plays: the same plan gives the same values on every machine.

    Variants take turns. ``rate`` is the number of steps by which a margin moves at first where one side wins
    every game.
    """

    variants: tuple[str, ...]
    names: tuple[str, ...]
    iterations: int
    pairs: int
    nodes: int
    seed: int = 0
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Tuning:
    """A tuning after some iterations."""

    plan: Plan
    margins: tuple[Margin, ...]
    done: int = 0

    @property
    def is_over(self) -> bool:
        """Whether all iterations are done."""
        return self.done >= self.plan.iterations

    @property
    def variant(self) -> str:
        """The variant of the next iteration."""
        return self.plan.variants[self.done % len(self.plan.variants)]

    def dice(self, purpose: str) -> Random:
        """Random numbers of the next iteration."""
        return Random(f"{self.plan.seed} {self.done} {purpose}")

    def values(self) -> dict[str, int]:
        """The margins as an engine takes them."""
        return {margin.name: margin.at(0) for margin in self.margins}

    def sides(self) -> tuple[dict[str, int], dict[str, int]]:
        """The margins of both sides of the next iteration."""
        steps = list(zip(self.margins, self._steps(), strict=True))
        return (
            {margin.name: margin.at(step) for margin, step in steps},
            {margin.name: margin.at(-step) for margin, step in steps},
        )

    def after(self, score: float) -> Tuning:
        """The tuning after the next iteration, in which the first side scored this share of the points."""
        stable = _STABLE * self.plan.iterations
        rate = self.plan.rate * ((stable + 1) / (stable + self.done + 1)) ** _RATE_EXPONENT
        moved = tuple(
            replace(
                margin,
                value=min(max(margin.value + rate * step * (2 * score - 1), margin.least), margin.most),
            )
            for margin, step in zip(self.margins, self._steps(), strict=True)
        )
        return Tuning(self.plan, moved, self.done + 1)

    def _steps(self) -> list[float]:
        """The steps of the first side, up or down: never so small that both sides are alike."""
        dice = self.dice("steps")
        smaller = (self.done + 1) ** _STEP_EXPONENT
        return [dice.choice((-1, 1)) * max(margin.step / smaller, 0.5) for margin in self.margins]

    def to_json(self) -> str:
        """All of it, for a file to resume from."""
        return json.dumps(asdict(self), indent=1) + "\n"


def begin(plan: Plan, steps: Mapping[str, float] | None = None) -> Tuning:
    """A tuning that begins with the margins of the package.

    ``steps`` are the first steps by name; the default is a quarter of the margin. Raises ``EngineError`` for
    a name that is not that of a margin.
    """
    known = Searcher.margins()
    margins = []
    for name in plan.names:
        if name not in known:
            raise EngineError(f"expected one of the margins {', '.join(known)}, got {name!r}")
        value, least, most = known[name]
        margins.append(Margin(name, value, (steps or {}).get(name, value / _SHARE), least, most))
    return Tuning(plan, tuple(margins))


def resume(text: str, plan: Plan) -> Tuning:
    """The tuning that ``to_json`` wrote. Raises ``EngineError`` where it was planned otherwise."""
    read: dict[str, Any] = json.loads(text)
    lists = {name: tuple(value) for name, value in read["plan"].items() if isinstance(value, list)}
    written = Plan(**(read["plan"] | lists))
    if written != plan:
        raise EngineError(f"expected to go on with {written}, got {plan}")
    return Tuning(plan, tuple(Margin(**margin) for margin in read["margins"]), read["done"])
