"""Where the history of a ladder leaves its members: the standings once more, from the entries alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from crownhead.contest.ladders import stairs
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.models import Line

_WON = (Happening.WON, Happening.FLED)
_GONE = (Happening.LEFT, Happening.REMOVED)


@dataclass(slots=True)
class Score:
    """How many challenges a member has won, drawn and lost since they last joined."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(slots=True)
class Standings:
    """The members of a ladder by the keys of their users: their order or their steps, and their scores."""

    style: str
    order: list[int] = field(default_factory=list)
    steps: dict[int, int] = field(default_factory=dict)
    scores: dict[int, Score] = field(default_factory=dict)

    def ranks(self) -> dict[int, int]:
        """The place or step of each member."""
        if self.style == Style.STAIRS:
            return dict(self.steps)
        return {user: place for place, user in enumerate(self.order, start=1)}

    def follow(self, line: Line) -> None:
        """Take an entry that is about one member or two."""
        user, other = line.user_id, line.other_id
        if line.kind == Happening.CLOSED_UP:
            taken = stairs.without_gaps({str(key): step for key, step in self.steps.items()})
            self.steps = {int(key): step for key, step in taken.items()}
        if user is None:
            return
        if line.kind == Happening.JOINED:
            self.scores[user] = Score()
            self._put(user, line.after)
        elif line.kind in _GONE:
            self._take(user)
        elif line.kind in (Happening.MOVED, Happening.PLACED) and user in self.scores:
            self._put(user, line.after)
        elif line.kind in _WON:
            self._scored(user).won += 1
            self._scored(other).lost += 1
        elif line.kind == Happening.DRAWN:
            self._scored(user).drawn += 1
            self._scored(other).drawn += 1

    def drop(self, lines: Iterable[Line]) -> None:
        """Take the entries of members who dropped together: all leave their places first."""
        dropped = [line for line in lines if line.user_id in self.scores]
        for line in dropped:
            if line.user_id in self.order:
                self.order.remove(line.user_id)
        for line in sorted(dropped, key=lambda line: line.after or 0):
            self._put(line.user_id, line.after)

    def _scored(self, user: int | None) -> Score:
        """The score of a member; that of somebody who has left counts no more."""
        return Score() if user is None else self.scores.get(user, Score())

    def _put(self, user: int | None, rank: int | None) -> None:
        if user is None or rank is None:
            return
        if self.style == Style.STAIRS:
            self.steps[user] = rank
            return
        if user in self.order:
            self.order.remove(user)
        self.order.insert(rank - 1, user)

    def _take(self, user: int) -> None:
        self.scores.pop(user, None)
        self.steps.pop(user, None)
        if user in self.order:
            self.order.remove(user)


def retrace(style: str, lines: Iterable[Line]) -> Standings:
    """The standings after all entries of a ladder, given in their order."""
    standings = Standings(style)
    for (kind, _at), together in groupby(lines, key=attrgetter("kind", "at")):
        if kind == Happening.SANK:
            standings.drop(together)
            continue
        for line in together:
            standings.follow(line)
    return standings
