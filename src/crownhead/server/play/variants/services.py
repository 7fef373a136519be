"""Comparing the house variants of this process with those that games are played by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from django.db import transaction

from crownhead import VARIANTS, CrownheadError, Variant
from crownhead.rules.fingerprint import definition, fingerprint
from crownhead.rules.variants import STOCK
from crownhead.server.play.models import HouseVariant


class Comparison(Protocol):
    """A service that compares."""

    def __call__(self, *, is_used: Callable[[str], bool]) -> None:
        """``is_used``: whether anything is kept that only makes sense by the rules of a key."""


class ChangedRules(CrownheadError):
    """Games would go on by other rules than they began with, or by none: their row is ``missing``."""

    def __init__(self, key: str, *, missing: bool) -> None:
        super().__init__(f"expected the rules of {key} as they were, got {'none' if missing else 'others'}")
        self.key = key
        self.missing = missing


@transaction.atomic
def remember_house_variants(*, is_used: Callable[[str], bool]) -> None:
    """Note the rules of the house variants, before any game is played by them.

    Rules that ``is_used`` denies for their key may change or go. Raises ``ChangedRules`` for others.
    """
    require_unchanged(is_used=is_used)
    rows = house_variants()
    HouseVariant.objects.exclude(key__in=rows).delete()
    for key, row in rows.items():
        values = {"fingerprint": fingerprint(row), "rules": definition(row)}
        HouseVariant.objects.update_or_create(key=key, defaults=values)


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
