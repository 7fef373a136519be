"""The small picture of a board that goes with a notice."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.accounts.selectors import User
from crownhead.server.notices.models import Notice


def picture(_notice: Notice, _user: User, _now: datetime) -> bytes | None:
    """A PNG of the board as the person sees it; None where the notice is about no board."""
    return None
