"""A deck of openings, each standing for the position that its moves reach."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

from crownhead.rules.lookup import variant_of
from crownhead.rules.position import Position


class Status(StrEnum):
    """Where a ballot may be drawn."""

    CROSSBOARD = "crossboard"  # tournaments over the board, and by mail
    MAIL = "mail"  # added to the deck by the ACF in 2003
    BARRED = "barred"  # too one-sided to be played


@dataclass(frozen=True, slots=True)
class Ballot:
    """An opening of a deck: its number from 1, its moves as text, its name if it has one."""

    number: int
    moves: tuple[str, ...]
    name: str
    status: Status


@dataclass(frozen=True, slots=True)
class Deck:
    """Ballots of one variant, looked up by number or by the position they lead to.

    They hold for every variant with the same start and rules.
    """

    variant_key: str
    ballots: tuple[Ballot, ...]
    _by_position: dict[Position, Ballot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Play every ballot once; raises what ``Position.play`` raises."""
        start = Position.start(self.variant_key)
        reached = {_played(start, ballot.moves): ballot for ballot in self.ballots}
        object.__setattr__(self, "_by_position", reached)

    @property
    def playable(self) -> tuple[Ballot, ...]:
        """Those for tournaments and for mail play."""
        return tuple(ballot for ballot in self.ballots if ballot.status is not Status.BARRED)

    @property
    def tournament(self) -> tuple[Ballot, ...]:
        """Those drawn over the board."""
        return tuple(ballot for ballot in self.ballots if ballot.status is Status.CROSSBOARD)

    @property
    def barred(self) -> tuple[Ballot, ...]:
        """Those that are not played."""
        return tuple(ballot for ballot in self.ballots if ballot.status is Status.BARRED)

    def by_number(self, number: int) -> Ballot:
        """The ballot with a number; raises ``KeyError``."""
        for ballot in self.ballots:
            if ballot.number == number:
                return ballot
        raise KeyError(f"expected a ballot from 1 to {len(self.ballots)}, got {number!r}")

    def find(self, position: Position) -> Ballot | None:
        """The ballot that stands for a position, in whatever order its moves were made."""
        ours, theirs = variant_of(self.variant_key), position.variant
        if (ours.board, ours.start, ours.rules) != (theirs.board, theirs.start, theirs.rules):
            return None
        return self._by_position.get(Position.from_setup(replace(position.setup(), variant_key=ours.key)))


@cache
def three_move_deck() -> Deck:
    """The American three-move deck: 144 ballots for tournaments, 12 more for mail play, 18 barred."""
    text = files("crownhead.openings").joinpath("three_move.csv").read_text(encoding="utf-8")
    return Deck("american", tuple(_ballots(text.splitlines())))


def _ballots(lines: Iterable[str]) -> Iterable[Ballot]:
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        yield Ballot(
            int(row["number"]),
            tuple(row["moves"].split()),
            row["name"],
            Status(row["status"]),
        )


def _played(position: Position, moves: Iterable[str]) -> Position:
    for text in moves:
        position = position.play(text)
    return position
