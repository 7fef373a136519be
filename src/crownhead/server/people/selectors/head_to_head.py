"""What two players have scored against each other, live and by correspondence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.people.selectors.sums import kept
from crownhead.server.play.choices import FORFEIT, PaceKey, Status
from crownhead.server.play.selectors import Games, PreparedOfPublicGames, Viewer


@dataclass(frozen=True, slots=True)
class Score:
    """Finished games of two players, from the side of one of them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A point for a win, a half for a draw."""
        return self.won + self.drawn / 2

    @property
    def against(self) -> float:
        """The points of the other player."""
        return self.lost + self.drawn / 2

    def __add__(self, other: Score) -> Score:
        """Both together."""
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The scores of all games and of each pace, those that the viewer may see."""

    live: Score
    correspondence: Score

    @property
    def total(self) -> Score:
        """Live and by correspondence together."""
        return self.live + self.correspondence


def head_to_head(one: User, other: User, *, viewer: Viewer) -> HeadToHead:
    """From the side of ``one``: annulled games do not count, and only games of these two are looked at."""
    live, slow = Score(), Score()
    rows = kept(
        "between",
        viewer,
        lambda: _SUMS.rows(viewer=viewer, one=one.pk, other=other.pk),
        players=(one, other),
    )
    for pace, first_player, games, first_won, second_won, both_lost in rows:
        mine, theirs = (first_won, second_won) if first_player == one.pk else (second_won, first_won)
        score = Score(mine, games - mine - theirs - both_lost, theirs + both_lost)
        if pace == PaceKey.LIVE:
            live += score
        else:
            slow += score
    return HeadToHead(live, slow)


def _build(games: Games, *, one: int, other: int) -> QuerySet[Any, Any]:
    """The finished games of these two, counted by pace and by who had the first seat."""
    seats = Q(first_player=one, second_player=other) | Q(first_player=other, second_player=one)
    rows = games.filter(seats, status=Status.FINISHED, annulled=False)
    return (
        rows.order_by()
        .values("pace", "first_player")
        .annotate(
            games=Count("pk"),
            first_won=Count("pk", filter=Q(winner="first")),
            second_won=Count("pk", filter=Q(winner="second")),
            both_lost=Count("pk", filter=Q(winner=None, termination=FORFEIT)),
        )
        .values_list("pace", "first_player", "games", "first_won", "second_won", "both_lost")
    )


_SUMS: PreparedOfPublicGames[tuple[str, int, int, int, int, int]] = PreparedOfPublicGames(
    _build, one=int, other=int
)
