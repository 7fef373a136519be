"""The variants in groups by board and kings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from crownhead import Variant
from crownhead.rules.schema import Grid
from crownhead.server.play.presenters.variant_texts import variant_name

_SMALL = 8  # squares a side


@dataclass(frozen=True, slots=True)
class Family:
    """Variants that look alike."""

    key: str
    name: str
    variants: tuple[Variant, ...]

    @property
    def names(self) -> str:
        """All of them in a line."""
        return ", ".join(variant_name(variant) for variant in self.variants)


def families(variants: Iterable[Variant]) -> list[Family]:
    """The variants by family, each family in the order of the table; no empty ones."""
    names = {
        "short": _("Small board, short-range kings"),
        "flying": _("Small board, flying kings"),
        "large": _("Larger boards"),
        "full": _("All squares or lines"),
    }
    rows: dict[str, list[Variant]] = {key: [] for key in names}
    for variant in variants:
        rows[_family(variant)].append(variant)
    return [Family(key, names[key], tuple(members)) for key, members in rows.items() if members]


def _family(variant: Variant) -> str:
    board = variant.board
    if board.grid is not Grid.CHECKERED:
        return "full"
    if max(board.width, board.height) > _SMALL:
        return "large"
    return "flying" if variant.rules.flying_king else "short"
