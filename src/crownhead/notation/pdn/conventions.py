"""What a reader assumes of games that do not say it: their variant, and how squares are numbered."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn.game_type import named_variants
from crownhead.notation.pdn.visitor import GameRecord
from crownhead.rules.errors import UnknownVariant
from crownhead.rules.lookup import AUTO, variant_of
from crownhead.rules.schema import Variant
from crownhead.rules.variants import VARIANTS

_RENUMBERED = (Numbering.MIRRORED, Numbering.FROM_A1)


@dataclass(slots=True)
class Conventions:
    """The variant of games that do not name theirs, and the numbering of all squares.

    ``variant`` is None until it is recognised. In most numberings a text means the same square, so that
    ``numbering`` is ``NATIVE`` for all of these.
    """

    variant: Variant | None
    numbering: Numbering
    is_auto: bool  # whether the variant is recognised, not given

    @classmethod
    def of(cls, variant: str | Variant, numbering: Numbering = Numbering.NATIVE) -> Conventions:
        """``variant`` is a key or ``auto``; raises ``UnknownVariant``."""
        numbering = numbering if numbering in _RENUMBERED else Numbering.NATIVE
        if variant == AUTO:
            return cls(None, numbering, is_auto=True)
        return cls(variant_of(variant), numbering, is_auto=False)

    @property
    def default(self) -> Variant:
        """The variant of games that do not name theirs, as far as it is known."""
        return next(iter(VARIANTS.values())) if self.variant is None else self.variant

    @property
    def is_native(self) -> bool:
        """Whether squares are numbered as in the variant."""
        return self.numbering is Numbering.NATIVE

    def needs_variant(self, record: GameRecord) -> bool:
        """Whether the variant has to be recognised before this record can be read."""
        return self.variant is None and not is_named(record)


def is_named(record: GameRecord) -> bool:
    """Whether the tags name the variant, even if it is unknown."""
    try:
        return bool(named_variants(record.tags))
    except UnknownVariant:
        return True
