"""What a new member may do first, and has done: apps say how one sees it, the home page shows the steps.

An app registers in its `handlers.py` how it is seen that a step is done: `computer`, `game`, `notices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

IsDone = Callable[[Any], bool]

_steps: dict[str, IsDone] = {}


def done_by(name: str) -> Callable[[IsDone], IsDone]:
    """Register what says of a member whether this step is done; it is asked on each visit of a home page."""

    def register(is_done: IsDone) -> IsDone:
        _steps[name] = is_done
        return is_done

    return register


def steps_done(user: AbstractBaseUser) -> Mapping[str, bool]:
    """Which of the steps a member has done."""
    return {name: is_done(user) for name, is_done in _steps.items()}
