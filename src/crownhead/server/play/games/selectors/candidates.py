"""What somebody who looks for a game can take: a few queries, however many games wait."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import beside
from crownhead.server.play.clocks import timing
from crownhead.server.play.games import providers
from crownhead.server.play.games.options import Flexibility, GameOptions, accepts_time
from crownhead.server.play.games.selectors import blocking, rated_limits, terms
from crownhead.server.play.models import Game, Games, Status

FIRST_LOOK, LATER_LOOK = 50, 200  # games at a time, about whose creators is asked together
MAX_LOOKS = 6  # of one search: those who have turned out not to fit are passed over afterwards
_TOLD_BY = (
    *("public_id", "creator", "created_at", "rated", "pace", "days_per_move"),
    *("clock_initial", "clock_bonus", "clock_limit", "weekends_off", "vacation"),
)


def offered(options: GameOptions, flexibility: Flexibility, now: datetime) -> Games:
    """What waits for anybody on these terms, the longest-waiting first."""
    wanted = terms.same_terms(options, flexibility)
    waiting = Game.objects.filter(wanted, status=Status.WAITING, open=True)
    return waiting.alias(until=beside("expires_at")).filter(until__gt=now).order_by("created_at", "pk")


@dataclass(slots=True)
class Search:
    """One look for a game by somebody on some terms, who may take others too."""

    user: User
    options: GameOptions
    now: datetime
    points: int = field(init=False)
    looks: int = field(default=0, init=False)
    out_of_range: set[int] = field(default_factory=set, init=False)  # creators, by their keys
    never_rated: set[int] = field(default_factory=set, init=False)  # creators with whom it can't be rated
    _leaves_early: bool | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Ask once what depends on nobody else."""
        self.points = terms.rating_of(self.user, self.options.variant)

    def fitting(self, taken: Flexibility) -> Iterator[Game]:
        """The games that the user can take, the longest-waiting first; some of very many."""
        last: Game | None = None
        while self.looks < MAX_LOOKS:
            rows = self._open_to_the_user(taken)
            if last is not None:
                later = Q(created_at=last.created_at, pk__gt=last.pk)
                rows = rows.filter(Q(created_at__gt=last.created_at) | later)
            most = LATER_LOOK if self.looks else FIRST_LOOK
            games = list(rows.only(*_TOLD_BY)[:most])
            self.looks += 1
            yield from self._suiting(games, taken)
            if len(games) < most:
                return
            last = games[-1]

    def _open_to_the_user(self, taken: Flexibility) -> Games:
        """Offers of others as far as a query of the games tells, but for creators who don't fit."""
        rows = offered(self.options, taken, self.now).filter(
            terms.with_free_seat(self.options.colour),
            Q(min_rating=None) | Q(min_rating__lte=self.points),
            Q(max_rating=None) | Q(max_rating__gte=self.points),
            Q(creator__is_active=True) | Q(creator__is_guest=True),
            creator__closed_at=None,
        )
        rows = blocking.exclude_blocked_either_way(rows.exclude(creator=self.user), self.user)
        if (self.options.rated or taken.rated) and self._plays_unrated_only():
            rows = rows.filter(rated=False)
        return rows.exclude(creator__in=self.out_of_range).exclude(rated=True, creator__in=self.never_rated)

    def _plays_unrated_only(self) -> bool:
        if self._leaves_early is None:
            self._leaves_early = bool(rated_limits.who_leaves_early([self.user.pk], self.now))
        return self._leaves_early

    def _suiting(self, games: list[Game], taken: Flexibility) -> list[Game]:
        """Those whose creators fit, and whose times are near enough; notes the others' creators."""
        control = self.options.control()
        near = [game for game in games if accepts_time(control, timing.control_of(game), taken.time)]
        self.out_of_range |= self._out_of_range({game.creator_id for game in near})
        near = [game for game in near if game.creator_id not in self.out_of_range]
        rated = {game.creator_id for game in near if game.rated}
        self.never_rated |= rated_limits.never_rated_with(self.user, rated, self.now)
        return [game for game in near if not game.rated or game.creator_id not in self.never_rated]

    def _out_of_range(self, creators: set[int]) -> set[int]:
        """The creators whose ratings are not in the range that the user asks for."""
        least, most = self.options.min_rating, self.options.max_rating
        if not creators or (least is None and most is None):
            return set()
        ratings = providers.ratings(creators, self.options.variant)
        return {
            key
            for key, points in ratings.items()
            if points < (least or 0) or points > (points if most is None else most)
        }
