"""The API tokens of a member."""

from __future__ import annotations

from django.db.models import QuerySet

from crownhead.server.accounts.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")
