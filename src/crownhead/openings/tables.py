"""The decks of the federations and named openings, read from the CSV files in this package."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from crownhead.openings.deck import Ballot, Deck, Status
from crownhead.rules.position import Position


@cache
def two_move_deck() -> Deck:
    """American checkers: the 49 two-move ballots, of which 43 are played."""
    return _deck("american", "two_move.csv")


@cache
def three_move_deck() -> Deck:
    """The American three-move deck: 144 ballots for tournaments, 12 more for mail play, 18 barred."""
    return _deck("american", "three_move.csv")


@cache
def four_move_deck() -> Deck:
    """American checkers: 794 four-move ballots, 252 of them barred as lost."""
    return _deck("american", "four_move.csv")


@cache
def five_move_deck() -> Deck:
    """American checkers: 2,700 five-move ballots, 1,363 of them barred as lost, one unclassified."""
    return _deck("american", "five_move.csv")


@cache
def eleven_man_deck() -> Deck:
    """American checkers: 2,500 eleven-man ballots, with one man fewer per side; 247 of them barred."""
    return _deck("american", "eleven_man.csv")


@cache
def russian_deck() -> Deck:
    """The drawing tables of Russian draughts: 745 positions, some with relocated men."""
    return _deck("russian", "russian.csv")


@cache
def brazilian_deck() -> Deck:
    """The drawing tables of Brazilian draughts: 736 positions."""
    return _deck("brazilian", "brazilian.csv")


@cache
def basic_deck(variant_key: str = "russian") -> Deck:
    """The 150 basic positions of the IDF, for a variant with the Russian start and square names."""
    return _deck(variant_key, "basic_64.csv")


@cache
def named_openings() -> Deck:
    """Openings of American checkers that have a name."""
    return _deck("american", "american_names.csv")


def opening_name(position: Position) -> str | None:
    """Return the name of the American checkers opening that leads to a position, or None."""
    found = (deck.find(position) for deck in (named_openings(), three_move_deck()))
    return next((ballot.name for ballot in found if ballot is not None and ballot.name), None)


def _deck(variant_key: str, table: str) -> Deck:
    text = files("crownhead.openings").joinpath(table).read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return Deck(variant_key, tuple(map(_ballot, rows)))


def _ballot(row: dict[str, str]) -> Ballot:
    return Ballot(
        number=int(row["number"]),
        moves=tuple(row["moves"].split()),
        name=row.get("name", ""),
        status=Status(row.get("status", Status.CROSSBOARD)),
        label=row.get("label", ""),
        removed=tuple(map(int, row.get("removed", "").split())),
        flights=tuple(row.get("flights", "").split()),
    )
