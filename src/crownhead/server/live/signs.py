"""Signs of life besides open streams: who was heard, by which session or token, and since when we listen.

A refused stream, a page and a request to the API all say that somebody is there. Nothing of it is stored: the
processes of a machine remember it for a while and tell each other.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.core.cache import BaseCache, caches

from crownhead.server.core import clock
from crownhead.server.core.processes.neighbours import broadcast, subscribe
from crownhead.server.live.audience import AUDIENCE

_HEARD, _HOLDER, _ENDED, _PLACE = "heard", "holder", "ended", "place"
_HEARD_FOR = 300  # seconds: several times what an opponent has to wait before claiming a game
_KNOWN_FOR = 24 * 3600
_EXCUSED_FOR = 900  # seconds in which somebody may be trying to come back to where they left from

_listening_since: datetime | None = None


def note_heard(user_id: int) -> None:
    """Remember that a user has asked for something; one who follows a stream is here anyway."""
    if not AUDIENCE.count(f"user:{user_id}"):
        now = clock.now()
        _memory().set(f"{_HEARD}:{user_id}", (now, True), timeout=_HEARD_FOR)
        broadcast(_HEARD, user_id=user_id, at=now.isoformat())


def last_heard(user_id: int) -> datetime | None:
    """When a user without a stream last asked a process of this machine for something, lately."""
    sign: tuple[datetime, bool] | None = _memory().get(f"{_HEARD}:{user_id}")
    return sign[0] if sign else None


def heard_here(user_id: int) -> datetime | None:
    """The same if it was this process, and none has heard them since."""
    sign: tuple[datetime, bool] | None = _memory().get(f"{_HEARD}:{user_id}")
    return sign[0] if sign and sign[1] else None


def name_of(*, token: str | None, session: str | None) -> str:
    """A name for a session or token that opens nothing; empty where there is neither."""
    if token is not None:
        return sha256(f"token {token}".encode()).hexdigest()
    return sha256(f"session {session}".encode()).hexdigest() if session else ""


def note_holder(credential: str, user_id: int) -> None:
    """Remember whose a session or token is that has just been looked up."""
    if holder_of(credential) != user_id:
        _note_holder(credential, user_id)
        broadcast(_HOLDER, credential=credential, user_id=user_id)


def holder_of(credential: str) -> int | None:
    """Whose a session or token is, if a process here has looked it up since the last of theirs ended."""
    found: tuple[int, int] | None = _memory().get(f"{_HOLDER}:{credential}") if credential else None
    return found[0] if found and found[1] == _endings_of(found[0]) else None


def forget_holder(credential: str) -> None:
    """Remember no more whose it was: it has ended."""
    _memory().delete(f"{_HOLDER}:{credential}")


def forget_holders_of(user_id: int) -> None:
    """Something that opened an account has ended, perhaps all of it: each is looked up again."""
    _memory().set(f"{_ENDED}:{user_id}", _endings_of(user_id) + 1, timeout=2 * _KNOWN_FOR)


def note_place(user_id: int, address: str) -> None:
    """Remember from where a user had the last of their streams to this process, which has ended."""
    _memory().set(f"{_PLACE}:{user_id}", address, timeout=_EXCUSED_FOR)


def place_of(user_id: int) -> str | None:
    """From where a user may be trying to come back: that of their last stream, for a while."""
    address: str | None = _memory().get(f"{_PLACE}:{user_id}")
    return address


def begin_listening() -> None:
    """From now on this process would hear who comes back."""
    global _listening_since  # of the process
    _listening_since = clock.now()


def end_listening() -> None:
    """From now on nobody who comes back is heard by this process."""
    global _listening_since  # of the process
    _listening_since = None


def listening_since() -> datetime | None:
    """Since when this process has been there to hear who comes back; None where it has no streams."""
    return _listening_since


@subscribe(_HEARD)
def _heard_elsewhere(user_id: int, at: str) -> None:
    _memory().set(f"{_HEARD}:{user_id}", (datetime.fromisoformat(at), False), timeout=_HEARD_FOR)


@subscribe(_HOLDER)
def _note_holder(credential: str, user_id: int) -> None:
    _memory().set(f"{_HOLDER}:{credential}", (user_id, _endings_of(user_id)), timeout=_KNOWN_FOR)


def _endings_of(user_id: int) -> int:
    """How often something that opened an account has ended since this process began."""
    count: int = _memory().get(f"{_ENDED}:{user_id}", 0)
    return count


def _memory() -> BaseCache:
    """What only members add to, so that no flood of visitors pushes anybody out."""
    return caches["member_limits"]
