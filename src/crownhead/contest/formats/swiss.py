"""Swiss system: in each round players with about the same score meet, nobody twice.

Pairings follow FIDE's Dutch system (``crownhead.contest.dutch``).

Players who withdraw are no longer paired; they keep their points. Late entrants get nothing for the rounds
they missed, or half the points, as the host chooses. A bye because of an odd number is worth a win, once per
player; requested byes are worth a draw, as often as the host allows, and nothing beyond that. A no-show is a
win for the player who was there; it does not count for colours and tie-breaks, and it is that player's one
bye. The open games of an adjourned pairing count as drawn when the next round is paired. If a round cannot be
paired by the Dutch rules, colours are ignored; if it is still impossible without repeating a pairing, the
contest ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crownhead.contest.dutch import Entrant, Pairs, PastRound, pair
from crownhead.contest.errors import BadOption
from crownhead.contest.formats.common import GAMES, SEEDING, ordered, tie_breaks_option, waiting, winners
from crownhead.contest.formats.fallback import pair_freely
from crownhead.contest.formats.format import Cells, Format
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import (
    DRAW,
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
from crownhead.contest.tally import Meeting, Tallies, Tally, tallies


class Swiss(Format):
    """Players with about the same score meet, nobody twice."""

    key = "swiss"
    name = _("Swiss system")
    summary = _("You meet players with about the same score, nobody twice; the most points wins.")
    options = (
        Option(
            "rounds", 0, _("number of rounds; 0 for as many as it takes to find one winner, plus one"), 0, 30
        ),
        GAMES,
        SEEDING,
        Option(
            "first_side",
            "lot",
            _("which side the top seed begins with"),
            choices=(_("lot"), _("first"), _("second")),
        ),
        Option("half_byes", 1, _("how many half-point byes a player may request"), 0, 10),
        Option("late_half", False, _("late entrants get half the points of the rounds they missed")),
        tie_breaks_option("buchholz,cut-1,direct,sonneborn-berger,wins,second-wins"),
    )
    least = 3
    most = 500  # pairing takes seconds with several hundred players
    late = True
    ponders = True
    cells = Cells.ROUNDS

    def byes_to_ask_for(self, options: Options) -> int:
        """The number of byes that the host has chosen."""
        return Choices(self.options, options).number("half_byes")

    def check(self, options: Options, players: Sequence[Player]) -> None:
        """Also check that there are enough opponents for the rounds."""
        super().check(options, players)
        rounds = Choices(self.options, options).number("rounds")
        there = sum(player.plays_in(1) for player in players)
        if rounds >= there + there % 2:
            raise BadOption("rounds", f"fewer rounds than players ({there})", rounds)

    def next_step(self, contest: Contest) -> Step:
        """Return the next round once the previous one is finished or adjourned."""
        number = len(contest.rounds) + 1
        if contest.rounds and not contest.rounds[-1].passed:
            return waiting(contest)
        if number <= self.planned_rounds(contest) and not contest.closed:
            made = self._round(contest, number)
            if made is not None:
                return Pair(made)
        if not all(made.over for made in contest.rounds):
            return waiting(contest)
        tables = self.standings(contest)
        return Finished(tables, winners(tables[0]))

    def standings(self, contest: Contest) -> tuple[Table, ...]:
        """Return one table."""
        choices = self.choices(contest)
        counted = _counted(contest, choices)
        return (table(counted, self.tie_break_keys(choices), withdrawn=withdrawn(contest)),)

    def planned_rounds(self, contest: Contest) -> int:
        """Return the host's choice, or how often the field can be halved plus one, but at least three."""
        chosen = self.choices(contest).number("rounds")
        there = len(present(contest, 1))
        return chosen or max(min(3, there - 1), min((there - 1).bit_length() + 1, there - 1))

    def _round(self, contest: Contest, number: int) -> Round | None:
        choices = self.choices(contest)
        there = present(contest, number)
        asking = [player for player in there if number in player.off]
        if len(there) - len(asking) < 2:
            return None
        field = ordered(list(contest.players), contest, choices)
        numbers = {player.key: index for index, player in enumerate(field, 1)}
        pasts = _pasts(contest, choices, numbers)
        here = {player.key for player in there} - {player.key for player in asking}
        entrants = [Entrant(numbers[one.key], pasts[one.key], one.key in here) for one in field]
        pairs = pair(
            entrants,
            rounds=self.planned_rounds(contest),
            top_first=_top_first(contest, choices),
            games=choices.number("games"),
        )
        pairs = pairs or pair_freely(entrants)
        return None if pairs is None else _build_round(contest, choices, pairs, field, asking)


def _counted(contest: Contest, choices: Choices) -> Tallies:
    """Return what counts for the table, including rounds missed before entering or after leaving."""
    games = choices.number("games")
    before = Bye.ASKED if choices.yes("late_half") else Bye.ABSENT
    entered = {player.key: player.entered for player in contest.players}
    counted = {}
    for key, tally in tallies(contest).items():
        paired = {meeting.round: meeting for meeting in tally.meetings}
        meetings = tuple(
            paired.get(made.number)
            or _missed(made.number, before if made.number < entered[key] else Bye.ABSENT, games)
            for made in contest.rounds
        )
        counted[key] = Tally(key, meetings)
    return counted


def _missed(number: int, bye: Bye, games: int) -> Meeting:
    points = DRAW * games if bye is Bye.ASKED else 0
    return Meeting(number, None, points, 0, games, bye=bye)


def _pasts(
    contest: Contest, choices: Choices, numbers: Mapping[str, int]
) -> dict[str, tuple[PastRound, ...]]:
    """Return each player's past rounds as input for pairing."""
    games = choices.number("games")
    late = DRAW * games if choices.yes("late_half") else 0
    pasts: dict[str, list[PastRound]] = {key: [] for key in numbers}
    for made in contest.rounds:
        seen: dict[str, PastRound] = {}
        for pairing in made.pairings:
            for key in pairing.players:
                seen[key] = _past(pairing, key, numbers)
        for player in contest.players:
            missed = PastRound(None, False, late if made.number < player.entered else 0)
            pasts[player.key].append(seen.get(player.key, missed))
    return {key: tuple(past) for key, past in pasts.items()}


def _past(pairing: Pairing, key: str, numbers: Mapping[str, int]) -> PastRound:
    if pairing.second is None:
        return PastRound(None, False, pairing.points_of(key), free=pairing.bye is Bye.ODD)
    still = 0 if pairing.over else pairing.planned - sum(game.over for game in pairing.games)
    points = pairing.points_of(key) + DRAW * still
    if still or any(game.counted for game in pairing.games):
        opponent = pairing.second if key == pairing.first else pairing.first
        return PastRound(numbers[opponent], key == pairing.first, points)
    return PastRound(None, False, points, free=points == 2 * pairing.planned)


def _top_first(contest: Contest, choices: Choices) -> bool:
    side = choices.text("first_side")
    return contest.dice % 2 == 0 if side == "lot" else side == "first"


def _byes_asked(contest: Contest, key: str) -> int:
    return sum(pairing.bye is Bye.ASKED and pairing.first == key for _, pairing in contest.pairings())


def _build_round(
    contest: Contest, choices: Choices, pairs: Pairs, field: Sequence[Player], asking: Sequence[Player]
) -> Round:
    games, made = choices.number("games"), list[Pairing]()
    for first, second in sorted(pairs, key=lambda two: two[1] is None):
        place, one = len(made) + 1, field[first - 1].key
        if second is None:
            made.append(Pairing(place, one, planned=games, bye=Bye.ODD))
        else:
            made.append(Pairing(place, one, field[second - 1].key, planned=games, ballot=place))
    for player in asking:
        left = _byes_asked(contest, player.key) < choices.number("half_byes")
        bye = Bye.ASKED if left else Bye.ABSENT
        made.append(Pairing(len(made) + 1, player.key, planned=games, bye=bye))
    return Round(len(contest.rounds) + 1, tuple(made))
