"""Other names of variants, as people, sites and programs write them.

Sources: the names of the GameTypes in PDN 3.0; the articles "English draughts", "International draughts",
"Russian draughts", "Turkish draughts", "Konane" and their neighbours in Wikipedia; the variant names of
lidraughts and PlayStrategy; the ``variant`` argument of pydraughts; FMJD and IDF for the sizes of boards;
the Hub protocol, version 2 (Scan 3.1), the parameter "variant".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_NO_LETTER = re.compile(r"[\W_]+")
_GENERAL = frozenset({"checkers", "draughts", "game", "games", "rules"})  # left out beside other words

_NAMES = {
    "american": "english, american english, anglo american, straight, checkers, draughts",
    "international": (
        "polish, 10x10, 100, draughts100, standard, normal, dammen, dames, jeu de dames, "
        "dama internazionale, damas internacionales"
    ),
    "russian": "shashki, russkie shashki, шашки, русские шашки, 64, draughts64",
    "brazilian": "brasilian, damas brasileiras, dama brasileira",
    "italian": "dama italiana",
    "pool": "american pool",
    "jamaican": "jamaica",
    "czech": "česká dáma, ceska dama",
    "spanish": "spanish pool, damas españolas, damas espanolas",
    "portuguese": "damas portuguesas, damas clássicas, damas classicas",
    "canadian": "12x12",
    "spantsiretti": "spantsireti, спанцирети",
    "makhos": "mak hos, mak hot, หมากฮอส",
    "turkish": "dama, türk daması, turk damasi",
    "frisian": "fries dammen, fryske dammen",
    "antidraughts": "anti international",
    "anti": "suicide, giveaway, losing",
    "poddavki": "поддавки, anti russian",
    "hawaiian": "konane, kōnane",
    "altdeutsche": "old german",
}


def normalised(text: str) -> str:
    """Return a name in small letters, without punctuation and without words such as *draughts*."""
    words = _NO_LETTER.sub(" ", text.casefold()).split()
    return " ".join([word for word in words if word not in _GENERAL] or words)


ALIASES: Mapping[str, str] = MappingProxyType(
    {normalised(name): key for key, names in _NAMES.items() for name in names.split(", ")}
)
"""The key of a variant by its ``normalised`` other names."""

HUB: Mapping[str, str] = MappingProxyType(
    {
        "normal": "international",
        "killer": "killer",
        "bt": "breakthrough",
        "frisian": "frisian",
        "losing": "antidraughts",
    }
)
"""The key of a variant by its name in the Hub protocol; there ``losing`` is played on 100 squares."""

VAGUE = frozenset(
    {"64", "100", "corner", "dama", "killer", "losing", "normal", "one way", "pro", "standard", "straight"}
)
"""Names that often mean something else in prose, such as the name of a tournament."""
