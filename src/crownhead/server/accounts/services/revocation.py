"""Ending what opens an account: sessions, tokens, their streams, and changes of address that wait."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection, transaction

from crownhead.server.accounts.events import (
    AccessEnded,
    CredentialsEnded,
    credential_of_session,
    credential_of_token,
)
from crownhead.server.accounts.models import ApiToken, EmailChange, User
from crownhead.server.core.events import emit
from crownhead.server.live.services import end_streams


def give_up_new_address(*, user: User) -> None:
    """Ask no new address any more; the one in use stays, even if it never was confirmed."""
    EmailAddress.objects.filter(user=user, verified=False).exclude(email__iexact=user.email).delete()


def end_sessions(*, user_id: int, keys: Sequence[str]) -> None:
    """End sessions of a user with their streams: by as many statements for many as for one."""
    if not keys:
        return
    credentials = tuple(credential_of_session(key) for key in keys)
    with transaction.atomic():
        # Without the signal of each row: what it would do is done here for all of them.
        Session.objects.filter(session_key__in=keys)._raw_delete(connection.alias)  # noqa: SLF001
        UserSession.objects.filter(session_key__in=keys).delete()
        end_streams(user_id=user_id, ended=credentials)
        emit(CredentialsEnded(user_id=user_id, credentials=credentials))


def end_tokens(*, user_id: int, kept: Collection[int] = ()) -> None:
    """End the tokens of a user with their streams, but those that are kept: likewise by few statements."""
    rows = ApiToken.objects.filter(user=user_id).exclude(pk__in=kept)
    keys = list(rows.values_list("pk", flat=True))
    if not keys:
        return
    credentials = tuple(map(credential_of_token, keys))
    with transaction.atomic():
        ApiToken.objects.filter(pk__in=keys)._raw_delete(connection.alias)  # noqa: SLF001 - as above
        end_streams(user_id=user_id, ended=credentials)
        emit(CredentialsEnded(user_id=user_id, credentials=credentials))


def end_access(*, user: User, kept_session: str = "", kept_tokens: Collection[int] = ()) -> None:
    """End all sessions, tokens and streams of a user but those that are kept; streams end in every process.

    A change of address that is not done yet ends, too: it was asked for by what opened the account until now.
    ``kept_session``: the key of one session; ``kept_tokens``: the primary keys of tokens.
    """
    with transaction.atomic():
        EmailChange.objects.filter(user=user, done_at=None).delete()
        give_up_new_address(user=user)
        end_tokens(user_id=user.pk, kept=kept_tokens)
        listed = UserSession.objects.filter(user=user).exclude(session_key=kept_session)
        end_sessions(user_id=user.pk, keys=list(listed.values_list("session_key", flat=True)))
        kept = {credential_of_token(key) for key in kept_tokens}
        if kept_session:
            kept.add(credential_of_session(kept_session))
        end_streams(user_id=user.pk, kept=sorted(kept))
        emit(AccessEnded(user_id=user.pk))
