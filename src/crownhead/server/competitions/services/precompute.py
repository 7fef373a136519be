"""Computing the next step of a contest before the tournament is locked: pairing many players takes a second.

After locking, the result is used if the contest is still the same; otherwise the step is computed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from crownhead.contest import Contest, ContestError, formats
from crownhead.contest.model import Step
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.models import Status, Tournament
from crownhead.server.competitions.selectors.contest_rows import load


@dataclass(frozen=True, slots=True)
class Precomputed:
    """A contest and its next step; empty if the pairing is quick anyway."""

    contest: Contest | None = None
    step: Step | None = None

    def next_step(self, contest: Contest) -> Step:
        """The next step of a contest, from here if it is the same contest."""
        if self.step is not None and contest == self.contest:
            return self.step
        return formats.next_step(contest)


NOTHING = Precomputed()


def next_step_of(*, pk: int, now: datetime) -> Precomputed:
    """Compute the next step of a running tournament that is due, if its pairing is slow."""
    tournament = Tournament.objects.filter(pk=pk, due_at__lte=now, status=Status.RUNNING).first()
    if tournament is None or not format_of_tournament(tournament).ponders:
        return NOTHING
    contest = load(tournament)
    try:
        return Precomputed(contest, formats.next_step(contest))
    except ContestError:
        return NOTHING  # raised again under the lock, and handled there
