"""Questions about studies and reviews, for the apps above."""

from __future__ import annotations

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import access
from crownhead.server.analysis.models import Review, Study
from crownhead.server.core.texts import is_storable

__all__ = ["Review", "Study", "exists", "has_studies_of", "may_follow"]


def exists(public_id: str) -> bool:
    """Whether there is a study or a review of that identifier, whose news may be followed."""
    if not is_storable(public_id):
        return False
    return any(rows.objects.filter(public_id=public_id).exists() for rows in (Study, Review))


def may_follow(public_id: str, user: User | None) -> bool:
    """Whether the user may follow a study or review: not a study of a position that they play."""
    study = Study.objects.filter(public_id=public_id).first()
    return study is None or access.may_watch(user=user, position=study.replay().position)


def has_studies_of(variant: str) -> bool:
    """Whether a position of the variant with this key has been studied."""
    return Study.objects.filter(variant=variant).exists()
