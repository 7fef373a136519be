"""Answers to problems: whether a move is the solution, and when the first try at a problem counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead import CrownheadError
from crownhead.contest.glicko2 import Rating
from crownhead.problems.problem import Problem
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import sweep_closed
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.problems.reasons import refusal
from crownhead.server.problems import selectors
from crownhead.server.problems.models import Attempt, Solver
from crownhead.server.problems.selectors import checked
from crownhead.server.ratings.selectors.strength import Strength

_CERTAIN = 80.0  # the deviation of a problem's difficulty, which is an estimate
_WON, _LOST = 2, 0  # half points


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of a move: whether it is the solution, the line so far with the defence, whether it is over.

    ``attempt`` is the member's first try, if the problem is over for them now or was before.
    """

    right: bool
    line: tuple[str, ...]
    over: bool
    attempt: Attempt | None = None


def answer(*, user: User | None, problem: Problem, moves: Sequence[str], move: str, now: datetime) -> Answer:
    """Try a move after ``moves``, the beginning of the solution.

    The first wrong move of a member loses the problem, the last right one wins it; what guests do is not
    kept. Raises ``Unprocessable`` for a move that is not legal, or moves that do not begin the solution.
    """
    played = checked(problem, moves)
    if len(played) == len(problem.line):
        raise Unprocessable(_("The problem is solved already."))
    position = problem.positions()[len(played)]
    try:
        tried = position.parse(move)
    except CrownheadError as error:
        raise refusal(error, position) from error
    if tried != position.parse(problem.line[len(played)]):
        return Answer(False, played, False, _noted(user, problem, solved=False, now=now))
    line = problem.line[: len(played) + 2]  # with the defence, where there is one
    over = len(line) == len(problem.line)
    attempt = _noted(user, problem, solved=True, now=now) if over else None
    return Answer(True, line, over, attempt)


def give_up(*, user: User | None, problem: Problem, now: datetime) -> Answer:
    """Show the solution; for a member who has not tried the problem it counts as not solved."""
    return Answer(False, problem.line, True, _noted(user, problem, solved=False, now=now))


def forget(*, user_id: int) -> None:
    """Delete how well somebody who has closed their account solves; ``clear`` deletes their attempts."""
    Solver.objects.filter(user_id=user_id).delete()


def clear(*, now: datetime) -> None:
    """Delete the attempts of closed accounts, which may be many, a few at a time."""
    sweep_closed(Attempt.objects.all(), now=now)


def _noted(user: User | None, problem: Problem, *, solved: bool, now: datetime) -> Attempt | None:
    """The first try of a member at a problem; what it was before, if they have tried it.

    It counts for the rating if the club has chosen the problem: of one whose address a member knows they may
    know the solution as well.
    """
    if user is None:
        return None
    before = selectors.attempt_of(user, problem)
    if before is not None:
        return before
    # What is offered depends on all their running games: it is compared before anybody has to wait for it.
    rated = selectors.is_chosen_by_the_club(user=user, problem=problem, now=now)
    with transaction.atomic():
        row = _locked(user)
        before = selectors.attempt_of(user, problem)
        if before is not None:
            return before
        mine = Strength(Rating(row.value, row.deviation, row.volatility), row.rated_at)
        new = mine
        if rated:
            theirs = Strength(Rating(problem.difficulty, _CERTAIN))
            new = mine.after(theirs, _WON if solved else _LOST, now)
            row.value, row.deviation = new.rating.value, new.rating.deviation
            row.volatility, row.rated_at = new.rating.volatility, now
        row.tried += 1
        if solved:
            _count_solved(row, now)
        row.save()
        return Attempt.objects.create(
            user=user,
            problem=problem.key,
            solved=solved,
            rated=rated,
            at=now,
            before=mine.points,
            after=new.points,
        )


def _locked(user: User) -> Solver:
    """The member's row, made where there is none, held until the transaction ends."""
    new = Rating()
    Solver.objects.bulk_create(
        [Solver(user=user, value=new.value, deviation=new.deviation, volatility=new.volatility)],
        ignore_conflicts=True,
    )
    return Solver.objects.select_for_update().get(user=user)


def _count_solved(row: Solver, now: datetime) -> None:
    """Count a solved problem, and its day if it is the first one of it."""
    row.solved += 1
    today = now.date()
    if row.solved_on != today:
        row.streak = row.streak + 1 if row.solved_on == today - timedelta(days=1) else 1
        row.best_streak = max(row.best_streak, row.streak)
        row.solved_on = today
