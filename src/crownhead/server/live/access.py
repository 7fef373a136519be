"""Who opened a stream and by what, so that it ends as soon as that is revoked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ENDED = "ended"  # the kind of the events that end streams; they are never sent to anyone


@dataclass(frozen=True, slots=True)
class Grant:
    """A user, and the session or token they showed.

    ``credential``: a name for it that opens nothing; ``expires_at``: when it ends by itself, None for "not
    soon". ``as_member``: it opens what members see, though the user may be of the staff.
    """

    user_id: int
    credential: str
    expires_at: datetime | None = None
    as_member: bool = False

    def is_ended_by(self, payload: dict[str, Any]) -> bool:
        """Whether an event of the kind `ENDED` revokes this grant."""
        ended, kept = payload["ended"], payload["kept"]
        return self.credential not in kept and (ended is None or self.credential in ended)


def topic_of(user_id: int) -> str:
    """The topic on which it is told that something of a user is revoked."""
    return f"access:{user_id}"


def user_of(topic: str) -> int:
    """Whose topic it is."""
    return int(topic.removeprefix("access:"))


def ending(*, ended: Iterable[str] | None, kept: Iterable[str]) -> dict[str, Any]:
    """The payload of such an event; ``ended`` is None for all but those that are kept."""
    return {"ended": None if ended is None else list(ended), "kept": list(kept)}
