"""Comparing the house variants of this process with those that games are played by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from django.db import transaction

from crownhead.rules.fingerprint import definition, fingerprint
from crownhead.server.play.models import HouseVariant
from crownhead.server.play.variants.selectors import house_variants, require_unchanged


class Comparison(Protocol):
    """A service that compares."""

    def __call__(self, *, is_used: Callable[[str], bool]) -> None:
        """``is_used``: whether anything is kept that only makes sense by the rules of a key."""


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
