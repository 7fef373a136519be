"""Handlers of what happens to an account: what is revoked, by whatever way, ends its streams, too."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from crownhead.server.accounts.addresses import services as address_services
from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.security import services as security_services
from crownhead.server.accounts.services.revocation import (
    credential_of_session,
    credential_of_token,
    end_access,
)
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.live.services import end_streams


@receiver(post_save, sender=User)
def end_access_to_account(*, instance: User, created: bool, **_: Any) -> None:
    """End what opens an account that has another password, or may not be used any more.

    Django keeps the new password in `_password` until the row is saved. The session in which it was changed
    goes on under a new key.
    """
    if not created and (instance._password is not None or not instance.is_active):  # type: ignore[attr-defined]  # noqa: SLF001
        end_access(user=instance, kept_tokens=instance.kept_tokens)


@receiver(post_delete, sender=User)
def end_streams_of_account(*, instance: User, **_: Any) -> None:
    """End the streams of an account whose row is deleted."""
    end_streams(user_id=instance.pk)


@receiver(post_delete, sender=ApiToken)
def end_streams_of_token(*, instance: ApiToken, **_: Any) -> None:
    """End the streams of a token that is revoked."""
    end_streams(user_id=instance.user_id, ended=[credential_of_token(instance.pk)])


@receiver(post_delete, sender=Session)
def end_streams_of_session(*, instance: Session, **_: Any) -> None:
    """End the streams of a session that is ended, as by signing out; one that expired has none any more."""
    UserSession.objects.filter(session_key=instance.session_key).delete()
    if instance.expire_date > clock.now() and (user := instance.get_decoded().get(SESSION_KEY)):
        end_streams(user_id=int(user), ended=[credential_of_session(instance.session_key)])


@receiver(email_changed)
def finish_change_of_address(
    *, user: User, from_email_address: EmailAddress | None, to_email_address: EmailAddress, **_: Any
) -> None:
    """Sign out what was signed in under the old address; the first address of an account changes nothing."""
    if from_email_address is not None:
        address_services.finish(user=user, new=to_email_address.email, now=clock.now())


@on(AccountClosed)
def forget_keys_and_sessions(event: AccountClosed) -> None:
    """Nothing opens an account that is closed."""
    security_services.forget(user_id=event.user_id)
