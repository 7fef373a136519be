"""Questions about studies and reviews, for the apps above."""

from __future__ import annotations

from crownhead.server.analysis.models import Review, Study
from crownhead.server.core.texts import is_storable

__all__ = ["Review", "Study", "exists", "has_studies_of"]


def exists(public_id: str) -> bool:
    """Whether there is a study or a review of that identifier, whose news may be followed."""
    if not is_storable(public_id):
        return False
    return any(rows.objects.filter(public_id=public_id).exists() for rows in (Study, Review))


def has_studies_of(variant: str) -> bool:
    """Whether a position of the variant with this key has been studied."""
    return Study.objects.filter(variant=variant).exists()
