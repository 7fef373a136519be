"""Sections in rounds, as on turn-based sites: small groups whose winners advance.

In each round the players are divided into sections of about the same size, with the strong players spread
evenly. In a section everyone plays everyone, two games at once with colours swapped and the same opening. The
players with the most points advance. The last two play a final match for a number of wins, one game after the
other. A round that eliminates nobody is followed by another; if that eliminates nobody either, tie-breaks and
then a random draw decide each section; a single section shares the title instead.

Players who withdraw lose their unfinished games (the caller forfeits them) and do not advance. An
adjourned game delays the next round, because its section is undecided. There are no late entries.
"""

from __future__ import annotations

from dataclasses import replace

from crownhead.contest.formats.common import SEEDING, ordered, tie_breaks_option, waiting, winners
from crownhead.contest.formats.format import Format
from crownhead.contest.formats.round_robin import berger
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Contest, Finished, Pair, Pairing, Player, Round, Step, Table
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import in_random_order, present, random_key, withdrawn
from crownhead.contest.tables import placed, table
from crownhead.contest.tally import tallies

MATCH = _("final match")


class Sections(Format):
    """Small groups whose winners advance."""

    key = "sections"
    name = _("Sections")
    summary = _("Everyone plays everyone in a small section; the winners of the sections advance.")
    order = _("In the order of the latest round that they play, then of their places in its sections.")
    options = (
        Option("section_size", 8, _("maximum number of players per section"), 3, 12),
        Option("games", 2, _("games per pairing; the second has colours swapped and the same opening"), 1, 2),
        Option("final_wins", 3, _("wins needed in the final match of two players"), 1, 10),
        Option(
            "final_games", 20, _("maximum number of games in the final match; then points decide"), 2, 100
        ),
        SEEDING,
        tie_breaks_option("sonneborn-berger,wins,second-wins"),
    )
    most = 5000

    def next_step(self, contest: Contest) -> Step:
        """Return the sections of the next round once all of the current ones are decided."""
        if not all(made.over for made in contest.rounds):
            return waiting(contest)
        number = len(contest.rounds) + 1
        field = self._field(contest, number)
        if len(field) < 2 or contest.closed or self._decided(contest):
            tables = self.standings(contest)
            return Finished(tables, winners(tables[0]))
        return Pair(self._round(contest, number, field))

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return the whole contest by the round reached, then the sections, newest first."""
        numbers = range(len(contest.rounds), 0, -1)
        sections = [made for number in numbers for made in self._tables(contest, number)]
        reached: dict[str, tuple[int, int]] = {
            player.key: (0, 0) for player in contest.players if player.entered <= 1
        }
        for made in reversed(sections):
            for row in made.rows:
                reached[row.player] = (made.round, -row.place)
        groups: dict[tuple[int, int], list[str]] = {}
        for key, how_far in reached.items():
            groups.setdefault(how_far, []).append(key)
        playing = self._playing(contest)
        rows = placed(
            [groups[how_far] for how_far in sorted(groups, reverse=True)],
            tallies(contest, among=reached),
            out={key for key in reached if key not in playing},
            withdrawn=withdrawn(contest),
        )
        return (Table(rows), *sections)

    def planned_rounds(self, contest: Contest) -> int | None:
        """Return None until the contest is decided, because ties add rounds."""
        return len(contest.rounds) if self._decided(contest) else None

    def _playing(self, contest: Contest) -> frozenset[str]:
        """Return the players who are in the latest round or advance from it."""
        if not contest.rounds:
            return frozenset(player.key for player in present(contest, 1))
        if contest.rounds[-1].over:
            return frozenset(player.key for player in self._field(contest, len(contest.rounds) + 1))
        return frozenset(key for pairing in contest.rounds[-1].pairings for key in pairing.players)

    def _field(self, contest: Contest, number: int) -> list[Player]:
        """Return the players who advance to a round, the previous one being over."""
        if number == 1:
            return ordered(present(contest, 1), contest, self.choices(contest))
        tables = self._tables(contest, number - 1)
        tied = _undecided(contest, number - 1) and _undecided(contest, number - 2)
        goes_on = {key for made in tables for key in _first(contest, made, tied=tied, alone=len(tables) == 1)}
        there = [player for player in contest.players if player.key in goes_on and player.plays_in(number)]
        return ordered(there, contest, self.choices(contest))

    def _decided(self, contest: Contest) -> bool:
        """Whether the final match is over, or two single sections in a row have eliminated nobody."""
        if not contest.rounds:
            return False
        last = contest.rounds[-1]
        if last.pairings[0].stage == MATCH:
            return True
        alone = last.over and all(pairing.section == 1 for pairing in last.pairings)
        return alone and _undecided(contest, last.number) and _undecided(contest, last.number - 1)

    def _tables(self, contest: Contest, number: int) -> list[Table]:
        """Return the tables of a round's sections."""
        columns = self.tie_break_keys(self.choices(contest))
        made = contest.rounds[number - 1]
        players: dict[int, dict[str, None]] = {}
        for pairing in made.pairings:
            players.setdefault(pairing.section, {}).update(dict.fromkeys(pairing.players))
        everybody = [key for there in players.values() for key in there]
        counted = tallies(replace(contest, rounds=(made,)), among=everybody)
        gone = withdrawn(contest)
        tables = []
        for section, there in sorted(players.items()):
            left = gone.intersection(there)
            own = {key: counted[key] for key in there}
            tables.append(table(own, columns, number=number, section=section, withdrawn=left, last=left))
        return tables

    def _round(self, contest: Contest, number: int, field: list[Player]) -> Round:
        choices = self.choices(contest)
        if len(field) == 2 and number > 1:
            return Round(number, (_match(contest, choices, field),))
        made: list[Pairing] = []
        for section, players in enumerate(dealt(field, choices.number("section_size")), 1):
            names = in_random_order(players, dice=contest.dice, about=f"round {number}")
            for first, second in (pair for pairs in berger(len(names) + len(names) % 2) for pair in pairs):
                if max(first, second) <= len(names):
                    made.append(
                        Pairing(
                            len(made) + 1,
                            names[first - 1].key,
                            names[second - 1].key,
                            section=section,
                            planned=choices.number("games"),
                            ballot=len(made) + 1,
                        )
                    )
        return Round(number, tuple(made))


def dealt(field: list[Player], size: int) -> list[list[Player]]:
    """Divide players into balanced sections of at most ``size``, in serpentine order."""
    count = -(-len(field) // size)
    sections: list[list[Player]] = [[] for _ in range(count)]
    for index, player in enumerate(field):
        lap, place = divmod(index, count)
        sections[place if lap % 2 == 0 else count - 1 - place].append(player)
    return sections


def _match(contest: Contest, choices: Choices, field: list[Player]) -> Pairing:
    first, second = in_random_order(field, dice=contest.dice, about=MATCH)
    return Pairing(
        1,
        first.key,
        second.key,
        section=1,
        wins=choices.number("final_wins"),
        most=choices.number("final_games"),
        ballot=1,
        stage=MATCH,
    )


def _first(contest: Contest, made: Table, *, tied: bool, alone: bool) -> list[str]:
    """Return who advances from a section: by points; after two undecided rounds also by tie-breaks.

    ``tied``: the last two rounds were undecided; ``alone``: the round has no other section.
    """
    if tied:
        best = [row.player for row in made.rows if row.place == 1]
        if alone:
            return best
        about = f"section {made.round} {made.section}"
        return [min(best, key=lambda key: random_key(key, dice=contest.dice, about=about))]
    most = max((row.points for row in made.rows if not row.withdrawn), default=0)
    return [row.player for row in made.rows if row.points == most and most and not row.withdrawn]


def _undecided(contest: Contest, number: int) -> bool:
    """Whether a round has eliminated nobody: all players of each section have the same points."""
    if number < 1:
        return False
    points: dict[tuple[int, str], int] = {}
    for pairing in contest.rounds[number - 1].pairings:
        for key in pairing.players:
            points[pairing.section, key] = points.get((pairing.section, key), 0) + pairing.points_of(key)
    found: dict[int, int] = {}
    return all(found.setdefault(section, worth) == worth for (section, _), worth in points.items())
