"""The workers send what is due; what leaves is compared with the book, person by person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tests.server.month.ledger import Ledger, Telling
from tests.server.month.people import Member
from tests.server.month.post import Item, Parcel
from tests.server.month.wishes import AWAY, MAIL, NEVER, PERSONAL, PUSH


@dataclass(frozen=True, slots=True)
class Round:
    """Everything that one way takes at a moment."""

    ledger: Ledger
    way: str
    now: datetime

    def compare(self, left: Mapping[int, Parcel]) -> None:
        """Hold what left against what should have; then it is no longer owed."""
        for member in self.ledger.people.values():
            if not member.gone:
                self._compare(member, left.get(member.key))
            elif member.key in left:
                self.ledger.fault(member.key, f"has left the club and is told by {self.way}")

    def _compare(self, member: Member, parcel: Parcel | None) -> None:
        due, along = self._owed(member)
        if not due:
            if parcel is not None:
                self._fault(member, f"told too early, twice, or unasked: {parcel.items}")
            return
        if parcel is None:
            self._fault(member, "; ".join(f"not told {telling}" for telling in due))
        else:
            self._compare_words(member, [*due, *along], parcel)
        self.ledger.leave([*due, *along], self.way)

    def _owed(self, member: Member) -> tuple[list[Telling], list[Telling]]:
        """What has to leave now, and what leaves with it because it is about the same things."""
        waiting = self.ledger.waiting(member.key, self.way)
        ready = [telling for telling in waiting if telling.ways[self.way][1] <= self.now]
        unwanted = [telling for telling in ready if not self._wants(member, telling)]
        self.ledger.drop(unwanted, self.way)
        ready = [telling for telling in ready if telling not in unwanted]
        if self.way == MAIL and member.refuses:
            self.ledger.drop(ready, self.way)
            return [], []
        pressing = [telling for telling in ready if telling.ways[self.way][0] != AWAY]
        if not pressing and not member.is_away(self.now):
            return [], []
        things = {telling.about for telling in ready}
        others = [telling for telling in waiting if telling not in ready and telling not in unwanted]
        along = [telling for telling in others if telling.about in things and self._wants(member, telling)]
        return ready, along

    def _wants(self, member: Member, telling: Telling) -> bool:
        """He still does."""
        if telling.kinds[0] in PERSONAL and telling.actor in member.ignored:
            return False
        return member.wants(telling.kinds, self.way) != NEVER

    def _compare_words(self, member: Member, tellings: list[Telling], parcel: Parcel) -> None:
        expected = _items(tellings, whole=self.way == MAIL)
        if parcel.things is not None:
            if parcel.things != len(expected):
                self._fault(member, f"expected {len(expected)} things, told of {parcel.things}")
            expected = [item for item in expected if item in parcel.items] or parcel.items
        if sorted(expected, key=str) != sorted(parcel.items, key=str):
            self._fault(member, f"expected {expected}, got {parcel.items}")

    def _fault(self, member: Member, what: str) -> None:
        self.ledger.fault(member.key, f"by {self.way} at {self.now:%d %H:%M}: {what}")


def _items(tellings: Iterable[Telling], *, whole: bool) -> list[Item]:
    """What is told of each thing: in a letter all of it, in a push message the latest."""
    things: dict[str, list[Telling]] = {}
    for telling in sorted(tellings, key=lambda one: one.row):
        things.setdefault(telling.about, []).append(telling)
    made = []
    for rows in things.values():
        lines = [row.subject for row in rows] if whole else [rows[-1].subject]
        made.append(Item(rows[-1].link, frozenset(lines)))
    return made


WAYS = (MAIL, PUSH)
