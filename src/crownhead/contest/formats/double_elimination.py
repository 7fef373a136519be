"""Double elimination: players are out after two losses.

Everybody starts in the upper bracket (section 1). Losers there move to the lower bracket (section 2), and
losers there are out. The winners of both brackets meet in the final (section 3); if the unbeaten player loses
it, a second final decides, unless the host has chosen otherwise.

The upper bracket is that of single elimination. Its losers enter the lower one crosswise, so that players who
have met before meet again as late as possible. With ``2 ** k`` places the rounds are: first the upper bracket
alone; then, for each further round of the upper bracket, that round together with an inner round of the lower
one, followed by the round of the lower bracket that takes in the latest losers; then the finals. Withdrawals,
draws and matches without players are treated as in single elimination.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from crownhead.contest.formats.common import ordered, waiting
from crownhead.contest.formats.format import Bracket, Format
from crownhead.contest.formats.knockout import KNOCKOUT_OPTIONS, Pairer, bracket, loser_of, winner_of
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Contest, Finished, Pair, Pairing, Round, Step, Table
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import present, withdrawn
from crownhead.contest.tables import placed
from crownhead.contest.tally import tallies

UPPER, LOWER, FINALS = 1, 2, 3
FINAL, SECOND = _("final"), _("second final")
Two = tuple[str | None, str | None]


class DoubleElimination(Format):
    """Players are out after two lost matches."""

    key = "double-elimination"
    name = _("Double elimination")
    summary = _("After two lost matches you are out; the last player left wins.")
    options = (
        *KNOCKOUT_OPTIONS,
        Option("second_final", True, _("the winner of the lower bracket has to win the final twice")),
    )
    brackets = MappingProxyType(
        {
            UPPER: Bracket(_("Upper bracket")),
            LOWER: Bracket(_("Lower bracket")),
            FINALS: Bracket(_("Finals")),
        }
    )

    def next_step(self, contest: Contest) -> Step:
        """Return the next round of both brackets once all earlier matches are decided."""
        if not all(made.over for made in contest.rounds):
            return waiting(contest)
        number = len(contest.rounds) + 1
        losses = _losses(contest, self.choices(contest))
        alive = [player.key for player in present(contest, number) if losses.get(player.key, 2) < 2]
        if len(alive) > 1 and not contest.closed:
            made = _Brackets(contest, self.choices(contest)).next_round()
            if made is not None:
                return Pair(made)
        tables = self.standings(contest)
        first = [row.player for row in tables[0].rows if row.place == 1 and row.player in alive]
        return Finished(tables, tuple(first))

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return one table: remaining players by losses, then the others by their last round."""
        losses = _losses(contest, self.choices(contest))
        gone = withdrawn(contest)
        last = dict.fromkeys(losses, 0)
        for number, pairing in contest.pairings():
            last |= dict.fromkeys(pairing.players, number)
        groups: dict[tuple[int, int], list[str]] = {}
        for key, lost in losses.items():
            fallen = lost > 1 or key in gone
            groups.setdefault((-1, last[key]) if fallen else (2 - lost, 0), []).append(key)
        rows = placed(
            [groups[how_far] for how_far in sorted(groups, reverse=True)],
            tallies(contest, among=losses),
            out={key for key, lost in losses.items() if lost > 1},
            withdrawn=gone,
        )
        return (Table(rows),)

    def planned_rounds(self, contest: Contest) -> int:
        """Return the rounds of both brackets and the final; a second final counts only once it is due."""
        return max(2 * _height(contest), len(contest.rounds))


class _Brackets:
    """The state of both brackets, derived from the rounds played so far."""

    def __init__(self, contest: Contest, choices: Choices) -> None:
        self._contest = contest
        self._choices = choices
        self._pairer = Pairer(contest, choices)
        self._height = _height(contest)
        self._played: dict[tuple[int, int, int], Pairing] = {}  # by wave, section and place in it

    def next_round(self) -> Round | None:
        """Return the first wave of pairings not yet played; empty waves are skipped."""
        stored = iter(self._contest.rounds)
        number = 1
        for wave in range(1, 2 * self._height + 2):
            made = self._wave(wave, number)
            if not made:
                continue
            played = next(stored, None)
            if played is None:
                return Round(number, tuple(made))
            for pairing in played.pairings:
                place = pairing.table - (self._upper_tables(wave) if pairing.section == LOWER else 0)
                self._played[wave, pairing.section, place] = pairing
            number += 1
        return None

    def _wave(self, wave: int, number: int) -> list[Pairing]:
        if wave >= 2 * self._height:
            stage = FINAL if wave == 2 * self._height else SECOND
            final = self._meet(self._finalists(wave), 1, number, FINALS, stage)
            return [final] if final is not None and final.bye is None else []
        upper = self._upper_tables(wave)
        made = [
            *(self._meet(self._upper(wave, place), place, number, UPPER) for place in _up_to(upper)),
            *(
                self._meet(self._lower(wave, place), upper + place, number, LOWER)
                for place in _up_to(self._lower_tables(wave))
            ),
        ]
        return [pairing for pairing in made if pairing is not None]

    def _meet(self, pair: Two, table: int, number: int, section: int, stage: str = "") -> Pairing | None:
        return self._pairer.meet(pair, table=table, number=number, section=section, stage=stage)

    def _upper_tables(self, wave: int) -> int:
        """Return the tables of the upper bracket, which plays in wave 1 and in all even waves."""
        if wave > 1 and wave % 2:
            return 0
        return (1 << self._height) >> (wave // 2 + 1)

    def _lower_tables(self, wave: int) -> int:
        """Return the tables of the lower bracket, which plays in every wave but the first."""
        return (1 << self._height) >> (wave // 2 + 1) if wave > 1 else 0

    @cached_property
    def _seeds(self) -> list[str | None]:
        field = ordered(present(self._contest, 1), self._contest, self._choices)
        return [field[seed - 1].key if seed <= len(field) else None for seed in bracket(len(field))]

    def _upper(self, wave: int, place: int) -> Two:
        if wave == 1:
            return self._seeds[2 * place - 2], self._seeds[2 * place - 1]
        before = max(1, wave - 2)
        return self._won(before, UPPER, 2 * place - 1), self._won(before, UPPER, 2 * place)

    def _lower(self, wave: int, place: int) -> Two:
        if wave == 2:
            return self._lost(1, 2 * place - 1), self._lost(1, 2 * place)
        if wave % 2 == 0:
            return self._won(wave - 1, LOWER, 2 * place - 1), self._won(wave - 1, LOWER, 2 * place)
        falls = _crossed(place, self._lower_tables(wave), wave // 2)
        return self._won(wave - 1, LOWER, place), self._lost(wave - 1, falls)

    def _finalists(self, wave: int) -> Two:
        if wave == 2 * self._height:
            second = self._won(wave - 1, LOWER, 1) if self._height > 1 else self._lost(1, 1)
            return self._won(max(1, wave - 2), UPPER, 1), second
        upper, lower = self._finalists(wave - 1)
        beaten = self._won(wave - 1, FINALS, 1) == lower
        return (upper, lower) if beaten and self._choices.yes("second_final") else (None, None)

    def _won(self, wave: int, section: int, place: int) -> str | None:
        pairing = self._played.get((wave, section, place))
        return winner_of(self._contest, pairing, self._choices) if pairing else None

    def _lost(self, wave: int, place: int) -> str | None:
        pairing = self._played.get((wave, UPPER, place))
        return loser_of(self._contest, pairing, self._choices) if pairing else None


def _height(contest: Contest) -> int:
    """Return how often the field can be halved, at least once."""
    return max(1, (len(present(contest, 1)) - 1).bit_length())


def _crossed(place: int, tables: int, fall: int) -> int:
    """Return the upper table whose loser enters this table, far from where its other player came from.

    The first drop reverses the order of the bracket; the second goes to its other half, and so on.
    """
    if fall % 2:
        return tables + 1 - place
    return (place - 1 + tables // 2) % tables + 1 if tables > 2 else place


def _up_to(count: int) -> range:
    return range(1, count + 1)


def _losses(contest: Contest, choices: Choices) -> Mapping[str, int]:
    """Return the lost matches of each player; 2 stands for being out."""
    losses = {player.key: 0 for player in contest.players if player.entered <= 1}
    for _number, pairing in contest.pairings():
        if pairing.second is None or not pairing.over:
            continue
        winner = winner_of(contest, pairing, choices)
        for key in pairing.players:
            if key == winner:
                continue
            forgiven = not losses[key] and (pairing.stage == FINAL and choices.yes("second_final"))
            if winner is None or (pairing.section == FINALS and not forgiven):
                losses[key] = 2
            else:
                losses[key] += 1
    return losses
