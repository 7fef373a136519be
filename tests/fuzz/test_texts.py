"""The properties of the smaller parsers hold for the initial inputs, torn, joined and nested."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.text_properties import seeds, try_any, try_house_rows, try_markdown

SEEDS = tuple(seeds())


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"{seed[0]}-{len(seed)}-bytes")
def test_an_input_of_every_kind(seed: bytes) -> None:
    try_any(seed)


def test_inputs_torn_and_joined_at_random() -> None:
    random = Random(11)
    for _ in range(400):
        first, second = random.choice(SEEDS), random.choice(SEEDS)
        try_any(first[: random.randint(2, len(first))] + second[random.randint(2, len(second)) :])


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "{b = " * 5000, "[variants.x]\na = 1e999999"])
def test_rows_nested_without_end_are_refused(text: str) -> None:
    try_house_rows(text, "american")


@pytest.mark.parametrize("mark", ["> ", "- ", "[", "*", "`", "<", "![", "**a"])
def test_markdown_nested_without_end_is_cleaned(mark: str) -> None:
    try_markdown(mark * 2000, "american")
