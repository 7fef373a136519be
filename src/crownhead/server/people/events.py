"""What happens around people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendTold:
    """Somebody is to be told of the club by e-mail; ``link``: to join by, ``stop``: to hear no more."""

    address: str
    name: str
    message: str
    link: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAsked:
    """Somebody wants to take his data along."""

    archive_id: int
