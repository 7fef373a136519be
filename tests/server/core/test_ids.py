"""Random identifiers."""

from __future__ import annotations

from crownhead.server.core.ids import ALPHABET, LENGTH, new_id


def test_identifiers_are_unique_and_use_only_the_alphabet() -> None:
    made = {new_id() for _ in range(10_000)}
    assert len(made) == 10_000
    assert all(len(text) == LENGTH and set(text) <= set(ALPHABET) for text in made)


def test_the_alphabet_has_no_characters_that_look_alike() -> None:
    assert len(set(ALPHABET)) == 57
    assert not set(ALPHABET) & set("0O1Il")
