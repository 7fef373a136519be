"""The next step of a contest, worked out while nothing is held: pairing many takes a second.

Whoever then holds the tournament asks again with what he finds. Where that is the same contest he has the
answer at once; where something has happened in between, it is worked out anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from crownhead.contest import Contest, ContestError, formats
from crownhead.contest.model import Step
from crownhead.server.competitions.access import format_played
from crownhead.server.competitions.models import Status, Tournament
from crownhead.server.competitions.services import contest_rows


@dataclass(frozen=True, slots=True)
class Thought:
    """A contest, and what comes next in it; nothing at all where it was not worth the while."""

    contest: Contest | None = None
    step: Step | None = None

    def next_step(self, contest: Contest) -> Step:
        """What comes next in a contest."""
        if self.step is not None and contest == self.contest:
            return self.step
        return formats.next_step(contest)


NOTHING = Thought()


def think(*, pk: int, now: datetime) -> Thought:
    """Of a running tournament that is due and whose pairing takes long."""
    tournament = Tournament.objects.filter(pk=pk, due_at__lte=now, status=Status.RUNNING).first()
    if tournament is None or not format_played(tournament).ponders:
        return NOTHING
    contest = contest_rows.load(tournament)
    try:
        return Thought(contest, formats.next_step(contest))
    except ContestError:
        return NOTHING  # whoever holds it finds the same, and says so
