"""The variant of a record is read from its tags, and written to them."""

from __future__ import annotations

import io

import pytest

from crownhead import VARIANTS, Game, UnknownVariant, pdn
from crownhead.notation.pdn.game_type import type_of, variant_from_tags, variant_of_type, variant_tags


@pytest.mark.parametrize(
    ("text", "key"),
    [
        # PDN 3.0, GameType
        ("20,W,10,10,N2,0", "international"),
        ("21,B,8,8,N1,0", "american"),
        ("22,W,8,8,N2,1", "italian"),
        ("23,B,8,8,N1,0", "pool"),
        ("23,B,8,8,A1,1", "jamaican"),
        ("24,W,8,8,N1,1", "spanish"),
        ("25,W,8,8,A0,0", "russian"),
        ("26,W,8,8,A0,0", "brazilian"),
        ("27,W,12,12,N2,0", "canadian"),
        ("28,W,8,8,N1,1", "portuguese"),
        ("29,W,8,8,A0,0", "czech"),
        ("30,W,8,8,A0,0", "turkish"),
        ("31,B,8,8,N2,0", "makhos"),
        ("40,W,10,10,N2,0", "frisian"),
        ("41,W,10,8,A0,0", "spantsiretti"),
        # lidraughts
        ("96", "breakthrough"),
        ("97", "frysk"),
        ("98", "antidraughts"),
        # as they are met
        ("23", "pool"),
        ("23,W,8,8,A0,0", "pool"),
        ("23,B,8,8,A1", "jamaican"),
        ("20,W,10,10,N1,0", "international"),
        (" 025 , W , 8 , 8 , A1 , 0 ", "russian"),
        ("21x", "american"),
    ],
)
def test_the_game_type_means_the_plainest_of_its_variants_unless_it_tells_them_apart(
    text: str, key: str
) -> None:
    found = variant_of_type(text)
    assert found is not None
    assert found.key == key
    assert variant_from_tags({"GameType": text}, VARIANTS["gothic"]) is found


@pytest.mark.parametrize("text", ["", "?", "0", "50", "99999", "x21", "-20"])
def test_other_game_types_mean_nothing(text: str) -> None:
    assert variant_of_type(text) is None


@pytest.mark.parametrize(
    ("default", "tags", "key"),
    [
        ("anti", {"GameType": "21"}, "anti"),
        ("anti", {"GameType": "20"}, "international"),
        ("jamaican", {"GameType": "23"}, "jamaican"),
        ("jamaican", {"GameType": "23,B,8,8,N1,0"}, "pool"),
        ("pool", {"GameType": "23,B,8,8,A1,1"}, "jamaican"),
        ("american", {"Variant": "Frysk!"}, "frysk"),
        ("american", {"Variant": "Breakthrough", "GameType": "96"}, "breakthrough"),
        ("american", {"Variant": "Standard", "GameType": "20"}, "international"),
        ("american", {"Variant": "dameo", "GameType": "20"}, "dameo"),
        ("russian", {"GameType": "?"}, "russian"),
    ],
)
def test_the_variant_asked_for_decides_among_those_that_share_a_number(
    default: str, tags: dict[str, str], key: str
) -> None:
    assert variant_from_tags(tags, VARIANTS[default]).key == key


@pytest.mark.parametrize("tags", [{"GameType": "50"}, {"Variant": "Lasca"}])
def test_an_unknown_variant_is_refused(tags: dict[str, str]) -> None:
    with pytest.raises(UnknownVariant):
        variant_from_tags(tags, VARIANTS["american"])


@pytest.mark.parametrize("key", VARIANTS)
def test_every_variant_is_recognised_by_the_tags_that_are_written(key: str) -> None:
    told = variant_tags(VARIANTS[key], {})
    assert variant_from_tags(told, VARIANTS["alquerque"]).key == key
    (game,) = pdn.read(io.StringIO(Game(key).pdn()), variant="alquerque")
    assert game.variant.key == key


def test_the_game_type_is_written_short_where_that_will_do() -> None:
    assert type_of(VARIANTS["italian"]) == "22"
    assert type_of(VARIANTS["jamaican"]) == "23,B,8,8,A1,1"
    assert type_of(VARIANTS["killer"]) is None
    assert variant_tags(VARIANTS["antidraughts"], {}) == {"GameType": "20", "Variant": "antidraughts"}
    assert variant_tags(VARIANTS["antidraughts"], {"GameType": "98"}) == {}
