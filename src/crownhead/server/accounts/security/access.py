"""What a session has proven: the password alone, or a second factor of its user as well."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, TypeVar

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from crownhead.server.accounts.models import SECOND_FACTORS, User
from crownhead.server.core.problems import NotSignedIn

_FACTOR = "mfa"  # what allauth calls an app, a key and a recovery code among the ways to sign in

Anybody = TypeVar("Anybody", User, User | AnonymousUser)


def has_second_factor(user_id: int) -> bool:
    """Whether a password alone opens the account no more, as it is stored at this moment."""
    return bool(Authenticator.objects.filter(user=user_id, type__in=SECOND_FACTORS).exists())


def has_proven_factor(session: SessionBase | Mapping[str, Any], user: User) -> bool:
    """Whether somebody has shown, in a session, at sign-in or since, a second factor that the user still has.

    One that was taken away counts no more, as the phone may be lost. A recovery code counts for as long as
    there is a factor that it stands in for, though the codes may be others by now.
    """
    shown = _shown(session, user)
    if not shown:
        return False
    kept = set(Authenticator.objects.filter(user=user, type__in=SECOND_FACTORS).values_list("pk", flat=True))
    by_code = Authenticator.Type.RECOVERY_CODES in shown.values()
    return bool(kept) if by_code else not kept.isdisjoint(shown)


def owes_factor(session: SessionBase | Mapping[str, Any], user: User) -> bool:
    """Whether the account has a second factor that a session has not shown: it knows the password alone.

    As one from before the club noted what was shown. Where the password is asked for again, it is not enough
    then: who knows it could read the recovery codes, or turn on a factor of their own.
    """
    return not has_proven_factor(session, user) and has_second_factor(user.pk)


def is_of_member(session: SessionBase | Mapping[str, Any], user: User) -> bool:
    """Whether a session opens no more than that of a member, though the user may be of the staff.

    Where the club requires a second factor of its staff, so it is with one that was opened by a password
    alone: the account may have got its factor since.
    """
    return settings.STAFF_SECOND_FACTOR and not (user.is_staff and has_proven_factor(session, user))


def act_as_proven(user: Anybody, session: SessionBase) -> Anybody:
    """Return the user of a session, who acts as staff only by what was proven in it."""
    if isinstance(user, User) and is_of_member(session, user):
        user.act_as_member()
    return user


def expect_proven(session: SessionBase, user: User) -> None:
    """Raise ``NotSignedIn`` for a sign-in that has not shown a factor which its account has by now.

    For who holds the user: whether a factor is asked for is decided long before somebody is signed in.
    """
    kept = Authenticator.objects.filter(user=user).values_list("pk", flat=True)
    if has_second_factor(user.pk) and _shown(session, user).keys().isdisjoint(kept):
        raise NotSignedIn


def note_proven(request: HttpRequest, user: User, factor: Authenticator) -> None:
    """Note in the session that a factor was shown, as it is when one is turned on."""
    record_authentication(request, user, method=_FACTOR, id=factor.pk, type=factor.type)


def _shown(session: SessionBase | Mapping[str, Any], user: User) -> dict[int, str]:
    """The primary keys of the factors that were shown in a session, and their types; some may be gone."""
    records = get_authentication_records(SimpleNamespace(session=session), user)
    return {
        record.get("id", 0): record.get("type", "") for record in records if record.get("method") == _FACTOR
    }
