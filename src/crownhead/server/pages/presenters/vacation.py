"""The vacation page: the hours of the year, planned vacations, their games, a form to plan more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.core.moments import field_moment, field_text
from crownhead.server.core.problems import Problem
from crownhead.server.play import selectors
from crownhead.server.play.clocks.presenters import pace_of
from crownhead.server.play.clocks.time_control import HOUR
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.problems import TooFewHours
from crownhead.server.play.selectors import Game
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.play.vacation.selectors import Budget, Vacation
from crownhead.server.web.slices import Slice, numbered

GAMES_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A game in progress."""

    id: str
    opponent: str
    variant: str
    pace: str


@dataclass(slots=True)
class VacationForm:
    """The start and end of a new vacation as typed, and errors by field."""

    begins: str = ""
    ends: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, query: QueryDict) -> VacationForm:
        """Read a submitted form."""
        return cls(query.get("begins", "")[:40], query.get("ends", "")[:40])

    def span(self) -> tuple[datetime, datetime] | None:
        """The start and the end; None if a field is invalid, with an error."""
        begins, ends = self._moment("begins", self.begins), self._moment("ends", self.ends)
        return None if begins is None or ends is None else (begins, ends)

    def refuse(self, problem: Problem) -> None:
        """Show a problem beside its field, or beside the start."""
        if problem.field in _NEXT:
            self.errors[problem.field] = _NEXT[problem.field]()
        else:
            self.errors["ends" if isinstance(problem, TooFewHours) else "begins"] = problem.message

    def _moment(self, name: str, text: str) -> datetime | None:
        try:
            moment = field_moment(text)
        except ValueError:
            self.errors[name] = _("Choose a day and a whole hour.")
            return None
        if moment.minute:
            self.errors[name] = _("Choose a whole hour, such as 14:00.")
            return None
        return moment


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationPage:
    """What the template shows. ``earliest`` and ``latest`` are the bounds of the form's fields."""

    budget: Budget
    by_itself: int
    planned: list[Vacation]
    games: Slice[Game]
    applies: list[Line]
    never: list[Line]
    form: VacationForm
    earliest: str
    latest: str


def vacation_page(*, user: User, form: VacationForm, query: QueryDict, now: datetime) -> VacationPage:
    """The page for a player; ``form`` as filled in so far; ``query``: which of many games it lists."""
    running = numbered(
        selectors.my_games(user=user).order_by("-vacation", *selectors.LEAST_TIME_FIRST),
        query=query,
        limit=GAMES_PER_PAGE,
    )
    next_hour = timezone.localtime(now).replace(minute=0, second=0, microsecond=0) + HOUR
    return VacationPage(
        budget=vacation_selectors.budget(user_id=user.pk, year=now.year),
        by_itself=vacation_selectors.hours_used_automatically(user=user, year=now.year),
        planned=vacation_selectors.planned(user=user, now=now),
        games=running,
        applies=_lines(user, (game for game in running if game.vacation)),
        never=_lines(user, (game for game in running if not game.vacation)),
        form=form,
        earliest=field_text(next_hour),
        latest=field_text(next_hour - HOUR + timedelta(days=366)),
    )


def _lines(user: User, games: Iterable[Game]) -> list[Line]:
    return [
        Line(
            game.public_id,
            _opponent(user, game),
            variant_name(VARIANTS[game.variant]),
            pace_of(game),
        )
        for game in games
    ]


def _opponent(user: User, game: Game) -> str:
    other = game.second_player if game.first_player_id == user.pk else game.first_player
    return display_name(other.username) if other else ""


_NEXT = {
    "begins": lambda: _("Choose a time in the future."),
    "ends": lambda: _("Choose a time after the start, within the next year."),
}
