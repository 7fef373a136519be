"""The API tokens of a member."""

from __future__ import annotations

from datetime import datetime

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from crownhead.server.accounts.events import CREDENTIAL_OF_TOKEN
from crownhead.server.accounts.models import ApiToken, User


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")


def expired_credentials(user: User, now: datetime) -> QuerySet[ApiToken, str]:
    """Return the names of the user's tokens that have expired: what one of them added counts no more."""
    name = Concat(Value(CREDENTIAL_OF_TOKEN), Cast("pk", CharField()))
    expired = ApiToken.objects.filter(user=user, expires_at__lte=now).order_by()
    return expired.annotate(credential=name).values_list("credential", flat=True)
