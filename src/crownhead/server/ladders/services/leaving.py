"""What is left of members who leave: the ladders of closed accounts, and games that nobody has played.

A request takes a few steps, each a challenge or a ladder, and leaves the others to the worker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction

from crownhead.server.accounts.events import Steps
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import closed_with
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import problems
from crownhead.server.ladders.choices import Outcome, Side
from crownhead.server.ladders.models import Challenge, ChallengeGame, Member
from crownhead.server.ladders.selectors.played import has_moves
from crownhead.server.ladders.services import challenges, memberships
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.selectors import Game

MAX_STEPS = 4  # in one request
Step = tuple[str, int | None]  # a ladder and an open challenge there; None: leave the ladder


def leave_all(*, user_id: int, now: datetime, steps: Steps) -> bool:
    """Leave the ladders of a closed account; returns whether some are left to the worker."""
    to_take = _steps(user_id)
    taken = steps.take(min(len(to_take), MAX_STEPS))
    for step in to_take[:taken]:
        _take(step, user_id, now)
    return len(to_take) > taken


def leave_the_rest(*, user_id: int, now: datetime) -> None:
    """Leave all other ladders, each step in its own transaction; doing it again changes nothing."""
    one_by_one(
        _steps(user_id),
        lambda step: _take(step, user_id, now),
        failing="a closed account cannot leave its ladder and challenge: %s",
    )


def leave_forgotten(*, now: datetime) -> None:
    """Leave the ladders that are left of closed accounts: a worker may have been killed, or have failed."""
    one_by_one(
        closed_with(Member.objects.all(), now=now),
        lambda user_id: leave_the_rest(user_id=user_id, now=now),
        failing="the closed account %s cannot leave its ladders",
    )


def end_unplayed(game_ids: Sequence[str], *, user_id: int, now: datetime) -> None:
    """Resign games for somebody who has left their ladder, if not both have made their two moves.

    They count for nothing. Doing it again changes nothing.
    """
    one_by_one(
        game_ids,
        lambda game_id: _end_unplayed(game_id, user_id, now),
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


def _end_unplayed(game_id: str, user_id: int, now: datetime) -> None:
    """Ask and resign under one lock: with a move that fell between, it would be a game that counts."""
    with transaction.atomic():
        account_closing.lock_games([game_id])
        game = Game.objects.filter(public_id=game_id).first()
        if game is not None and not has_moves(game):
            with suppress(Problem):  # it is over already
                resign(user=User.objects.get(pk=user_id), game_id=game_id, now=now)
