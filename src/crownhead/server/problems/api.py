"""The API of problems: the problem of the day, the next one, and attempts."""

from __future__ import annotations

import random

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from crownhead import Colour
from crownhead.problems.problem import Evidence, Goal, Problem, ProblemTheme
from crownhead.server.accounts.api.accounts import Body
from crownhead.server.accounts.api.auth import ANYONE, player, viewer
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.problems import selectors, services
from crownhead.server.problems.access import access_problem, expect_may_see

router = Router(tags=["problems"])
_dice = random.SystemRandom()


class ProblemProof(Schema):
    """What proves the solution; scores are in hundredths of a man, beyond ±29,500 forced."""

    evidence: Evidence
    depth: int = Field(description="The depth of the search, in plies.")
    checked: int = Field(description="The positions that the last search visited.")
    best: int = Field(description="The score of the solution.")
    second: int = Field(description="The score of the best other move.")


class ProblemOut(Schema):
    """A problem; `turn` is to move and reach the `goal`."""

    id: str
    variant: str
    fen: str
    turn: Colour
    goal: Goal = Field(
        description="`win` and `draw` are proven; `gain`, a decisive advantage, and `hold`, a level game, "
        "are found by search."
    )
    themes: list[ProblemTheme]
    difficulty: int = Field(description="On the scale of ratings, an estimate.")
    moves: int = Field(description="How many moves the solver has to find.")
    source: str
    proof: ProblemProof


class AttemptIn(Body):
    """The next move of a solution, or giving up."""

    moves: list[str] = Field([], max_length=40, description="What has been played so far, both sides.")
    move: str = Field("", max_length=80, description="The move to try; empty: show the solution.")


class SolvingRating(Schema):
    """How a member solves problems."""

    rating: int
    provisional: bool
    tried: int
    solved: int
    streak: int = Field(description="Days in a row with a problem solved.")
    best_streak: int


class AttemptOut(Schema):
    """What came of a move. `standing` is null for guests, whose attempts are not kept."""

    right: bool
    moves: list[str] = Field(description="The solution so far, with the move of the defence.")
    over: bool
    solved: bool | None = Field(description="Whether the first try, which counts, solved it; null: not over.")
    rated: bool | None = Field(
        description="Whether the first try changed the solving rating, as with the problem of the day and "
        "the next one offered; null: not over."
    )
    standing: SolvingRating | None


@router.get("/problems/daily", auth=ANYONE, response=ProblemOut, summary="Get the problem of the day")
@problems(403)
def get_daily_problem(request: HttpRequest) -> ProblemOut:
    """The same for everybody, from midnight UTC. Refused while you play a position like one of it."""
    found = selectors.daily(clock.now())
    expect_may_see(player=player(request), problem=found)
    return _problem(found)


@router.get("/problems/next", auth=ANYONE, response=ProblemOut, summary="Get a problem to solve")
@problems(404)
def get_next_problem(
    request: HttpRequest, variant: str | None = None, theme: ProblemTheme | None = None
) -> ProblemOut:
    """One that you have not tried yet, near your solving rating; the same until you have."""
    found = selectors.next_problem(
        user=viewer(request),
        player=player(request),
        variant=variant or "",
        theme=theme or "",
        dice=_dice,
    )
    return _problem(found)


@router.get("/problems/{problem_id}", auth=ANYONE, response=ProblemOut, summary="Get a problem")
@problems(403)
def get_problem(request: HttpRequest, problem_id: str) -> ProblemOut:
    """Without its solution. Refused while you play a position like one of it."""
    return _problem(access_problem(player=player(request), key=problem_id))


@router.post("/problems/{problem_id}/attempts", auth=ANYONE, response=AttemptOut, summary="Try a move")
@problems(403)
def try_problem(request: HttpRequest, problem_id: str, body: AttemptIn) -> AttemptOut:
    """The defence answers a right move. The first wrong move, or giving up, loses the problem."""
    user, now = viewer(request), clock.now()
    problem = access_problem(player=player(request), key=problem_id)
    if body.move.strip():
        given = services.answer(user=user, problem=problem, moves=body.moves, move=body.move.strip(), now=now)
    else:
        given = services.give_up(user=user, problem=problem, now=now)
    standing = None
    if user is not None:
        mine = selectors.standing_of(user.pk, today=now.date())
        standing = SolvingRating(
            rating=mine.points,
            provisional=mine.provisional,
            tried=mine.tried,
            solved=mine.solved,
            streak=mine.streak,
            best_streak=mine.best_streak,
        )
    return AttemptOut(
        right=given.right,
        moves=list(given.line),
        over=given.over,
        solved=None if given.attempt is None else given.attempt.solved,
        rated=None if given.attempt is None else given.attempt.rated,
        standing=standing,
    )


def _problem(problem: Problem) -> ProblemOut:
    return ProblemOut(
        id=problem.key,
        variant=problem.variant,
        fen=problem.fen,
        turn=problem.position().turn,
        goal=problem.goal,
        themes=list(problem.themes),
        difficulty=problem.difficulty,
        moves=(len(problem.line) + 1) // 2,
        source=problem.source,
        proof=ProblemProof(
            evidence=problem.proof.evidence,
            depth=problem.proof.depth,
            checked=problem.proof.checked,
            best=problem.proof.best,
            second=problem.proof.second,
        ),
    )
