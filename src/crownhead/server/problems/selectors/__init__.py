"""Questions about problems and those who solve them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import islice

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from crownhead import VARIANTS, Variant
from crownhead.contest.glicko2 import BEGINNING, Rating
from crownhead.problems.collection import shipped
from crownhead.problems.games import ENGINE_GAME
from crownhead.problems.problem import Problem, ProblemTheme
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.access import Requester
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.problems.models import Attempt, Solver
from crownhead.server.problems.selectors.barred import BarredProblems
from crownhead.server.problems.selectors.collection import problems_of_the_club

_NEAREST = 30  # of the problems around a member's rating, among which the next one is drawn
_DAILY_PLIES = 3  # of the solution of a problem of the day, at least
_PRACTICE = 20  # problems of one page
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a member does: solving rating, problems tried and solved, days in a row."""

    points: int = round(BEGINNING)
    provisional: bool = True
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """How many problems there are of a theme, and how many of them a member has tried and solved."""

    theme: ProblemTheme
    problems: int
    tried: int = 0
    solved: int = 0


def problem_by_key(key: str) -> Problem:
    """A problem; raises ``NotFound``."""
    problem = problems_of_the_club().get(key)
    if problem is None:
        raise NotFound(_("There is no such problem."))
    return problem


def variants() -> tuple[Variant, ...]:
    """The variants in which there are problems, in the order of the table."""
    found = {problem.variant for problem in problems_of_the_club().values()}
    return tuple(row for row in VARIANTS.values() if row.key in found)


def daily(now: datetime) -> Problem:
    """The problem of the day (UTC), the same for everybody: one of the package, on whatever club.

    Every other day it is one of the variant that forms offer first, in between one of the others that people
    have played on record, and so know best. None comes again before all others of its kind have been there.
    """
    turn, is_other = divmod(now.date().toordinal(), 2)
    choice = _daily_problems()[is_other]
    return choice[turn % len(choice)]


def select(*, variant: str = "", theme: str = "") -> Sequence[Problem]:
    """The problems of a variant and a theme; empty texts are all of them."""
    return [problem for problem in problems_of_the_club().values() if _is_of(problem, variant, theme)]


def _is_of(problem: Problem, variant: str, theme: str) -> bool:
    return (not variant or problem.variant == variant) and (not theme or theme in problem.themes)


def next_problem(
    *, user: User | None, player: Requester, variant: str, theme: str, dice: random.Random
) -> Problem:
    """A problem that a member has not tried yet, near their rating; for a guest, any.

    A member is offered the same one until they have tried it. ``player``: the member, or the guest who plays
    here; their running games bar problems. Raises ``NotFound`` where there is none.
    """
    if user is None:
        choice, barred = select(variant=variant, theme=theme), BarredProblems(player)
        drawn = dice.sample(choice, min(_NEAREST, len(choice)))
        found = next((one for one in drawn if one not in barred), None)
    else:
        found = _Offers.to(user).offer(variant=variant, theme=theme)
    if found is None:
        raise NotFound(_("You have tried all problems of this kind."))
    return found


def is_chosen_by_the_club(*, user: User, problem: Problem, now: datetime) -> bool:
    """Whether a member has this problem from the club, and not from wherever they know its solution.

    That is the problem of the day, yesterday's for who began before midnight, and what they are offered next:
    of all, of its variant, of a theme of it, or of both.
    """
    if problem in (daily(now), daily(now - _ONE_DAY)):
        return True
    offers = _Offers.to(user)
    return any(
        offers.is_offered(problem, variant=variant, theme=theme)
        for variant in (problem.variant, "")
        for theme in ("", *(theme.value for theme in problem.themes))
    )


@dataclass(frozen=True, slots=True)
class _Offers:
    """What a member is offered next: it changes with what they have tried, not with how often they ask.

    ``untried``: what is nearest to their rating first.
    """

    user_id: int
    untried: Sequence[Problem]
    barred: BarredProblems

    @classmethod
    def to(cls, user: User) -> _Offers:
        tried = frozenset(Attempt.objects.filter(user=user).values_list("problem", flat=True))
        points = standing_of(user.pk).points
        untried = [one for key, one in problems_of_the_club().items() if key not in tried]
        untried.sort(key=lambda one: abs(one.difficulty - points))
        return cls(user.pk, untried, BarredProblems(user))

    def offer(self, *, variant: str, theme: str) -> Problem | None:
        nearest = sorted(self._nearest(variant, theme), key=self._lot)
        return next((one for one in nearest if one not in self.barred), None)

    def is_offered(self, problem: Problem, *, variant: str, theme: str) -> bool:
        """Whether the offer is this one: what else would be is compared with running games only then."""
        nearest = self._nearest(variant, theme)
        if problem not in nearest or problem in self.barred:
            return False
        lot = self._lot(problem)
        return all(one in self.barred for one in nearest if self._lot(one) < lot)

    def _nearest(self, variant: str, theme: str) -> list[Problem]:
        return list(islice((one for one in self.untried if _is_of(one, variant, theme)), _NEAREST))

    def _lot(self, problem: Problem) -> bytes:
        """The place of a problem in an order of the member's own, which nobody without the key knows."""
        return salted_hmac("problem offers", f"{self.user_id} {problem.key}", algorithm="sha256").digest()


def practice_set(*, player: Requester, variant: str, theme: str, dice: random.Random) -> Sequence[Problem]:
    """Problems of one variant with the same side to move, the easiest first; any variant where none is named.

    Those that the running games of the player bar are left out. Raises ``NotFound`` where there is none.
    """
    choice = select(variant=variant, theme=theme)
    if not choice:
        raise NotFound(_("There are no such problems."))
    one = dice.choice(choice)
    like_it = [other for other in choice if other.variant == one.variant and other.fen[0] == one.fen[0]]
    drawn, barred = dice.sample(like_it, min(_PRACTICE, len(like_it))), BarredProblems(player)
    found = [problem for problem in drawn if problem not in barred]
    if not found:
        raise NotFound(_("There are no such problems."))
    return sorted(found, key=lambda problem: problem.difficulty)


def attempt_of(user: User | None, problem: Problem) -> Attempt | None:
    """A member's first try at a problem; None where they have not tried it."""
    if user is None:
        return None
    return Attempt.objects.filter(user=user, problem=problem.key).first()


def standing_of(user_id: int, *, today: date | None = None) -> Standing:
    """How a member does; without ``today`` a streak that was broken is still told."""
    row = Solver.objects.filter(user_id=user_id).first()
    if row is None:
        return Standing()
    alive = today is None or (row.solved_on is not None and row.solved_on >= today - _ONE_DAY)
    return Standing(
        points=round(row.value),
        provisional=Rating(row.value, row.deviation, row.volatility).provisional,
        tried=row.tried,
        solved=row.solved,
        streak=row.streak if alive else 0,
        best_streak=row.best_streak,
    )


def counts_by_theme(user: User | None) -> tuple[Count, ...]:
    """The themes that problems have, with what a member has done of them."""
    results: dict[str, bool] = {}
    if user is not None:
        results = dict(Attempt.objects.filter(user=user).values_list("problem", "solved"))
    return tuple(_count(theme, results) for theme in ProblemTheme if _keys_by_theme()[theme])


def _count(theme: ProblemTheme, results: dict[str, bool]) -> Count:
    keys = _keys_by_theme()[theme]
    tried = keys & results.keys()
    return Count(theme, len(keys), len(tried), sum(results[key] for key in tried))


@cache
def _keys_by_theme() -> dict[ProblemTheme, frozenset[str]]:
    every = problems_of_the_club().values()
    return {theme: frozenset(one.key for one in every if theme in one.themes) for theme in ProblemTheme}


@cache
def _daily_problems() -> tuple[Sequence[Problem], Sequence[Problem]]:
    """Problems of the first variant, and of the others from people's games, in no visible order."""
    first = next(iter(VARIANTS))
    long = [one for one in shipped().values() if len(one.line) >= _DAILY_PLIES]
    long.sort(key=lambda one: sha256(one.key.encode()).digest())
    return (
        [one for one in long if one.variant == first],
        [one for one in long if one.variant != first and not one.source.startswith(ENGINE_GAME)],
    )


def checked(problem: Problem, moves: Sequence[str]) -> tuple[str, ...]:
    """The beginning of the solution that moves are, the solver to move; raises ``Unprocessable``."""
    played = problem.line[: len(moves)]
    is_whole = len(moves) == len(problem.line)
    if tuple(moves) != played or (len(moves) % 2 and not is_whole):
        raise Unprocessable(_("These moves do not begin the solution."))
    return played
