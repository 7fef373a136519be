"""Handlers of what happens to an account: what is revoked, by whatever way, ends its streams, too."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.addresses import services as address_services
from crownhead.server.accounts.events import (
    AccountClosed,
    CredentialsEnded,
    credential_of_session,
    credential_of_token,
)
from crownhead.server.accounts.guests.access import forget_guest, guest_id_of_session
from crownhead.server.accounts.models import SECOND_FACTORS, ApiToken, User
from crownhead.server.accounts.security import services as security_services
from crownhead.server.accounts.services.revocation import end_access
from crownhead.server.core import clock
from crownhead.server.core.events import emit, on
from crownhead.server.live.services import end_streams

# All that opens more to staff by a stream than to members: none asks for permissions or groups.
_RIGHTS, _OTHER_RIGHTS = ("is_staff", "is_superuser"), "_has_other_rights"


@receiver(post_save, sender=User)
def end_access_to_account(*, instance: User, created: bool, **_: Any) -> None:
    """End what opens an account that has another password, or may not be used any more.

    Django keeps the new password in `_password` until the row is saved. The session in which it was changed
    goes on under a new key.
    """
    if not created and (instance._password is not None or not instance.is_active):  # type: ignore[attr-defined]  # noqa: SLF001
        end_access(user=instance, kept_tokens=instance.kept_tokens)


@receiver(pre_save, sender=User)
def note_change_of_rights(*, instance: User, update_fields: frozenset[str] | None, **_: Any) -> None:
    """Note for the moment the row is saved whether that changes who is of the staff."""
    if instance.pk is not None and (update_fields is None or not update_fields.isdisjoint(_RIGHTS)):
        before = User.objects.filter(pk=instance.pk).values_list(*_RIGHTS).first()
        now = tuple(getattr(instance, name) for name in _RIGHTS)
        instance.__dict__[_OTHER_RIGHTS] = before not in {None, now}


@receiver(post_save, sender=User)
def end_streams_of_lost_rights(*, instance: User, **_: Any) -> None:
    """End what is followed by the rights of staff; a stream that needs none of them goes on."""
    if instance.__dict__.pop(_OTHER_RIGHTS, False):
        end_streams(user_id=instance.pk)


@receiver(pre_delete, sender=Authenticator)
def hold_owner_of_factor(*, instance: Authenticator, **_: Any) -> None:
    """A token that is being made meanwhile is either there to be seen below, or made without the factor."""
    if instance.type in SECOND_FACTORS:
        hold_user(instance.user_id)


@receiver(post_delete, sender=Authenticator)
def forget_lost_factor(*, instance: Authenticator, **_: Any) -> None:
    """Tokens made with a factor that is gone count as made without one: another one was never shown to them.

    Which factor it was is not noted, so all count so. Without one staff may be members like any other: their
    streams end as where they lose their rights.
    """
    if instance.type in SECOND_FACTORS:
        ApiToken.objects.filter(user=instance.user_id, with_factor=True).update(with_factor=False)
        end_streams(user_id=instance.user_id)


@receiver(post_delete, sender=User)
def end_streams_of_account(*, instance: User, **_: Any) -> None:
    """End the streams of an account whose row is deleted."""
    end_streams(user_id=instance.pk)


@receiver(post_delete, sender=ApiToken)
def end_streams_of_token(*, instance: ApiToken, **_: Any) -> None:
    """End the streams of a token that is revoked."""
    _end_credential(instance.user_id, credential_of_token(instance.pk))


@receiver(post_delete, sender=Session)
def end_streams_of_session(*, instance: Session, **_: Any) -> None:
    """End the streams of a session that is ended, as by signing out; one that expired has none any more.

    What it has added ends in either case, such as push messages.
    """
    UserSession.objects.filter(session_key=instance.session_key).delete()
    data = instance.get_decoded()
    if user := data.get(SESSION_KEY) or guest_id_of_session(data):
        credential = credential_of_session(instance.session_key)
        if instance.expire_date > clock.now():
            _end_credential(int(user), credential)
        else:
            emit(CredentialsEnded(user_id=int(user), credentials=(credential,)))


def _end_credential(user_id: int, credential: str) -> None:
    end_streams(user_id=user_id, ended=[credential])
    emit(CredentialsEnded(user_id=user_id, credentials=(credential,)))


@receiver(user_logged_in)
def forget_guest_of_browser(*, request: HttpRequest, **_: Any) -> None:
    """A browser in which a member signs in is no guest's any more; the guest's games stay with the guest."""
    forget_guest(request)


@receiver(email_changed)
def finish_change_of_address(
    *, user: User, from_email_address: EmailAddress | None, to_email_address: EmailAddress, **_: Any
) -> None:
    """Sign out what was signed in before a change; the first address of an account changes nothing."""
    if from_email_address is not None or user.email_changes.filter(done_at=None).exists():
        address_services.finish(user=user, new=to_email_address.email, now=clock.now())


@on(AccountClosed)
def forget_keys_and_sessions(event: AccountClosed) -> None:
    """Nothing opens an account that is closed."""
    security_services.forget(user_id=event.user_id)
