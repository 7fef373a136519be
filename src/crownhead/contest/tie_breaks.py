"""Tie-breaks: values that rank players with equal points, each with a description.

A value is a whole number in the unit of its tie-break (halves, quarters or ones), so that nothing is rounded.
Unplayed rounds count as in FIDE's rules from 2009 to 2022. For a player's opponents, each round the player
did not play counts as a draw. For the player, an unplayed round counts as a game against a *virtual opponent*
who had as many points as the player before it, scored in it what the player did not, and drew all later
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.tally import Meeting, Tallies


@dataclass(frozen=True)
class TieBreakContext:
    """The data from which tie-breaks are computed: the tallies of a table, and the tied players.

    ``rounds``: the number of rounds so far; ``scores``: what each player's points count for their opponents;
    ``strong``: who has at least half of the possible points.
    """

    tallies: Tallies
    equals: frozenset[str]
    rounds: int
    scores: Mapping[str, int]
    strong: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tallies: Tallies) -> TieBreakContext:
        """Create the context of a table, without tied players."""
        rounds = max((meeting.round for tally in tallies.values() for meeting in tally.meetings), default=0)
        scores = {key: sum(map(_as_drawn, tally.meetings)) for key, tally in tallies.items()}
        strong = frozenset(
            key for key, tally in tallies.items() if tally.games and tally.points >= tally.planned
        )
        return cls(tallies, frozenset(), rounds, scores, strong)

    def among(self, equals: Iterable[str]) -> TieBreakContext:
        """Return the context for a group of tied players."""
        return replace(self, equals=frozenset(equals))

    @cached_property
    def equals_have_met(self) -> bool:
        """Whether each of the tied players has met all others of them."""
        for player in self.equals:
            met = {meeting.opponent for meeting in self.tallies[player].meetings if meeting.met}
            if self.equals - {player} - met:
                return False
        return True


Value = Callable[[str, TieBreakContext], int]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break; the higher value comes first. ``unit``: how many units make one point."""

    key: str
    name: str
    text: str  # a sentence for people, in English
    unit: int
    value: Value  # of a player

    def format(self, value: int) -> str:
        """Format a value for a table: ``12``, ``12½``, ``7¼``."""
        whole, rest = divmod(value, self.unit)
        quarters = rest * 4 // self.unit
        part = ("", "¼", "½", "¾")[quarters]
        return part if part and not whole else f"{whole}{part}"


def _as_drawn(meeting: Meeting) -> int:
    """Return the points that count for the opponents."""
    return meeting.points if meeting.met or _open(meeting) else meeting.planned


def _open(meeting: Meeting) -> bool:
    """Whether a pairing has no result yet."""
    return meeting.bye is None and meeting.opponent is not None and not meeting.over


def _opponents(key: str, context: TieBreakContext) -> list[int]:
    """Return the points of all opponents, including virtual ones, lowest first."""
    scores, before = [], 0
    for meeting in context.tallies[key].meetings:
        if meeting.met and meeting.opponent is not None:
            scores.append(context.scores.get(meeting.opponent, 0))
        elif not _open(meeting):
            drawn_after = meeting.planned * (context.rounds - meeting.round)
            scores.append(before + 2 * meeting.planned - meeting.points + drawn_after)
        before += meeting.points
    return sorted(scores)


def _buchholz(key: str, context: TieBreakContext) -> int:
    return sum(_opponents(key, context))


def _cut(key: str, context: TieBreakContext) -> int:
    return sum(_opponents(key, context)[1:])


def _median(key: str, context: TieBreakContext) -> int:
    return sum(_opponents(key, context)[1:-1])


def _sonneborn_berger(key: str, context: TieBreakContext) -> int:
    return sum(
        meeting.points * context.scores.get(meeting.opponent, 0)
        for meeting in context.tallies[key].meetings
        if meeting.met and meeting.opponent is not None
    )


def _direct(key: str, context: TieBreakContext) -> int:
    """Return the points among the tied players, if all of them have met."""
    group = context.equals
    if not context.equals_have_met:
        return 0
    return sum(meeting.points for meeting in context.tallies[key].meetings if meeting.opponent in group)


def _wins(key: str, context: TieBreakContext) -> int:
    return context.tallies[key].wins


def _second_games(key: str, context: TieBreakContext) -> int:
    return sum(meeting.games - meeting.firsts for meeting in context.tallies[key].meetings)


def _second_wins(key: str, context: TieBreakContext) -> int:
    return sum(meeting.second_wins for meeting in context.tallies[key].meetings)


def _koya(key: str, context: TieBreakContext) -> int:
    """Return the points against players with at least half of the possible points."""
    return sum(
        meeting.points
        for meeting in context.tallies[key].meetings
        if meeting.met and meeting.opponent in context.strong
    )


def _progressive(key: str, context: TieBreakContext) -> int:
    total = running = 0
    for meeting in context.tallies[key].meetings:
        running += meeting.points
        total += running
    return total


_ALL = (
    TieBreak(
        "direct",
        _("direct encounter"),
        _("Points in the games among the tied players, if all of them have met."),
        2,
        _direct,
    ),
    TieBreak(
        "buchholz",
        _("Buchholz"),
        _("The points of all your opponents added up: stronger opposition comes first."),
        2,
        _buchholz,
    ),
    TieBreak(
        "cut-1", _("Buchholz cut 1"), _("The points of your opponents, leaving out the weakest."), 2, _cut
    ),
    TieBreak(
        "median",
        _("median Buchholz"),
        _("The points of your opponents, leaving out the weakest and the strongest."),
        2,
        _median,
    ),
    TieBreak(
        "sonneborn-berger",
        _("Sonneborn-Berger"),
        _("The points of the opponents you beat, plus half the points of those you drew with."),
        4,
        _sonneborn_berger,
    ),
    TieBreak("wins", _("wins"), _("Games won on the board; byes and forfeits do not count."), 1, _wins),
    TieBreak(
        "second-wins",
        _("wins with the second side"),
        _("Games won by the player who did not move first."),
        1,
        _second_wins,
    ),
    TieBreak(
        "second-games",
        _("games with the second side"),
        _("Games in which you did not move first."),
        1,
        _second_games,
    ),
    TieBreak(
        "koya",
        _("Koya"),
        _("Points against players who scored at least half of the possible points."),
        2,
        _koya,
    ),
    TieBreak(
        "progressive",
        _("progressive score"),
        _("Your points after each round added up: early points count for more."),
        2,
        _progressive,
    ),
)

TIE_BREAKS: Mapping[str, TieBreak] = MappingProxyType({made.key: made for made in _ALL})
