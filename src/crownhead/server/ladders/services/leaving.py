"""What is left of members who leave: the ladders of closed accounts, and games that nobody has played.

The worker sees to all of it, step by step: a step is a challenge, or a ladder, in a transaction of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import closed_with
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import problems
from crownhead.server.ladders.choices import Outcome, Side
from crownhead.server.ladders.models import Challenge, ChallengeGame, Member
from crownhead.server.ladders.services import challenges, memberships
from crownhead.server.play.draws.services import resign_unplayed

Step = tuple[str, int | None]  # a ladder and an open challenge there; None: leave the ladder


def leave_all(*, user_id: int, now: datetime) -> None:
    """Leave the ladders of a closed account, each step in its own transaction; again, it changes nothing."""
    one_by_one(
        _steps(user_id),
        lambda step: _take(step, user_id, now),
        failing="a closed account cannot leave its ladder and challenge: %s",
    )


def is_on_one(user_id: int) -> bool:
    """Whether somebody is on a ladder."""
    return Member.objects.filter(user=user_id).exists()


def leave_forgotten(*, now: datetime) -> None:
    """Leave the ladders that are left of closed accounts: a worker may have been killed, or have failed."""
    one_by_one(
        closed_with(Member.objects.all(), now=now),
        lambda user_id: leave_all(user_id=user_id, now=now),
        failing="the closed account %s cannot leave its ladders",
    )


def end_unplayed(game_ids: Sequence[str], *, user_id: int, now: datetime) -> None:
    """Resign games for somebody who has left their ladder, if not both have made their two moves.

    They count for nothing. Doing it again changes nothing.
    """
    user = User.objects.get(pk=user_id)
    one_by_one(
        game_ids,
        lambda game_id: _end_unplayed(game_id, user, now),
        failing="game %s of a player who has left a ladder cannot be ended",
    )


def end_forgotten(*, now: datetime) -> None:
    """End what a worker has left of unplayed games."""
    rows = ChallengeGame.objects.filter(over=False, challenge__outcome=Outcome.VOID).exclude(fled="")
    for row in rows.select_related("challenge").order_by("challenge"):
        made = row.challenge
        gone = made.challenger_id if row.fled == Side.CHALLENGER else made.challenged_id
        end_unplayed([row.game_id], user_id=gone, now=now)


def _steps(user_id: int) -> list[Step]:
    """The open challenges on each of a user's ladders, and after them the ladder."""
    found: dict[int, list[int]] = defaultdict(list)
    for side in Side.values:
        rows = Challenge.objects.filter(**{side: user_id}, ended_at__isnull=True).order_by("pk")
        for ladder, challenge in rows.values_list("ladder_id", "pk"):
            found[ladder].append(challenge)
    mine = Member.objects.filter(user=user_id).order_by("ladder_id")
    return [
        (public_id, key)
        for ladder, public_id in mine.values_list("ladder_id", "ladder__public_id")
        for key in (*found[ladder], None)
    ]


def _take(step: Step, user_id: int, now: datetime) -> None:
    ladder_id, challenge_id = step
    if challenge_id is not None:
        challenges.forfeit(ladder_id=ladder_id, challenge_id=challenge_id, user_id=user_id, now=now)
        return
    with suppress(problems.NotOnLadder):  # another worker was faster
        memberships.leave(user=User.objects.get(pk=user_id), ladder_id=ladder_id, now=now)


def _end_unplayed(game_id: str, user: User, now: datetime) -> None:
    with suppress(Problem):  # it is over already
        resign_unplayed(user=user, game_id=game_id, now=now)
