"""Events of people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendInvited:
    """A friend is invited to the club; ``link``: to join, ``stop``: to opt out."""

    address: str
    name: str
    message: str
    link: str
    stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRequested:
    """A user wants an archive of their data."""

    archive_id: int
