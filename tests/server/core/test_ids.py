"""Identifiers."""

from __future__ import annotations

from crownhead.server.core.ids import ALPHABET, LENGTH, new_id


def test_identifiers_are_all_different_and_of_plain_letters_and_digits() -> None:
    made = {new_id() for _ in range(10_000)}
    assert len(made) == 10_000
    assert all(len(text) == LENGTH and set(text) <= set(ALPHABET) for text in made)


def test_no_two_characters_of_an_identifier_look_alike() -> None:
    assert len(set(ALPHABET)) == 57
    assert not set(ALPHABET) & set("0O1Il")
