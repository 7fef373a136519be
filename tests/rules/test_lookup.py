"""Variants are found by key, name and alias, and a misspelt one is suggested."""

from __future__ import annotations

import pickle

import pytest

from crownhead import VARIANTS, Game, Position, UnknownVariant
from crownhead.rules.aliases import ALIASES, normalised
from crownhead.rules.lookup import find_variant, variant_of


@pytest.mark.parametrize("row", VARIANTS.values(), ids=VARIANTS)
def test_every_variant_is_found_by_its_key_and_its_name(row: object) -> None:
    assert row in VARIANTS.values()
    for text in (row.key, row.name, row.name.upper(), f" {row.key} "):  # type: ignore[attr-defined]
        assert find_variant(text) is row


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("english", "american"),
        ("checkers", "american"),
        ("English draughts", "american"),
        ("American/English", "american"),
        ("draughts64", "russian"),
        ("shashki", "russian"),
        ("Русские шашки", "russian"),
        ("10x10", "international"),
        ("Polish draughts", "international"),
        ("12x12", "canadian"),
        ("dama", "turkish"),
        ("Türk daması", "turkish"),
        ("dama italiana", "italian"),
        ("Česká dáma", "czech"),
        ("American pool checkers", "pool"),
        ("konane", "hawaiian"),
        ("suicide", "anti"),
    ],
)
def test_other_names_are_known(text: str, key: str) -> None:
    assert Position.start(text) == Position.start(key)
    assert Game(text).variant is VARIANTS[key]


def test_aliases_mean_variants_that_exist_and_hide_no_key() -> None:
    assert set(ALIASES.values()) <= set(VARIANTS)
    own = {normalised(text) for row in VARIANTS.values() for text in (row.key, row.name)}
    assert not own & set(ALIASES)


@pytest.mark.parametrize(
    ("text", "key"),
    [("amercan", "american"), ("englsh", "american"), ("russain", "russian"), ("Frisan draughts", "frisian")],
)
def test_a_misspelt_variant_is_suggested(text: str, key: str) -> None:
    with pytest.raises(UnknownVariant, match=rf"did you mean '{key}'\?$") as caught:
        Position.start(text)
    assert caught.value.suggestion == key
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("wanted", ["lasca", "", "x" * 10_000, None, 5])
def test_nothing_is_suggested_for_what_resembles_nothing(wanted: object) -> None:
    with pytest.raises(UnknownVariant) as caught:
        variant_of(wanted)  # type: ignore[arg-type]
    assert caught.value.suggestion == ""
    assert "did you mean" not in str(caught.value)
