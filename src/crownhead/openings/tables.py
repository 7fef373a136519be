"""The decks of the federations and the openings with names, read from the CSV files in this package."""

from __future__ import annotations

import csv
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files

from crownhead.openings.deck import Ballot, Deck, Status, UnknownOpening
from crownhead.rules.errors import CrownheadError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

_NAMES = "_names.csv"  # after the key of a variant: the table of its openings with names


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
def named_openings(variant_key: str = "american") -> Deck:
    """The openings of a variant that have a name; raises ``UnknownOpening`` where we know none."""
    if variant_key not in _named_variants():
        raise UnknownOpening(
            f"expected one of the variants {', '.join(_named_variants())}, got {variant_key!r}"
        )
    return _deck(variant_key, f"{variant_key}{_NAMES}")


def opening_name(position: Position) -> str | None:
    """Return the name of the opening that leads to a position, or None.

    A ballot of American checkers without a name of its own has that of the opening it belongs to: ballot 1,
    ``9-13 21-17 5-9``, is an Edinburgh.
    """
    opening = _named(position)
    return None if opening is None else opening.name


def opening_names(variant: str | Variant) -> dict[str, str]:
    """Return the names of openings by the FENs of their positions; empty for a variant without any."""
    row = variant_of(variant)
    found: dict[str, str] = {}
    for deck in _decks_with_names():
        own = variant_of(deck.variant_key)
        if own.notation != row.notation or not _starts_alike(own, row):
            continue
        for ballot in deck.ballots:
            position = ballot.position(row.key)
            name = opening_name(position)
            if name:
                found.setdefault(position.fen(), name)
    return found


def opening_of(game: Game) -> Ballot | None:
    """Return the last opening with a name that a game went through, or None.

    Its ``moves`` are those that define the name; the game may have made them in another order.
    """
    line = game.positions[: opening_plies(game.variant) + 1]
    return next(filter(None, map(_named, reversed(line))), None)


def opening_plies(variant: str | Variant) -> int:
    """Return the plies of the longest opening with a name; 0 for a variant without any."""
    return _plies(variant_of(variant))


def _named(position: Position) -> Ballot | None:
    for key in _named_variants():
        opening = named_openings(key).find(position)
        if opening is not None:
            return opening
    for deck in (three_move_deck(), two_move_deck()):
        ballot = deck.find(position)
        if ballot is not None:
            return ballot if ballot.name else _family(ballot.moves)
    return None


@cache
def _family(moves: tuple[str, ...]) -> Ballot | None:
    """Return the opening with a name to which a ballot of American checkers belongs.

    Of the two orders in which Black may have moved, that with the longer opening counts.
    """
    found: list[Ballot] = []
    for order in dict.fromkeys((moves, moves[2:] + moves[1:2] + moves[:1])):
        position = Position.start("american")
        with suppress(CrownheadError):  # not every move can be made first
            for move in order:
                position = position.play(move)
                opening = named_openings().find(position)
                if opening is not None:
                    found.append(opening)
    return max(found, key=lambda opening: len(opening.moves), default=None)


@cache
def _named_variants() -> tuple[str, ...]:
    """Return the keys of the variants of which a table names openings."""
    tables = (table.name for table in files("crownhead.openings").iterdir())
    return tuple(sorted(table.removesuffix(_NAMES) for table in tables if table.endswith(_NAMES)))


@cache
def _decks_with_names() -> tuple[Deck, ...]:
    """Return the openings with names of all variants, and the ballots that belong to one of them."""
    return (*map(named_openings, _named_variants()), three_move_deck(), two_move_deck())


@lru_cache(maxsize=256)
def _plies(row: Variant) -> int:
    decks = [deck for deck in _decks_with_names() if _starts_alike(variant_of(deck.variant_key), row)]
    return max((len(ballot.moves) for deck in decks for ballot in deck.ballots), default=0)


def _starts_alike(one: Variant, other: Variant) -> bool:
    return (one.rules, one.board, one.start) == (other.rules, other.board, other.start)


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
