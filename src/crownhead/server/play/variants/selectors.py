"""Questions about what is played by a variant."""

from __future__ import annotations

from collections.abc import Callable

from crownhead import VARIANTS, CrownheadError, Variant
from crownhead.rules.fingerprint import fingerprint
from crownhead.rules.variants import STOCK
from crownhead.server.play.models import Game, HouseVariant


def has_games(variant: str) -> bool:
    """Whether the club has a game of the variant with this key: offered, running or finished."""
    return Game.objects.filter(variant=variant).exists()


class ChangedRules(CrownheadError):
    """Games would go on by other rules than they began with, or by none: their row is ``missing``."""

    def __init__(self, key: str, *, missing: bool) -> None:
        super().__init__(f"expected the rules of {key} as they were, got {'none' if missing else 'others'}")
        self.key = key
        self.missing = missing


def require_unchanged(*, is_used: Callable[[str], bool]) -> None:
    """Raise ``ChangedRules`` if the rules of a key in use are not those that the club has noted."""
    rows = house_variants()
    for noted in HouseVariant.objects.order_by("key"):
        row = rows.get(noted.key)
        if row is not None and fingerprint(row) == noted.fingerprint:
            continue
        if is_used(noted.key):
            raise ChangedRules(noted.key, missing=row is None)


def house_variants() -> dict[str, Variant]:
    """The variants of this process that do not come with the package, by key."""
    return {key: row for key, row in VARIANTS.items() if key not in STOCK}
