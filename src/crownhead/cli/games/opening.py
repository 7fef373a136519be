"""The opening of a game: its name, its ballot, or else its first moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice, pairwise

from crownhead.cli.games.entries import Entry
from crownhead.openings import (
    Deck,
    brazilian_deck,
    eleven_man_deck,
    opening_name,
    opening_plies,
    russian_deck,
    three_move_deck,
)
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant

UNKNOWN = "unknown"

_PLIES = 12  # maximum length of an opening, unless one with a name is longer
_OF_FIRST_MOVES = 2  # plies that identify an opening without name or ballot
_KEPT = 20_000  # cached beginnings of games, and positions
_LONGEST = 500  # maximum characters of a cached beginning
_DECKS: tuple[Callable[[], Deck], ...] = (three_move_deck, russian_deck, brazilian_deck)
_DECKS_WITH_SETUP: tuple[Callable[[], Deck], ...] = (*_DECKS, eleven_man_deck)


class Openings:
    """Finds the openings of games, with a cache for games that begin the same way."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], str] = {}

    def of(self, entry: Entry) -> str:
        """Return the opening of a game, or ``unknown`` if it has no legal move.

        It is named by the last position with a name, else the last one reached by a ballot, else the first
        moves.
        """
        variant = "" if entry.variant is None else entry.variant.key
        steps = entry.steps[: _plies(entry.variant)]
        begins = (variant, entry.record.tags.get("FEN", ""), *(text for text, _ in steps))
        if sum(map(len, begins)) > _LONGEST:
            return _opening(entry)
        name = self._known.get(begins)
        if name is None:
            if len(self._known) == _KEPT:
                self._known.clear()
            name = self._known[begins] = _opening(entry)
        return name


def _opening(entry: Entry) -> str:
    line = list(islice(entry.positions(), _plies(entry.variant) + 1))
    if len(line) < 2 and not entry.has_setup:
        return UNKNOWN
    reached = line[::-1] if entry.has_setup else line[:0:-1]
    named = next(filter(None, map(_name, reached)), None)
    if named is not None:
        return named
    decks = _DECKS_WITH_SETUP if entry.has_setup else _DECKS
    ballot = next(filter(None, (_ballot(position, decks) for position in reached)), None)
    return ballot or _first_moves(line) or UNKNOWN


@lru_cache
def _plies(variant: Variant | None) -> int:
    return max(_PLIES, 0 if variant is None else opening_plies(variant))


@lru_cache(_KEPT)
def _name(position: Position) -> str | None:
    return opening_name(position)


@lru_cache(_KEPT)
def _ballot(position: Position, decks: tuple[Callable[[], Deck], ...]) -> str | None:
    for deck in decks:
        ballot = deck().find(position)
        if ballot is not None:
            return f"ballot {ballot.label or ballot.number}: {' '.join(ballot.moves)}"
    return None


def _first_moves(line: list[Position]) -> str:
    """Return the first moves in the variant's notation."""
    texts = [_written(before, after) for before, after in pairwise(line[: _OF_FIRST_MOVES + 1])]
    return " ".join(texts)


def _written(before: Position, after: Position) -> str:
    return next(before.notation(move) for move in before.legal_moves() if before.play(move) == after)
