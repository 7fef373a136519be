"""The parts of a member's data export that come from problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.problems.models import Attempt
from crownhead.server.problems.selectors import standing_of


@part("problem_standing")
def standing(user: User) -> dict[str, Any]:
    """The solving rating and the streaks."""
    return asdict(standing_of(user.pk))


@part("problem_attempts")
def attempts(user: User) -> Iterator[dict[str, Any]]:
    """The first try at each problem, in order."""
    for row in Attempt.objects.filter(user=user).order_by("id").iterator():
        yield {
            "problem": row.problem,
            "at": row.at,
            "solved": row.solved,
            "rated": row.rated,
            "before": row.before,
            "after": row.after,
        }
