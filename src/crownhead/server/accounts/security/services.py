"""Account security: second factors, sessions and tokens, what there is."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession


def forget(*, user_id: int) -> None:
    """Delete all second factors and sessions of a closed account."""
    Authenticator.objects.filter(user=user_id).delete()
    UserSession.objects.filter(user=user_id).delete()
