"""Each player's results, meeting by meeting, from which tables and tie-breaks are computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from crownhead.contest.model import DRAW, LOSS, WIN, Bye, Contest, Pairing


@dataclass(frozen=True, slots=True)
class Meeting:
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
        return self.games > 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's meetings in the order of the rounds."""

    player: str
    meetings: tuple[Meeting, ...] = ()

    @property
    def points(self) -> int:
        """Half points of all games and byes."""
        return sum(meeting.points for meeting in self.meetings)

    @property
    def wins(self) -> int:
        """Games won on the board."""
        return sum(meeting.wins for meeting in self.meetings)

    @property
    def draws(self) -> int:
        """Games drawn on the board."""
        return sum(meeting.draws for meeting in self.meetings)

    @property
    def losses(self) -> int:
        """Games lost on the board."""
        return sum(meeting.losses for meeting in self.meetings)

    @property
    def games(self) -> int:
        """Games played to a result."""
        return self.wins + self.draws + self.losses


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
            for key in pairing.players:
                if key in found:
                    found[key].append(_meeting(number, pairing, key))
    return {key: Tally(key, tuple(meetings)) for key, meetings in found.items()}


def _meeting(number: int, pairing: Pairing, key: str) -> Meeting:
    if pairing.second is None:
        points = pairing.points_of(key)
        return Meeting(number, None, points, 0, pairing.planned, bye=pairing.bye)
    opponent = pairing.second if key == pairing.first else pairing.first
    played = [game for game in pairing.games if game.over and game.counted]
    scores = [game.points_of(key) for game in played]
    return Meeting(
        number,
        opponent,
        pairing.points_of(key),
        pairing.points_of(opponent),
        pairing.planned,
        wins=scores.count(WIN),
        draws=scores.count(DRAW),
        losses=scores.count(LOSS),
        firsts=sum(game.first == key for game in played),
        second_wins=sum(game.second == key and game.points_of(key) == WIN for game in played),
        over=pairing.over,
    )
