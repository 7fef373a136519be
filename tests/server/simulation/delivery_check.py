"""Compares what a channel has sent with the expected notifications, member by member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tests.server.simulation.expected_notices import ExpectedNotice, ExpectedNotices
from tests.server.simulation.outgoing import Delivery, Item
from tests.server.simulation.people import Member
from tests.server.simulation.timings import AWAY, MAIL, NEVER, PERSONAL


@dataclass(frozen=True, slots=True)
class DeliveryCheck:
    """One channel at one moment."""

    expected: ExpectedNotices
    channel: str
    now: datetime

    def compare(self, sent: Mapping[int, Delivery]) -> None:
        """Compare what was sent with what was due, and mark it as sent."""
        for member in self.expected.people.values():
            if not member.gone:
                self._compare(member, sent.get(member.key))
            elif member.key in sent:
                self.expected.fault(member.key, f"was notified by {self.channel} after leaving")

    def _compare(self, member: Member, delivery: Delivery | None) -> None:
        due, along = self._due(member)
        if not due:
            if delivery is not None:
                self._fault(member, f"sent too early, twice, or unasked: {delivery.items}")
            return
        if delivery is None:
            self._fault(member, "; ".join(f"not sent: {notice}" for notice in due))
        else:
            self._compare_items(member, [*due, *along], delivery)
        self.expected.mark_sent([*due, *along], self.channel)

    def _due(self, member: Member) -> tuple[list[ExpectedNotice], list[ExpectedNotice]]:
        """What is due now, and what is sent along with it because it is about the same subject."""
        waiting = self.expected.waiting(member.key, self.channel)
        ready = [notice for notice in waiting if notice.channels[self.channel][1] <= self.now]
        unwanted = [notice for notice in ready if not self._is_wanted(member, notice)]
        self.expected.drop(unwanted, self.channel)
        ready = [notice for notice in ready if notice not in unwanted]
        if self.channel == MAIL and member.refuses:
            self.expected.drop(ready, self.channel)
            return [], []
        pressing = [notice for notice in ready if notice.channels[self.channel][0] != AWAY]
        if not pressing and not member.is_away(self.now):
            return [], []
        things = {notice.about for notice in ready}
        others = [notice for notice in waiting if notice not in ready and notice not in unwanted]
        along = [notice for notice in others if notice.about in things and self._is_wanted(member, notice)]
        return ready, along

    def _is_wanted(self, member: Member, notice: ExpectedNotice) -> bool:
        """Whether the member still wants it."""
        if notice.kinds[0] in PERSONAL and notice.actor in member.ignored:
            return False
        return member.timing_of(notice.kinds, self.channel) != NEVER

    def _compare_items(self, member: Member, notices: list[ExpectedNotice], delivery: Delivery) -> None:
        expected = _items(notices, whole=self.channel == MAIL)
        if delivery.things is not None:
            if delivery.things != len(expected):
                self._fault(member, f"expected {len(expected)} items, got {delivery.things}")
            expected = [item for item in expected if item in delivery.items] or delivery.items
        if sorted(expected, key=str) != sorted(delivery.items, key=str):
            self._fault(member, f"expected {expected}, got {delivery.items}")

    def _fault(self, member: Member, what: str) -> None:
        self.expected.fault(member.key, f"by {self.channel} at {self.now:%d %H:%M}: {what}")


def _items(notices: Iterable[ExpectedNotice], *, whole: bool) -> list[Item]:
    """The expected item of each subject: all lines in an e-mail, the latest in a push message."""
    things: dict[str, list[ExpectedNotice]] = {}
    for notice in sorted(notices, key=lambda one: one.row):
        things.setdefault(notice.about, []).append(notice)
    made = []
    for rows in things.values():
        lines = [row.subject for row in rows] if whole else [rows[-1].subject]
        made.append(Item(rows[-1].link, frozenset(lines)))
    return made
