"""Events of accounts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

CREDENTIAL_OF_TOKEN = "token:"
"""What the name of a token begins with; its primary key follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountClosed:
    """An account is closed: each app deletes what it stores for it alone, in the same transaction.

    What others take part in, such as games, tournaments and teams, is ended one by one by tasks: a handler of
    this locks nothing of others but the games whose clocks stand still until then. ``name``: the former one,
    which the row has until the end of the transaction.
    """

    user_id: int
    name: str
    at: datetime


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
