"""Seasons on both ladders: two hundred members challenge, win, flee and rest, and the strong ones rise."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from crownhead.contest.ladders import Challenger, Ending, Refusal, places, stairs

MEMBERS = [f"m{number:03}" for number in range(200)]  # the strongest first
CHALLENGES = 6000


def strength(key: str) -> float:
    return -float(key[1:])


@dataclass
class Season:
    """Open challenges, who is away, and when two have met; a day has some challenges."""

    dice: Random
    open: list[tuple[str, str]] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    met: dict[frozenset[str], float] = field(default_factory=dict)
    day: float = 0.0
    refused: Counter[Refusal] = field(default_factory=Counter)

    def climber(self, key: str, rank: int) -> Challenger:
        return Challenger(
            key,
            rank,
            challenging=frozenset(other for one, other in self.open if one == key),
            challenged_by=frozenset(one for one, other in self.open if other == key),
            away=key in self.away,
            met={
                other: self.day - when
                for pair, when in self.met.items()
                if key in pair
                for other in pair - {key}
            },
        )

    def passes(self) -> None:
        """A while goes by: people leave for vacation and come back, old meetings are forgotten."""
        self.day += 0.05
        self.away ^= {self.dice.choice(MEMBERS)} if self.dice.random() < 0.2 else set()
        self.met = {pair: when for pair, when in self.met.items() if self.day - when < 20}

    def settle(self) -> tuple[str, str, Ending]:
        """One open challenge ends: the winner, the loser, and how."""
        one, other = self.open.pop(self.dice.randrange(len(self.open)))
        self.met[frozenset((one, other))] = self.day
        wins = self.dice.random() < 1 / (1 + 10 ** ((strength(other) - strength(one)) / 60))
        ending = self.dice.choices(list(Ending), weights=[80, 3, 15, 2])[0]
        return (one, other, ending) if wins else (other, one, ending)


def rises(order: list[str]) -> bool:
    """Whether the upper quarter is much stronger than the lower one."""
    quarter = len(order) // 4
    upper, lower = order[:quarter], order[-quarter:]
    return sum(map(strength, upper)) - sum(map(strength, lower)) > 40 * quarter


def test_a_season_on_the_ladder_of_places() -> None:
    season, dice = Season(Random(5)), Random(5)
    order = tuple(dice.sample(MEMBERS, len(MEMBERS)))
    for _ in range(CHALLENGES):
        season.passes()
        me = dice.choice(order)
        rank = order.index(me) + 1
        target = dice.choice(places.reachable(rank, len(order)))
        them = order[target - 1]
        reason = places.refusal(season.climber(me, rank), season.climber(them, target))
        if reason is None:
            season.open.append((me, them))
            assert sum(one == me for one, _ in season.open) <= places.OWN
            assert them not in season.away
        else:
            season.refused[reason] += 1
        if len(season.open) > 60:
            before = order
            winner, loser, ending = season.settle()
            order = places.after(before, winner, loser, ending)
            assert sorted(order) == MEMBERS
            assert order.index(winner) <= before.index(winner)
            moves = places.changes(before, order)
            assert all(
                abs(move.after - move.before) == 1 for move in moves if move.key not in (winner, loser)
            )
    assert {Refusal.AWAY, Refusal.OWN_CHALLENGES, Refusal.OPEN_BETWEEN} <= set(season.refused)
    assert rises(list(order))


def test_a_season_on_the_stairs() -> None:
    season, dice = Season(Random(6)), Random(6)
    steps = dict.fromkeys(MEMBERS, stairs.BEGINNING)
    for count in range(CHALLENGES):
        season.passes()
        me, them = dice.sample(MEMBERS, 2)
        reason = stairs.refusal(season.climber(me, steps[me]), season.climber(them, steps[them]))
        if reason is None:
            assert steps[them] in stairs.reachable(steps[me])
            assert season.day - season.met.get(frozenset((me, them)), -99) >= stairs.REST
            season.open.append((me, them))
            assert Counter(one for one, _ in season.open)[me] <= stairs.OWN
            assert Counter(other for _, other in season.open)[them] <= stairs.OWN
        else:
            season.refused[reason] += 1
        if len(season.open) > 30:
            winner, loser, ending = season.settle()
            steps[winner], steps[loser] = stairs.new_ranks(steps[winner], steps[loser], ending)
            assert min(steps.values()) >= stairs.BEGINNING
        if count % 1000 == 999:
            steps = stairs.without_gaps(steps)
            assert all(later - earlier == 1 for earlier, later in pairwise(sorted(set(steps.values()))))
    assert set(season.refused) >= {Refusal.TOO_HIGH, Refusal.AWAY, Refusal.CHALLENGED_ALREADY}
    assert rises(sorted(MEMBERS, key=lambda key: -steps[key]))
