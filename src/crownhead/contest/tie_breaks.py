"""What parts players with equal points: named values, each with a sentence for people.

A value is a whole number in the unit of its tie-break (halves, quarters or ones), so that nothing is rounded.
Rounds that were not played count as FIDE had it from 2009 to 2022. For one's opponents, whatever one has not
played counts as a draw. For oneself, a round without a game was against a *virtual opponent*, who had as many
points as oneself before it, in it what one did not get, and draws in all rounds after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.tally import Meeting, Tallies


@dataclass(frozen=True, slots=True)
class TieBreakContext:
    """What a value may look at: the tallies of a table, and the equals that are to be parted.

    ``rounds``: how many there have been; ``scores``: what each is worth to his opponents.
    """

    tallies: Tallies
    equals: frozenset[str]
    rounds: int
    scores: Mapping[str, int]

    @classmethod
    def of(cls, tallies: Tallies) -> TieBreakContext:
        """All of a table; nobody is to be parted yet."""
        rounds = max((meeting.round for tally in tallies.values() for meeting in tally.meetings), default=0)
        scores = {key: sum(map(_as_drawn, tally.meetings)) for key, tally in tallies.items()}
        return cls(tallies, frozenset(), rounds, scores)

    def among(self, equals: Iterable[str]) -> TieBreakContext:
        """The same for a group of equals."""
        return replace(self, equals=frozenset(equals))


Value = Callable[[str, TieBreakContext], int]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A value that parts equals: the higher comes first. ``unit``: how many of it make one point."""

    key: str
    name: str
    text: str  # a sentence for people, in English
    unit: int
    value: Value  # of a player

    def format(self, value: int) -> str:
        """A value for a table: ``12``, ``12½``, ``7¼``."""
        whole, rest = divmod(value, self.unit)
        quarters = rest * 4 // self.unit
        part = ("", "¼", "½", "¾")[quarters]
        return part if part and not whole else f"{whole}{part}"


def _as_drawn(meeting: Meeting) -> int:
    """Points for the opponents' sake."""
    return meeting.points if meeting.met or _open(meeting) else meeting.planned


def _open(meeting: Meeting) -> bool:
    """Whether a pairing has not come to anything yet."""
    return meeting.bye is None and meeting.opponent is not None and not meeting.over


def _opponents(key: str, context: TieBreakContext) -> list[int]:
    """The points of every opponent, virtual ones too, the lowest first."""
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
    """Points among equals, if each of them has met each other."""
    group = context.equals
    for player in group:
        met = {meeting.opponent for meeting in context.tallies[player].meetings if meeting.met}
        if group - {player} - met:
            return 0
    return sum(meeting.points for meeting in context.tallies[key].meetings if meeting.opponent in group)


def _wins(key: str, context: TieBreakContext) -> int:
    return context.tallies[key].wins


def _second_games(key: str, context: TieBreakContext) -> int:
    return sum(meeting.games - meeting.firsts for meeting in context.tallies[key].meetings)


def _second_wins(key: str, context: TieBreakContext) -> int:
    return sum(meeting.second_wins for meeting in context.tallies[key].meetings)


def _koya(key: str, context: TieBreakContext) -> int:
    """Points against those who have at least half of what they could have."""
    strong = {
        player
        for player, tally in context.tallies.items()
        if tally.points >= sum(meeting.planned for meeting in tally.meetings) and tally.games
    }
    return sum(
        meeting.points
        for meeting in context.tallies[key].meetings
        if meeting.met and meeting.opponent in strong
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
        _("Points in the games that the equals played among themselves, if each of them has met each other."),
        2,
        _direct,
    ),
    TieBreak(
        "buchholz",
        _("Buchholz"),
        _("The points of all one's opponents added up: who met stronger players comes first."),
        2,
        _buchholz,
    ),
    TieBreak("cut-1", _("Buchholz cut 1"), _("The points of one's opponents without the weakest."), 2, _cut),
    TieBreak(
        "median",
        _("median Buchholz"),
        _("The points of one's opponents without the weakest and the strongest of them."),
        2,
        _median,
    ),
    TieBreak(
        "sonneborn-berger",
        _("Sonneborn-Berger"),
        _("The points of everybody one has beaten, and half the points of everybody one has drawn with."),
        4,
        _sonneborn_berger,
    ),
    TieBreak("wins", _("wins"), _("Games won on the board; a bye or a forfeit is no win."), 1, _wins),
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
        _("How often one was the player who did not move first."),
        1,
        _second_games,
    ),
    TieBreak(
        "koya", _("Koya"), _("Points against those who made at least half of all they could."), 2, _koya
    ),
    TieBreak(
        "progressive",
        _("progressive score"),
        _("One's points after each round added up: an early lead counts for more."),
        2,
        _progressive,
    ),
)

TIE_BREAKS: Mapping[str, TieBreak] = MappingProxyType({made.key: made for made in _ALL})
