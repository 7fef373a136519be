"""What a new member may do first, and has done: apps say how one sees it, the home page shows the steps.

An app registers in its `handlers.py` which rows show that a step is done: `computer`, `game`, `notices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import QuerySet

Rows = Callable[[Any], QuerySet[Any]]

_rows: dict[str, Rows] = {}


def done_by(name: str) -> Callable[[Rows], Rows]:
    """Register the rows of a member that show that this step is done."""

    def register(rows: Rows) -> Rows:
        _rows[name] = rows
        return rows

    return register


def steps_done(user: AbstractBaseUser) -> Mapping[str, bool]:
    """Which of the steps a member has done; a query for each."""
    return {name: rows(user).exists() for name, rows in _rows.items()}
