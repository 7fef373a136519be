"""Each player's results, meeting by meeting, from which tables and tie-breaks are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from crownhead.contest.model import DRAW, WIN, Bye, Contest, Pairing


class Meeting(NamedTuple):
    """One pairing from a player's point of view; points are half points."""

    round: int
    opponent: str | None  # None: a bye
    points: int
    against: int  # the opponent's points
    planned: int  # the number of planned games
    wins: int = 0  # games won, drawn and lost on the board; forfeits are not among them
    draws: int = 0
    losses: int = 0
    firsts: int = 0  # counted games with the first side
    second_wins: int = 0  # games won on the board with the second side
    bye: Bye | None = None
    over: bool = True

    @property
    def games(self) -> int:
        """Games played to a result."""
        return self.wins + self.draws + self.losses

    @property
    def met(self) -> bool:
        """Whether the players have actually played; a bye or a forfeit does not count."""
        return bool(self.wins or self.draws or self.losses)


@dataclass(frozen=True)
class Tally:
    """A player's meetings in the order of the rounds; what they add up to is counted once."""

    player: str
    meetings: tuple[Meeting, ...] = ()

    @cached_property
    def points(self) -> int:
        """Half points of all games and byes."""
        return sum(meeting.points for meeting in self.meetings)

    @cached_property
    def wins(self) -> int:
        """Games won on the board."""
        return sum(meeting.wins for meeting in self.meetings)

    @cached_property
    def draws(self) -> int:
        """Games drawn on the board."""
        return sum(meeting.draws for meeting in self.meetings)

    @cached_property
    def losses(self) -> int:
        """Games lost on the board."""
        return sum(meeting.losses for meeting in self.meetings)

    @cached_property
    def games(self) -> int:
        """Games played to a result."""
        return self.wins + self.draws + self.losses

    @cached_property
    def planned(self) -> int:
        """The number of planned games, which is also half of the half points that they are worth."""
        return sum(meeting.planned for meeting in self.meetings)


Tallies = Mapping[str, Tally]


def tallies(
    contest: Contest,
    *,
    among: Iterable[str] | None = None,
    counts: Callable[[int, Pairing], bool] | None = None,
) -> Tallies:
    """Return the tallies of all players, or of those in ``among``, over pairings that satisfy ``counts``."""
    keys = [player.key for player in contest.players] if among is None else list(among)
    found: dict[str, list[Meeting]] = {key: [] for key in keys}
    for number, pairing in contest.pairings():
        if counts is None or counts(number, pairing):
            over = pairing.over
            for key in pairing.players:
                if key in found:
                    found[key].append(_meeting(number, pairing, key, over=over))
    return {key: Tally(key, tuple(meetings)) for key, meetings in found.items()}


def _meeting(number: int, pairing: Pairing, key: str, *, over: bool) -> Meeting:
    if pairing.second is None:
        points = pairing.points_of(key)
        return Meeting(number, None, points, 0, pairing.planned, bye=pairing.bye)
    points = against = wins = draws = losses = firsts = second_wins = 0
    for game in pairing.games:  # once, for it is done for every player of every pairing
        if game.points is None:
            continue
        began = game.first == key
        mine, theirs = game.points if began else game.points[::-1]
        points += mine
        against += theirs
        if not game.counted:
            continue
        firsts += began
        if mine == WIN:
            wins += 1
            second_wins += not began
        elif mine == DRAW:
            draws += 1
        else:
            losses += 1
    return Meeting(
        number,
        pairing.second if key == pairing.first else pairing.first,
        points,
        against,
        pairing.planned,
        wins=wins,
        draws=draws,
        losses=losses,
        firsts=firsts,
        second_wins=second_wins,
        over=over,
    )
