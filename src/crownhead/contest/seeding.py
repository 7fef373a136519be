"""The order of a field: by seeds, by ratings, or by lots that the contest's dice have settled."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from crownhead.contest.model import Contest, Player


def by_strength(players: Iterable[Player]) -> list[Player]:
    """Seeded players first, in their order; then the others by rating, the highest first; then by key."""
    return sorted(players, key=lambda player: (not player.seed, player.seed, -player.rating, player.key))


def in_random_order(players: Iterable[Player], *, dice: int, about: str = "") -> list[Player]:
    """An order by chance that is always the same for the same dice, keys, and what it is ``about``."""
    return sorted(players, key=lambda player: random_key(player.key, dice=dice, about=about))


def random_key(key: str, *, dice: int, about: str = "") -> str:
    """A player's lot: texts to be compared."""
    return sha256(f"{dice}\n{about}\n{key}".encode()).hexdigest()


def present(contest: Contest, number: int) -> list[Player]:
    """Those who are in the contest in a round."""
    return [player for player in contest.players if player.plays_in(number)]


def withdrawn(contest: Contest) -> frozenset[str]:
    """Those who have left."""
    return frozenset(player.key for player in contest.players if player.left is not None)
