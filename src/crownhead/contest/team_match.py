"""A match between two teams: players meet board by board, and the points of all boards decide.

Each team lists its players from the first board on. On odd boards the home team has the first side, on
even ones the visitors, so that both have it equally often; with two games per board the colours are swapped
and the opening is the same. A team with fewer players loses its empty boards by
forfeit. The team with more points wins the match; equal points are a tie. All values are half
points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crownhead.contest.errors import BadField, BadRound
from crownhead.contest.model import LOSS, WIN, Pairing


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a match; if a player is missing, the other wins by forfeit."""

    number: int  # from 1
    home: str | None
    guest: str | None
    pairing: Pairing | None  # None if a player is missing
    games: int

    def points(self) -> tuple[int, int]:
        """Return the half points of the home team and the visitors on this board."""
        if self.pairing is not None and self.home is not None and self.guest is not None:
            return self.pairing.points_of(self.home), self.pairing.points_of(self.guest)
        won, lost = WIN * self.games, LOSS
        return (won, lost) if self.home is not None else (lost, won)


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """The boards of a match, in order."""

    boards: tuple[Board, ...]

    @property
    def over(self) -> bool:
        """Whether all boards are finished."""
        return all(board.pairing is None or board.pairing.over for board in self.boards)

    def points(self) -> tuple[int, int]:
        """Return the half points of the home team and the visitors on all boards."""
        both = [board.points() for board in self.boards]
        return sum(home for home, _ in both), sum(guest for _, guest in both)

    def result(self) -> tuple[int, int] | None:
        """Return the result of the match, (2, 0), (1, 1) or (0, 2), or None while it is in progress."""
        if not self.over:
            return None
        home, guest = self.points()
        return (1, 1) if home == guest else (2, 0) if home > guest else (0, 2)

    def decided(self) -> bool:
        """Whether the open boards can no longer change who wins."""
        home, guest = self.points()
        still = sum(
            WIN * (board.games - sum(game.over for game in board.pairing.games))
            for board in self.boards
            if board.pairing is not None and not board.pairing.over
        )
        return abs(home - guest) > still


def pair_teams(home: Sequence[str], guests: Sequence[str], *, games: int = 1) -> TeamMatch:
    """Pair two line-ups board by board.

    Raises ``BadField`` if a team is empty or lists a player twice, ``BadRound`` if a player is in both
    teams.
    """
    for name, line_up in (("home team", home), ("guests", guests)):
        if not line_up or len(set(line_up)) != len(line_up):
            raise BadField(f"expected each player of the {name} once, got {list(line_up)!r}")
    both = set(home).intersection(guests)
    if both:
        raise BadRound(f"expected players of one team only, got {sorted(both)!r} in both")
    count = max(len(home), len(guests))
    boards = [
        _board(number, _named(home, number), _named(guests, number), games) for number in range(1, count + 1)
    ]
    return TeamMatch(tuple(boards))


def _named(line_up: Sequence[str], number: int) -> str | None:
    return line_up[number - 1] if number <= len(line_up) else None


def _board(number: int, home: str | None, guest: str | None, games: int) -> Board:
    if home is None or guest is None:
        return Board(number, home, guest, None, games)
    first, second = (home, guest) if number % 2 else (guest, home)
    return Board(number, home, guest, Pairing(number, first, second, planned=games, ballot=number), games)
