"""The fuzzing properties hold for the initial inputs, complete and truncated."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.properties import try_any
from tests.fuzz.seeds import seeds

SEEDS = tuple(seeds())


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"{len(seed)}-bytes")
def test_an_input_of_every_kind(seed: bytes) -> None:
    try_any(seed)


def test_inputs_torn_and_joined_at_random() -> None:
    random = Random(7)
    for _ in range(300):
        first, second = random.choice(SEEDS), random.choice(SEEDS)
        try_any(first[: random.randint(2, len(first))] + second[random.randint(2, len(second)) :])
