"""What happens to accounts, as lines of the security log."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth import signals as auth
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest

from crownhead.server.accounts.events import AccessEnded, AccountClosed, CredentialsEnded
from crownhead.server.accounts.models import User
from crownhead.server.accounts.security import throttle
from crownhead.server.accounts.security.sessions import note_signed_out
from crownhead.server.core.events import on
from crownhead.server.core.monitoring.security import SecurityEvent, record, record_change

_ACTIONS = {1: "added", 2: "changed", 3: "deleted"}  # of the back office, by their flags


@receiver(auth.user_logged_in)
def note_sign_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Somebody is signed in by `password`, `password+totp`, `webauthn` or the like."""
    ways = [str(one.get("type", one["method"])) for one in get_authentication_records(request, user)]
    record(SecurityEvent.SIGNED_IN, user_id=user.pk, request=request, by="+".join(ways) or "other")


@receiver(auth.user_logged_out)
def note_sign_out(*, request: HttpRequest, user: User | None, **_: Any) -> None:
    """Note that somebody who was signed in has signed out; their browser is to forget their pages."""
    if user is not None:
        note_signed_out(request)
        record(SecurityEvent.SIGNED_OUT, user_id=user.pk, request=request)


@receiver(mfa.authentication_failed)
def note_wrong_code(*, request: HttpRequest, user: User, reauthentication: bool, **_: Any) -> None:
    """A code of a second factor that was wrong."""
    event = SecurityEvent.CONFIRMATION_FAILED if reauthentication else SecurityEvent.SECOND_FACTOR_FAILED
    record(event, user_id=user.pk, request=request)


@receiver(account.user_signed_up)
def note_sign_up(*, request: HttpRequest, user: User, **_: Any) -> None:
    """An account made on the page."""
    record(SecurityEvent.ACCOUNT_MADE, user_id=user.pk, request=request)


@receiver(account.password_set)
@receiver(account.password_changed)
def note_new_password(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A password changed by who knew the one before."""
    record(SecurityEvent.PASSWORD_CHANGED, user_id=user.pk, request=request)


@receiver(account.password_reset)
def note_reset_password(*, request: HttpRequest, user: User, **_: Any) -> None:
    """A password set by the link of a mail, which makes a browser known as well as an unlock link."""
    throttle.will_remember(request=request, user=user)
    record(SecurityEvent.PASSWORD_RESET, user_id=user.pk, request=request)


@receiver(account.email_confirmed)
def note_confirmed_address(*, request: HttpRequest, email_address: EmailAddress, **_: Any) -> None:
    """Not the address itself."""
    record(SecurityEvent.EMAIL_CONFIRMED, user_id=email_address.user_id, request=request)


@receiver(account.email_changed)
def note_new_address(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Nor here."""
    record(SecurityEvent.EMAIL_CHANGED, user_id=user.pk, request=request)


@receiver(mfa.authenticator_added)
def note_new_factor(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """An app, a key, or the recovery codes that come with the first of them."""
    record(SecurityEvent.SECOND_FACTOR_ADDED, user_id=user.pk, request=request, kind=str(authenticator.type))


@receiver(mfa.authenticator_removed)
def note_removed_factor(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """What was added is taken away."""
    record(
        SecurityEvent.SECOND_FACTOR_REMOVED, user_id=user.pk, request=request, kind=str(authenticator.type)
    )


@receiver(mfa.authenticator_reset)
def note_new_codes(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Recovery codes in place of others."""
    record(SecurityEvent.RECOVERY_CODES_RENEWED, user_id=user.pk, request=request)


@on(CredentialsEnded)
def note_ended_credentials(event: CredentialsEnded) -> None:
    """Sessions or tokens; their names open nothing."""
    for credential in event.credentials:
        kind, _, _name = credential.partition(":")
        record_change(SecurityEvent.CREDENTIAL_ENDED, user_id=event.user_id, kind=kind)


@on(AccessEnded)
def note_ended_access(event: AccessEnded) -> None:
    """All sessions and tokens at once."""
    record_change(SecurityEvent.ACCESS_ENDED, user_id=event.user_id)


@on(AccountClosed)
def note_closed_account(event: AccountClosed) -> None:
    """By its number, which is all that stays."""
    record_change(SecurityEvent.ACCOUNT_CLOSED, user_id=event.user_id)


@receiver(post_save, sender=LogEntry)
def note_change_in_back_office(*, instance: LogEntry, created: bool, **_: Any) -> None:
    """What was added, changed or deleted at /staff/: the kind of row and its key, not what it says."""
    if created:
        kind = instance.content_type.model if instance.content_type is not None else "row"
        action = _ACTIONS.get(instance.action_flag, "changed")
        facts = {"did": f"{action}-{kind}", "key": str(instance.object_id)}
        record_change(SecurityEvent.STAFF_ACTION, user_id=instance.user_id, **facts)
