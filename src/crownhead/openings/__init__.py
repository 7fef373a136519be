"""Decks of opening ballots, looked up by position."""

from __future__ import annotations

from crownhead.openings.deck import Ballot, Deck, Status, UnknownOpening
from crownhead.openings.tables import (
    basic_deck,
    brazilian_deck,
    eleven_man_deck,
    five_move_deck,
    four_move_deck,
    named_openings,
    opening_name,
    opening_names,
    opening_of,
    opening_plies,
    russian_deck,
    three_move_deck,
    two_move_deck,
)

__all__ = [
    "Ballot",
    "Deck",
    "Status",
    "UnknownOpening",
    "basic_deck",
    "brazilian_deck",
    "eleven_man_deck",
    "five_move_deck",
    "four_move_deck",
    "named_openings",
    "opening_name",
    "opening_names",
    "opening_of",
    "opening_plies",
    "russian_deck",
    "three_move_deck",
    "two_move_deck",
]
