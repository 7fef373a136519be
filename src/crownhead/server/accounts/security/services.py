"""Account security: second factors and sessions that come to an end."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from crownhead.server.accounts.models import User
from crownhead.server.core.monitoring.security import SecurityEvent, record_change


def forget(*, user_id: int) -> None:
    """Delete all second factors and sessions of a closed account."""
    Authenticator.objects.filter(user=user_id).delete()
    UserSession.objects.filter(user=user_id).delete()


def forget_unproven(*, user: User) -> None:
    """Delete the second factors of an account that has no confirmed address, once its mailbox has spoken.

    Anybody can sign up with an address of somebody else, leave a passkey, and wait for the owner to take the
    account over by a new password. Of a confirmed account they stay: a mailbox alone is no second factor. So
    they do of the staff, whose accounts nobody else has made.
    """
    if user.has_rights or EmailAddress.objects.filter(user=user, verified=True).exists():
        return
    rows = Authenticator.objects.filter(user=user)
    for kind in rows.values_list("type", flat=True):
        record_change(SecurityEvent.SECOND_FACTOR_REMOVED, user_id=user.pk, kind=str(kind))
    rows.delete()
