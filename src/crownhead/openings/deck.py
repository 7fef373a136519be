"""Decks of opening ballots, each identified by the position it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from crownhead.rules.errors import CrownheadError
from crownhead.rules.geometry import numbers_by_name
from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position
from crownhead.rules.schema import Variant
from crownhead.rules.setup import Setup


class UnknownOpening(CrownheadError, KeyError):
    """There is no ballot with this number, or no named opening of this variant."""

    __str__ = Exception.__str__  # a ``KeyError`` would put the sentence in quotation marks


class Status(StrEnum):
    """Where a ballot may be drawn."""

    CROSSBOARD = "crossboard"  # tournaments over the board, and by mail
    MAIL = "mail"  # added to the deck by the ACF in 2003
    BARRED = "barred"  # too one-sided to be played
    UNCLASSIFIED = "unclassified"  # the source does not say


@dataclass(frozen=True, slots=True)
class Ballot:
    """An opening of a deck: its number from 1, its moves as text, and its name if it has one.

    ``label`` is the deck's own label, such as ``XIV-22``. Before the moves, men may be
    ``removed`` (square numbers) or relocated by ``flights`` of the two sides in turn (texts such
    as ``a1-a5``, or ``---`` for none).
    """

    number: int
    moves: tuple[str, ...]
    name: str = ""
    status: Status = Status.CROSSBOARD
    label: str = ""
    removed: tuple[int, ...] = ()
    flights: tuple[str, ...] = ()

    def position(self, variant: str | Variant) -> Position:
        """Return the position after the opening; raises what ``Position.play`` raises."""
        position = Position.start(variant)
        if self.removed or self.flights:
            position = _arranged(position, self.removed, self.flights)
        for text in self.moves:
            position = position.play(text)
        return position


@dataclass(frozen=True, slots=True)
class Deck:
    """The ballots of a variant, which can be looked up by number or position.

    They are valid for every variant with the same start and rules.
    """

    variant_key: str
    ballots: tuple[Ballot, ...]
    _by_position: dict[Position, Ballot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Play every ballot once; raises what ``Position.play`` raises."""
        reached: dict[Position, Ballot] = {}
        for ballot in self.ballots:  # if two lead to the same position, the first is used
            reached.setdefault(ballot.position(self.variant_key), ballot)
        object.__setattr__(self, "_by_position", reached)

    @property
    def playable(self) -> tuple[Ballot, ...]:
        """The ballots for tournaments and for mail play."""
        return tuple(ballot for ballot in self.ballots if ballot.status in _PLAYED)

    @property
    def tournament(self) -> tuple[Ballot, ...]:
        """The ballots for tournaments over the board."""
        return tuple(ballot for ballot in self.ballots if ballot.status is Status.CROSSBOARD)

    @property
    def barred(self) -> tuple[Ballot, ...]:
        """The ballots that are not played."""
        return tuple(ballot for ballot in self.ballots if ballot.status is Status.BARRED)

    def by_number(self, number: int) -> Ballot:
        """Return the ballot with a number; raises ``UnknownOpening``."""
        for ballot in self.ballots:
            if ballot.number == number:
                return ballot
        raise UnknownOpening(f"expected a ballot from 1 to {len(self.ballots)}, got {number!r}")

    def find(self, position: Position) -> Ballot | None:
        """Return the ballot for a position, whatever the order of the moves, or None."""
        if position.variant_key == self.variant_key:
            return self._by_position.get(position)
        ours, theirs = variant_of(self.variant_key), position.variant
        if (ours.board, ours.start, ours.rules) != (theirs.board, theirs.start, theirs.rules):
            return None
        return self._by_position.get(Position.from_setup(replace(position.setup(), variant=ours)))


_PLAYED = (Status.CROSSBOARD, Status.MAIL)


_NO_FLIGHT = "---"


def _arranged(start: Position, removed: Iterable[int], flights: Sequence[str]) -> Position:
    """Return the start with men removed or relocated; each flight counts as a ply."""
    names = numbers_by_name(start.variant.board, start.variant.notation)
    pieces = dict(start.pieces)
    for number in removed:
        del pieces[number]
    pairs = [flight.split("-") for flight in flights if flight != _NO_FLIGHT]
    flown = [(names[target], pieces.pop(names[origin])) for origin, target in pairs]
    pieces.update(flown)
    turn = start.turn.opponent if len(flights) % 2 else start.turn
    return Position.from_setup(Setup(start.variant, turn, MappingProxyType(pieces)))
