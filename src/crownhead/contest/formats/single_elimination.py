"""Single elimination: the loser of a match is out; the last player left wins.

Players are seeded into a bracket whose size is a power of two; the top seeds have byes in the first round.
Tied matches are replayed with colours swapped, and after the last replay the chosen decider applies. A player
who withdraws forfeits the match or gives the next opponent a bye; if neither player turns up, nobody
advances. There are no late entries, and an adjourned match delays the next round, because its winner is
unknown.

The winners of tables 1 and 2 meet at table 1 of the next round, those of 3 and 4 at table 2, and so on; the
losers of the semi-finals may play for third place at table 2 of the last round.
"""

from __future__ import annotations

from types import MappingProxyType

from crownhead.contest.formats.common import ordered, waiting, winners
from crownhead.contest.formats.format import Bracket, Format
from crownhead.contest.formats.knockout import KNOCKOUT_OPTIONS, Pairer, bracket, loser_of, winner_of
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Contest, Finished, Pair, Pairing, Round, Step, Table
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import present, withdrawn
from crownhead.contest.tables import placed
from crownhead.contest.tally import tallies

FINAL, THIRD = _("final"), _("third place")


class SingleElimination(Format):
    """The loser of a match is out."""

    key = "single-elimination"
    name = _("Single elimination")
    summary = _("After one lost match you are out; the last player left wins.")
    options = (
        *KNOCKOUT_OPTIONS,
        Option("third_place", True, _("the losers of the semi-finals play for third place")),
    )
    brackets = MappingProxyType({0: Bracket(_("The bracket"), halving=True)})

    def next_step(self, contest: Contest) -> Step:
        """Return the next round of the bracket once the previous one is decided."""
        if not all(made.over for made in contest.rounds):
            return waiting(contest)
        number = len(contest.rounds) + 1
        alive = [key for key in self._alive(contest) if contest.player(key).plays_in(number)]
        if number > self.planned_rounds(contest) or len(alive) < 2 or contest.closed:
            tables = self.standings(contest)
            return Finished(tables, tuple(key for key in winners(tables[0]) if key in alive))
        return Pair(self._round(contest, number))

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return one table by the round reached; players eliminated in the same round share a place."""
        choices = self.choices(contest)
        reached: dict[str, tuple[int, int]] = {
            player.key: (0, 0) for player in contest.players if player.entered <= 1
        }
        for number, pairing in contest.pairings():
            winner = winner_of(contest, pairing, choices) if pairing.over else None
            for key in pairing.players:
                ahead = 1 if key == winner else 0
                reached[key] = (number, ahead - 2) if pairing.stage == THIRD else (number, ahead)
        groups: dict[tuple[int, int], list[str]] = {}
        for key, how_far in reached.items():
            groups.setdefault(how_far, []).append(key)
        alive = set(self._alive(contest))
        rows = placed(
            [groups[how_far] for how_far in sorted(groups, reverse=True)],
            tallies(contest, among=reached),
            out={key for key in reached if key not in alive},
            withdrawn=withdrawn(contest),
        )
        return (Table(rows),)

    def planned_rounds(self, contest: Contest) -> int:
        """Return how often the field can be halved."""
        return (len(present(contest, 1)) - 1).bit_length()

    def _alive(self, contest: Contest) -> list[str]:
        """Return the players who have not lost."""
        if not contest.rounds:
            return [player.key for player in present(contest, 1)]
        choices = self.choices(contest)
        alive: list[str] = []
        for pairing in contest.rounds[-1].pairings:
            if pairing.stage == THIRD:
                continue
            if not pairing.over:
                alive += pairing.players
            elif (winner := winner_of(contest, pairing, choices)) is not None:
                alive.append(winner)
        return alive

    def _round(self, contest: Contest, number: int) -> Round:
        choices = self.choices(contest)
        last = number == self.planned_rounds(contest)
        pairer, made = Pairer(contest, choices), []
        for table, pair in enumerate(self._pairs(contest, choices, number), 1):
            stage = FINAL if last else ""
            made.append(pairer.meet(pair, table=table, number=number, stage=stage))
        if last and number > 1 and choices.yes("third_place"):
            losers = [loser_of(contest, pairing, choices) for pairing in contest.rounds[-1].pairings]
            third = pairer.meet(losers, table=2, number=number, stage=THIRD)
            made.append(third if third is not None and third.bye is None else None)
        return Round(number, tuple(pairing for pairing in made if pairing is not None))

    def _pairs(self, contest: Contest, choices: Choices, number: int) -> list[tuple[str | None, str | None]]:
        if number == 1:
            field = ordered(present(contest, 1), contest, choices)
            slots = [field[seed - 1].key if seed <= len(field) else None for seed in bracket(len(field))]
        else:
            before = {pairing.table: pairing for pairing in contest.rounds[-1].pairings}
            tables = 2 ** (self.planned_rounds(contest) - number + 1)
            slots = [_winner(contest, before.get(table), choices) for table in range(1, tables + 1)]
        return list(zip(slots[::2], slots[1::2], strict=True))


def _winner(contest: Contest, pairing: Pairing | None, choices: Choices) -> str | None:
    return winner_of(contest, pairing, choices) if pairing is not None else None
