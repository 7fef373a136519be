"""Questions about studies and reviews, for the apps above."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import access
from crownhead.server.analysis.models import Review, Study
from crownhead.server.core.problems import BadRequest

__all__ = ["MAX_FOLLOWED", "Review", "Study", "followable", "has_studies_of"]

MAX_FOLLOWED = 3  # analyses, by one stream


def followable(public_ids: Collection[str], user: User | None) -> set[str]:
    """The ids of studies and reviews, less the studies of positions that the user plays.

    Raises ``BadRequest`` for more than ``MAX_FOLLOWED``: the position of each is compared.
    """
    studies = list(Study.objects.filter(public_id__in=public_ids).defer("report")[: MAX_FOLLOWED + 1])
    reviews = set(Review.objects.filter(public_id__in=public_ids).values_list("public_id", flat=True))
    if len(studies) + len(reviews) > MAX_FOLLOWED:
        raise BadRequest(_("Follow at most %(most)s analyses at once.") % {"most": MAX_FOLLOWED})
    return reviews | {study.public_id for study in studies if _may_follow(study, user)}


def has_studies_of(variant: str) -> bool:
    """Whether a position of the variant with this key has been studied."""
    return Study.objects.filter(variant=variant).exists()


def _may_follow(study: Study, user: User | None) -> bool:
    return user is None or access.may_watch(user=user, position=study.replay().position)
