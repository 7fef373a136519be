"""Ordering the players of a contest: by seed, by rating, or in a reproducible random order."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from crownhead.contest.model import Contest, Player


def by_strength(players: Iterable[Player]) -> list[Player]:
    """Sort seeded players first, in order of seed, then the others by rating (highest first), then by key."""
    return sorted(players, key=lambda player: (not player.seed, player.seed, -player.rating, player.key))


def in_random_order(players: Iterable[Player], *, dice: int, about: str = "") -> list[Player]:
    """Shuffle players; the result depends only on ``dice``, the keys and the purpose ``about``."""
    return sorted(players, key=lambda player: random_key(player.key, dice=dice, about=about))


def random_key(key: str, *, dice: int, about: str = "") -> str:
    """Return a pseudo-random sort key for a player."""
    return sha256(f"{dice}\n{about}\n{key}".encode()).hexdigest()


def present(contest: Contest, number: int) -> list[Player]:
    """Return the players who are in the contest in round ``number``."""
    return [player for player in contest.players if player.plays_in(number)]


def withdrawn(contest: Contest) -> frozenset[str]:
    """Return the keys of the players who have withdrawn."""
    return frozenset(player.key for player in contest.players if player.left is not None)
