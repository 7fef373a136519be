"""The second factor: a code with the password, which counts once, and so many wrong ones.

Both hold across processes, as those of wrong passwords do.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead.server.accounts.models import SECOND_FACTORS, User
from crownhead.server.accounts.security.access import has_second_factor
from crownhead.server.accounts.services import budgets
from crownhead.server.core import clock
from crownhead.server.core.monitoring.security import SecurityEvent, record
from crownhead.server.core.problems import NotSignedIn, TooMany

_TRIES, _USED = "sign_in", "used_code"
# An app's code fits for so long.
_FITS = timedelta(seconds=app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1))


class SecondFactorNeeded(NotSignedIn):
    """The password is right, but a code is needed too."""

    slug, title = "second-factor-needed", gettext_lazy("A second factor is needed")


def expect_second_factor(*, user: User, code: str) -> bool:
    """Return whether a program gives the right code; False where the account needs none.

    Raises ``SecondFactorNeeded``.
    """
    factors = list(Authenticator.objects.filter(user=user))
    if not any(row.type in SECOND_FACTORS for row in factors):
        return False
    code = code.strip()  # Unicode blanks too, which `is_first_use` would leave
    if not code:
        raise _needed()
    if not may_try(user):
        raise TooMany(_("Too many failed attempts. Try again in a few minutes."), seconds=300)
    for row in factors:
        fits = row.type != Authenticator.Type.WEBAUTHN and row.wrap().validate_code(code)
        if fits and is_first_use(user, code):
            row.record_usage()
            return True
    record(SecurityEvent.SECOND_FACTOR_FAILED, user_id=user.pk)
    raise SecondFactorNeeded(
        _("Wrong code. Enter the one that your authenticator app shows now, or a recovery code."),
        field="code",
    )


def expect_no_second_factor(user: User) -> None:
    """Raise ``SecondFactorNeeded`` where the account has got one by now; for who holds its row."""
    if has_second_factor(user.pk):
        raise _needed()


def may_try(user: User) -> bool:
    """Count a code that is tried; returns False once there were too many wrong ones."""
    return budgets.spend(scope=_TRIES, who=_tries_of(user), now=clock.now())


def is_first_use(user: User, code: str) -> bool:
    """Note the use of a code that fits, and forget the wrong ones before it; returns False if it was used."""
    now, used = clock.now(), f"{user.pk} {normalize_user_code(code)}"
    if not budgets.use_once(scope=_USED, who=used, now=now, until=now + _FITS):
        return False
    budgets.forget(scope=_TRIES, who=_tries_of(user))
    return True


def _needed() -> SecondFactorNeeded:
    return SecondFactorNeeded(
        _("Enter a code from your authenticator app, or a recovery code."), field="code"
    )


def _tries_of(user: User) -> str:
    return f"code {user.pk}"
