"""What happens to accounts, told upwards to whoever wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountClosed:
    """Somebody has left for good: whatever an app keeps for him alone goes, inside the same transaction.

    ``name``: what he was called; his row is called otherwise by now. ``at``: when.
    """

    user_id: int
    name: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed:
    """Somebody is called otherwise."""

    user_id: int
    before: str
    name: str
    at: datetime
