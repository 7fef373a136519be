"""Events of accounts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

CREDENTIAL_OF_TOKEN = "token:"
"""What the name of a token begins with; its primary key follows."""


@dataclass(slots=True)
class Steps:
    """The steps that the request which closes an account may still take, in all apps together.

    Each takes up to ten milliseconds, in which nobody else can write: what is more is left to the worker.
    """

    left: int = 3

    def take(self, wanted: int) -> int:
        """Use up as many of them as are there; returns how many."""
        taken = min(wanted, self.left)
        self.left -= taken
        return taken


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountClosed:
    """An account is closed: each app deletes what it stores for it alone, in the same transaction.

    ``name``: the row has another one in the end, and until then ``display_name_of`` hides it. ``at``:
    when. ``steps``: how much of what is to be ended, game by game or team by team, may be ended at once.
    """

    user_id: int
    name: str
    at: datetime
    steps: Steps = field(default_factory=Steps, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountShut:
    """The staff have shut an account in the back office: only they open it again."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessEnded:
    """What opened an account is revoked, as with a new password: what was added by it ends, too."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialsEnded:
    """Sessions or tokens of a user have ended; ``credentials``: their names, which open nothing."""

    user_id: int
    credentials: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed:
    """A player has a new name."""

    user_id: int
    before: str
    name: str
    at: datetime


def credential_of_session(key: str) -> str:
    """The name of a session in the events that end streams; it does not open the session."""
    return f"session:{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def credential_of_token(key: int) -> str:
    """The name of a token, by its primary key, in the events that end streams."""
    return f"{CREDENTIAL_OF_TOKEN}{key}"
