"""Making, naming, listing and revoking API tokens."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import Credential, hold_member
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.problems import throttled_for_programs
from crownhead.server.accounts.security.access import has_second_factor
from crownhead.server.accounts.security.second_factor import expect_no_second_factor, expect_second_factor
from crownhead.server.accounts.services import digest, revocation
from crownhead.server.core.http import site_address
from crownhead.server.core.jobs import sweep
from crownhead.server.core.mail import no_mail
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, NotSignedIn, Unprocessable

USUAL = (Scope.READ, Scope.PLAY, Scope.TALK)
"""What a token allows if nobody asked for anything else."""

MAX_TOKENS = 50
MAX_DAYS = 3650
LONGEST_NAME = 60
EXPIRED_IS_KEPT = timedelta(days=30)  # so that its program is told what is wrong

_TOKEN_BYTES = 32
_USE_IS_NOTED_EVERY = timedelta(hours=1)


def new_token(
    *,
    user: User,
    now: datetime,
    name: str = "",
    scopes: Collection[Scope] = USUAL,
    days: int | None = None,
    in_place_of_oldest: bool = False,
    by: Credential | None = None,
    with_factor: bool = False,
) -> str:
    """Create a token for a program, shown only once; only its hash is stored.

    ``days`` until it expires; None for the club's own number, 0 for never. ``in_place_of_oldest``: revoke the
    one that was unused for longest if the user has too many. ``by``: the session in which it is asked for;
    ``with_factor``: whether a second factor was shown in it, or with the password. Raises ``Conflict`` for
    too many otherwise, ``Unprocessable`` without a scope, and ``SecondFactorNeeded`` for a password alone
    that has been enough until now.
    """
    if not scopes:
        raise Unprocessable(_("Choose at least one."), field="scopes")
    days = settings.TOKEN_DAYS if days is None else days
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with transaction.atomic():
        hold_member(user, by=by)
        if by is None and not with_factor:
            expect_no_second_factor(user)
        _make_room(user, now, in_place_of_oldest=in_place_of_oldest)
        ApiToken.objects.create(
            user=user,
            digest=digest(token),
            name=" ".join(name.split())[:LONGEST_NAME],
            created_at=now,
            scopes=" ".join(scope.value for scope in Scope if scope in scopes),
            expires_at=now + timedelta(days=min(days, MAX_DAYS)) if days else None,
            with_factor=with_factor and has_second_factor(user.pk),  # it may have gone since it was shown
        )
        granted = "+".join(scope.value for scope in Scope if scope in scopes)
        record_change(SecurityEvent.TOKEN_MADE, user_id=user.pk, scopes=granted)
    return token


def sign_in(*, request: HttpRequest, login: str, password: str, code: str = "") -> tuple[User, bool]:
    """Return the user of a name or address and password, as a program signs in, and whether by a code too.

    ``code``: of the second factor, where the account has one; raises ``SecondFactorNeeded``.
    """
    user = _authenticate(request=request, login=login, password=password)
    return user, expect_second_factor(user=user, code=code)


def announce(*, request: HttpRequest, user: User) -> None:
    """Tell the user by e-mail that they have a new token."""
    get_adapter(request).send_notification_mail("account/email/token_made", user)


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Note when a token was last used, to the hour, to save writes."""
    if token.last_used_at is None or now - token.last_used_at >= _USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(*, token: str) -> None:
    """Revoke a token; does nothing if it is already revoked."""
    ApiToken.objects.filter(digest=digest(token)).delete()


def end_token(*, user: User, token_id: int) -> None:
    """Revoke a token of the user; raises ``NotFound``."""
    ended, _rows = ApiToken.objects.filter(user=user, pk=token_id).delete()
    if not ended:
        raise NotFound(_("There is no such token, or it has already been revoked."))


def end_tokens(*, user: User) -> None:
    """Revoke all tokens of the user."""
    revocation.end_tokens(user_id=user.pk)


def forget_expired(*, now: datetime) -> int:
    """Delete tokens that expired some time ago; returns how many."""
    return sweep(ApiToken.objects.filter(expires_at__lt=now - EXPIRED_IS_KEPT))


def _make_room(user: User, now: datetime, *, in_place_of_oldest: bool) -> None:
    tokens = ApiToken.objects.filter(user=user)
    count = tokens.count()
    if count >= MAX_TOKENS:
        count -= tokens.filter(expires_at__lte=now).delete()[0]
    if count < MAX_TOKENS:
        return
    if not in_place_of_oldest:
        raise Conflict(
            _("You can have at most %(most_tokens)s tokens. Revoke one that you no longer use.")
            % {"most_tokens": MAX_TOKENS}
        )
    by_use = tokens.order_by(F("last_used_at").asc(nulls_first=True), "created_at", "pk")
    oldest = list(by_use.values_list("pk", flat=True)[: count - MAX_TOKENS + 1])
    ApiToken.objects.filter(pk__in=oldest).delete()


def _authenticate(*, request: HttpRequest, login: str, password: str) -> User:
    kind = "email" if "@" in login else "username"
    with throttled_for_programs():
        user = get_adapter().authenticate(request, **{kind: login, "password": password})
    if not isinstance(user, User) or not user.is_active:
        unlock = site_address(request) + reverse("account_unlock")
        raise NotSignedIn(
            _("Wrong username or password. If it is right, too many wrong ones were tried: see %(page)s.")
            % {"page": unlock}
        )
    if settings.CONFIRM_EMAIL and not EmailAddress.objects.filter(user=user, verified=True).exists():
        if no_mail():
            raise Forbidden(
                _("Confirm your address first. This club can't send e-mail yet: ask its host for the link.")
            )
        raise Forbidden(_("Confirm your e-mail address first: follow the link we sent you."))
    return user
