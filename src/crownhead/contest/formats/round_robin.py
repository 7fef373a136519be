"""Round robin: everybody plays everybody, using Berger tables.

The schedule contains all players who are in at the start; if their number is odd, one has a bye in each
round, worth nothing because everybody has one. Players who withdraw stay in the schedule: if they have played
at least half of their games, their remaining opponents win (`ODD` byes); otherwise none of their games count
for the table, and their opponents have a free round (`ABSENT` byes). There are no late entries. An adjourned
game delays only the end of the contest.
"""

from __future__ import annotations

from functools import cache

from crownhead.contest.formats.common import GAMES, SEEDING, ordered, tie_breaks_option, waiting, winners
from crownhead.contest.formats.format import Cells, Format
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import (
    Bye,
    Contest,
    Finished,
    Options,
    Pair,
    Pairing,
    Player,
    Round,
    Step,
    Table,
)
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import present, withdrawn
from crownhead.contest.tables import table
from crownhead.contest.tally import tallies


@cache
def berger(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rounds of the Berger tables for an even ``count`` of players, numbered from 1.

    In each pair the first number has the first side (FIDE Handbook C.05, annex 1).
    """
    ring, rounds = count - 1, []
    for number in range(1, count):
        # The numbers of a pair add up to the round's number plus one, modulo the ring; the player whose
        # double equals that sum meets the last player.
        meets = (number + 1) * (count // 2) % ring or ring
        pairs = [(meets, count) if meets <= count // 2 else (count, meets)]
        for step in range(1, count // 2):
            low, high = sorted(((meets + step) % ring or ring, (meets - step) % ring or ring))
            pairs.append((low, high) if (low + high) % 2 else (high, low))
        rounds.append(tuple(pairs))
    return tuple(rounds)


class RoundRobin(Format):
    """Everybody plays everybody, once or twice."""

    key = "round-robin"
    all_play_all = True
    scheduled = True
    name = _("Round robin")
    summary = _("Everyone plays everyone; the most points wins.")
    options = (
        Option(
            "cycles", 1, _("how often everybody plays everybody; the second time with colours swapped"), 1, 2
        ),
        GAMES,
        Option("at_once", False, _("all rounds start together instead of one after the other")),
        SEEDING,
        tie_breaks_option("direct,sonneborn-berger,wins,second-wins"),
    )
    least = 2
    most = 200
    odd_bye = Bye.ABSENT
    cells = Cells.OPPONENTS

    def overlaps(self, options: Options) -> bool:
        """Whether all rounds start together."""
        return Choices(self.options, options).yes("at_once")

    def next_step(self, contest: Contest) -> Step:
        """Return the next round of the schedule once the previous one is finished or adjourned."""
        choices = self.choices(contest)
        number = len(contest.rounds) + 1
        rounds = self._schedule(contest, choices)
        if number <= len(rounds) and not contest.closed and len(present(contest, number)) > 1:
            if contest.rounds and not contest.rounds[-1].passed and not self.overlaps(contest.options):
                return waiting(contest)
            return Pair(_round(contest, choices, number, rounds[number - 1]))
        if not all(made.over for made in contest.rounds):
            return waiting(contest)
        tables = self.standings(contest)
        return Finished(tables, winners(tables[0]))

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return one table."""
        choices = self.choices(contest)
        ignored = _ignored(contest, choices)
        counted = tallies(
            contest,
            counts=lambda _, pairing: (
                not ignored.intersection(pairing.players) and pairing.bye is not Bye.ABSENT
            ),
        )
        gone = withdrawn(contest)
        return (table(counted, self.tie_break_keys(choices), withdrawn=gone, last=ignored),)

    def planned_rounds(self, contest: Contest) -> int:
        """Return the number of rounds in the schedule."""
        return len(self._schedule(contest, self.choices(contest)))

    def _schedule(self, contest: Contest, choices: Choices) -> list[tuple[tuple[int, int], ...]]:
        count = len(_numbered(contest, choices))
        once = berger(count + count % 2)
        rounds = list(once)
        if choices.number("cycles") == 2:
            rounds += [tuple((second, first) for first, second in pairs) for pairs in once]
        return rounds


def _numbered(contest: Contest, choices: Choices) -> list[Player]:
    """Return the players who were in at the start, in order of their numbers."""
    return ordered(present(contest, 1), contest, choices)


def _ignored(contest: Contest, choices: Choices) -> frozenset[str]:
    """Return the players who withdrew before playing half of their games."""
    gone = withdrawn(contest)
    if not gone:
        return gone
    played = dict.fromkeys(gone, 0)
    for _number, pairing in contest.pairings():
        for key in gone.intersection(pairing.players):
            played[key] += any(game.over and game.counted for game in pairing.games)
    owed = (len(present(contest, 1)) - 1) * choices.number("cycles")
    return frozenset(key for key in gone if 2 * played[key] < owed)


def _round(contest: Contest, choices: Choices, number: int, pairs: tuple[tuple[int, int], ...]) -> Round:
    numbered = _numbered(contest, choices)
    games = choices.number("games")
    ignored = _ignored(contest, choices)
    made: list[Pairing] = []
    byes: list[tuple[str, Bye]] = []
    for pair in pairs:
        there = [numbered[index - 1] for index in pair if index <= len(numbered)]
        going = [player for player in there if player.plays_in(number)]
        if len(going) == 2:
            table_ = len(made) + 1
            made.append(Pairing(table_, going[0].key, going[1].key, planned=games, ballot=table_))
        elif len(going) == 1:
            free = len(there) == 2 and not ignored.intersection(player.key for player in there)
            byes.append((going[0].key, Bye.ODD if free else Bye.ABSENT))
    for key, bye in byes:
        made.append(Pairing(len(made) + 1, key, planned=games, bye=bye))
    return Round(number, tuple(made))
