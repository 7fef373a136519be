"""A player's results and games, as far as the viewer may see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db.models import Count, Q, QuerySet

from crownhead import VARIANTS, Termination, Variant
from crownhead.server.accounts.selectors import User
from crownhead.server.people.selectors.sums import kept
from crownhead.server.play import selectors
from crownhead.server.play.choices import FORFEIT, Status
from crownhead.server.play.presenters import games as game_presenters
from crownhead.server.play.presenters.games import Entry
from crownhead.server.play.presenters.state import game_state
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game, Games, PreparedOfPublicGames, Viewer

FEW = 5  # games on a profile, of each kind


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games in one variant."""

    variant: Variant
    won: int = 0
    drawn: int = 0
    lost: int = 0
    lost_on_time: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost


def tallies(person: User, *, viewer: Viewer) -> list[Tally]:
    """Return the results in each variant, most games first; annulled games do not count."""
    sums: dict[str, list[int]] = {}
    rows = kept("results", viewer, lambda: list(_counted(person, viewer)), players=(person,))
    for variant, games, won, lost, lost_on_time in rows:
        mine = sums.setdefault(variant, [0, 0, 0, 0])
        mine[0] += won
        mine[1] += games - won - lost
        mine[2] += lost
        mine[3] += lost_on_time
    totals = [Tally(VARIANTS[key], *numbers) for key, numbers in sums.items() if key in VARIANTS]
    return sorted(totals, key=lambda tally: (-tally.games, variant_name(tally.variant)))


def some_running(person: User, *, viewer: Viewer) -> list[Game]:
    """Return a few games in progress, least time left first."""
    return _SOME_RUNNING.rows(viewer=viewer, person=person.pk)


def last_finished(person: User, *, viewer: Viewer) -> list[Game]:
    """Return a few finished games, the latest first."""
    found = [game for last in _LAST_FINISHED for game in last.rows(viewer=viewer, person=person.pk)]
    return sorted(found, key=attrgetter("ended_at", "pk"), reverse=True)[:FEW]


def running_by_seat(person: User, *, viewer: Viewer) -> tuple[Games, Games]:
    """Return the same with the first seat and with the second."""
    return _running(viewer).by_seat(person)


def finished_by_seat(person: User, *, viewer: Viewer) -> tuple[Games, Games]:
    """Return the finished games, the latest first, with the first seat and with the second.

    Long lists are read by both and merged.
    """
    return _finished(viewer).by_seat(person)


def lines(games: Iterable[Game], *, person: User, viewer: Viewer, now: datetime) -> list[Entry]:
    """Return the games as lines of a list, from the person's side, in words for the viewer."""
    result_lines = []
    for game in selectors.prefetch_vacations(games):
        record = selectors.shown_replay(game)
        state = game_state(game, person, now, replayed=record, brief=True)
        result_lines.append(game_presenters.entry(state, record, now=now, to_player=viewer == person))
    return result_lines


def _running(viewer: Viewer) -> Games:
    rows = selectors.public_games(viewer=viewer).filter(status=Status.PLAYING)
    return rows.order_by(*selectors.LEAST_TIME_FIRST)


def _finished(viewer: Viewer) -> Games:
    rows = selectors.public_games(viewer=viewer).filter(status=Status.FINISHED)
    return rows.order_by(*selectors.LAST_ENDED_FIRST)


def _counted(person: User, viewer: Viewer) -> Iterator[tuple[str, int, int, int, int]]:
    """The sums of each variant and seat: by seats, for each has its index."""
    for sums in _SUMS:
        yield from sums.rows(viewer=viewer, person=person.pk)


def _sums(seat: str, other: str) -> PreparedOfPublicGames[tuple[str, int, int, int, int]]:
    """Variants with the numbers of finished games: all, won, lost, lost on time."""
    lost = Q(winner=other) | Q(winner=None, termination=FORFEIT)

    def build(games: Games, *, person: int) -> QuerySet[Any, Any]:
        rows = games.filter(**{f"{seat}_player": person}, status=Status.FINISHED, annulled=False)
        return (
            rows.order_by()
            .values("variant")
            .annotate(
                games=Count("pk"),
                won=Count("pk", filter=Q(winner=seat)),
                lost=Count("pk", filter=lost),
                lost_on_time=Count("pk", filter=Q(winner=other, termination=Termination.TIME.value)),
            )
            .values_list("variant", "games", "won", "lost", "lost_on_time")
        )

    return PreparedOfPublicGames(build, person=int)


_SUMS = (_sums("first", "second"), _sums("second", "first"))


def _running_of(games: Games, *, person: int) -> Games:
    rows = games.played_by(User(pk=person)).filter(status=Status.PLAYING)
    return rows.order_by(*selectors.LEAST_TIME_FIRST)[:FEW]


def _last_finished(seat: str) -> PreparedOfPublicGames[Game]:
    def build(games: Games, *, person: int) -> Games:
        rows = games.filter(**{f"{seat}_player": person}, status=Status.FINISHED)
        return rows.order_by(*selectors.LAST_ENDED_FIRST)[:FEW]

    return PreparedOfPublicGames(build, person=int)


_SOME_RUNNING: PreparedOfPublicGames[Game] = PreparedOfPublicGames(_running_of, person=int)
_LAST_FINISHED = (_last_finished("first"), _last_finished("second"))
