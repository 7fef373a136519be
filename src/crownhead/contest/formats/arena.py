"""Arena: until time is up, free players are paired with others who have about the same score.

For live play. Each round of the contest is one wave of pairings: the caller asks for the next step regularly
(every few seconds, or when a game has ended), and all players who are ``here`` and have no game are paired
if there is a suitable opponent. When time is up the caller closes the contest; games in progress still count.

A win is worth 2, a draw 1. A player who wins twice in a row is on a streak: while it lasts, each further win
is worth 4; the draw or loss that ends it counts as usual. A forfeited game is a win for the player who was
there, but not part of a streak. Nobody meets their last opponent again unless no other player is in. Players
can enter at any time, pause (``here``) and come back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crownhead.contest.formats.common import tie_breaks_option, waiting, winners
from crownhead.contest.formats.format import Format
from crownhead.contest.formats.knockout import begins
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import (
    Contest,
    Finished,
    Pair,
    Pairing,
    Player,
    Round,
    Step,
    Table,
    Wait,
    WaitReason,
)
from crownhead.contest.options import Option
from crownhead.contest.seeding import by_strength, present, withdrawn
from crownhead.contest.tables import table
from crownhead.contest.tally import Tallies, Tally, tallies

STREAK = 2  # consecutive wins that start a streak


class Arena(Format):
    """Free players are paired until time is up."""

    key = "arena"
    name = _("Arena")
    summary = _("Until time is up, you get a new opponent as soon as you are free; the most points wins.")
    options = (
        Option("streaks", True, _("after two wins in a row, each further win counts double")),
        Option("at_least", 2, _("number of free players needed before pairing"), 2, 50),
        tie_breaks_option("wins,second-wins"),
    )
    least = 2
    live = True
    timed = True
    ponders = True
    late = True

    def next_step(self, contest: Contest) -> Step:
        """Return a wave of pairings for the free players."""
        if contest.closed:
            if not all(made.over for made in contest.rounds):
                return waiting(contest)
            tables = self.standings(contest)
            return Finished(tables, winners(tables[0]))
        made = self._wave(contest)
        if made is None:
            still = sum(not pairing.over for _, pairing in contest.pairings())
            return Wait(WaitReason.PLAYERS, _("Waiting for two free players."), still)
        return Pair(made)

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return one table, in whole points."""
        choices = self.choices(contest)
        counted = tallies(contest)
        if choices.yes("streaks"):
            counted = {key: _with_streaks(tally) for key, tally in counted.items()}
        made = table(counted, self.tie_break_keys(choices), withdrawn=withdrawn(contest), unit=1)
        return (made,)

    def planned_rounds(self, contest: Contest) -> int | None:
        """Return None until the contest is closed."""
        return len(contest.rounds) if contest.closed else None

    def _wave(self, contest: Contest) -> Round | None:
        number = len(contest.rounds) + 1
        busy = {key for _, pairing in contest.pairings() if not pairing.over for key in pairing.players}
        there = [player for player in present(contest, number) if player.here]
        free = [player for player in by_strength(there) if player.key not in busy]
        if len(free) < self.choices(contest).number("at_least"):
            return None
        played = tallies(contest, among=[player.key for player in there])
        points = {row.player: row.points for row in self.standings(contest)[0].rows}
        free.sort(key=lambda player: -points[player.key])
        pairs = _pairs(free, _last_opponents(played), again=len(there) == 2)
        made = []
        for place, pair in enumerate(pairs, 1):
            first, second = begins(pair[0].key, pair[1].key, played, place + number)
            made.append(Pairing(place, first, second, ballot=place))
        return Round(number, tuple(made)) if made else None


def _pairs(
    free: Sequence[Player], last: Mapping[str, str | None], *, again: bool
) -> list[tuple[Player, Player]]:
    """Pair neighbours by score who have not just met; one player may be left over."""
    waiting_, pairs = list(free), []
    while len(waiting_) > 1:
        one = waiting_.pop(0)
        for other in waiting_:
            if again or (last[one.key] != other.key and last[other.key] != one.key):
                waiting_.remove(other)
                pairs.append((one, other))
                break
    return pairs


def _last_opponents(played: Tallies) -> dict[str, str | None]:
    return {key: tally.meetings[-1].opponent if tally.meetings else None for key, tally in played.items()}


def _with_streaks(tally: Tally) -> Tally:
    """Return the tally with the extra points of streaks."""
    running, meetings = 0, []
    for meeting in tally.meetings:
        worth = meeting
        if meeting.wins and running >= STREAK:
            worth = meeting._replace(points=2 * meeting.points)
        if meeting.met:
            running = running + 1 if meeting.wins else 0
        meetings.append(worth)
    return Tally(tally.player, tuple(meetings))
