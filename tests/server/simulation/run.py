"""Runs the simulation: the clock advances, members visit, workers run, and messages are sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from crownhead.server.ladders.services.founding import ensure_defaults
from tests.server.simulation import staff, visits
from tests.server.simulation.calendar import DAY, MINUTE, START
from tests.server.simulation.club import Club, create_club, end_day
from tests.server.simulation.contests import Contests
from tests.server.simulation.observer import attach, detach
from tests.server.simulation.people import Member

STEPS = 6  # a day
_PAUSE = timedelta(seconds=20)  # between two visits


@dataclass(slots=True)
class Simulation:
    """A simulated site over some days."""

    club: Club
    days: int
    activity: float = 1.0  # how often members visit, relative to their habits
    contests: Contests = field(default_factory=Contests)

    @property
    def host(self) -> Member:
        """The first member, who is staff."""
        return next(iter(self.club.people.values()))

    def live(self) -> Club:
        """Run from the first morning until the last e-mail has been sent."""
        club = self.club
        self.host.user.is_staff = True
        self.host.user.save()
        ensure_defaults(now=club.calendar.now)
        self.contests.open_ladders(club, self.host)
        club.calendar.advance(MINUTE)
        self.contests.found_teams(club)
        for day in range(self.days):
            self._day(day)
        for _ in range(STEPS):  # the digests of the last day, too
            self._post_leaves()
            club.calendar.advance(DAY / STEPS)
        self._post_leaves()
        end_day(club)
        return club

    def _day(self, day: int) -> None:
        club = self.club
        for step in range(STEPS):
            moment = START + day * DAY + step * (DAY / STEPS)
            club.calendar.go_to(max(moment, club.calendar.now))
            club.work(daily=step == 0)
            club.calendar.advance(_PAUSE)
            if step == 2:
                self._events(day)
            self._visits()
            self._post_leaves()
            club.raise_faults()
        end_day(club)

    def _visits(self) -> None:
        club = self.club
        for member in club.here:
            if club.dice.random() < self.activity * member.habit.visits / STEPS:
                club.calendar.advance(_PAUSE)
                visits.come_by(club, member)
                self.contests.take_part(club, member)

    def _post_leaves(self) -> None:
        """Send twice: while some are still online, and once everybody is away."""
        self.club.calendar.advance(MINUTE + _PAUSE)
        self.club.work()
        self.club.send()
        self.club.calendar.advance(11 * MINUTE)
        self.club.send()

    def _events(self, day: int) -> None:
        """What happens every day, and on certain days."""
        club, dice = self.club, self.club.dice
        club.calendar.advance(_PAUSE)
        self.contests.announce(club, dice.choice(club.here))
        club.calendar.advance(_PAUSE)
        self.contests.lead(club)
        club.calendar.advance(_PAUSE)
        staff.complain(club, dice.choice(club.here))
        club.calendar.advance(_PAUSE)
        staff.run_the_club(club, self.host)
        club.calendar.advance(_PAUSE)
        staff.stop_letters(club)
        if day in {self.days // 2, 2 * self.days // 3}:
            club.calendar.advance(_PAUSE)
            staff.leave(club, club.here[-1 - day])
        if day == self.days - 2:
            staff.close_a_ladder(club, self.host, self.contests.ladders[0])


@contextmanager
def running_club(members: int, days: int, seed: int, *, activity: float = 1.0) -> Iterator[Simulation]:
    """A simulated site with an observer; afterwards the clock runs again."""
    club = create_club(members, Random(seed))
    attach(club.observer)
    try:
        yield Simulation(club, days, activity)
    finally:
        detach(club.observer)
        club.calendar.close()
