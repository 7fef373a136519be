"""The second factor for sign-in by a program: a code with the password."""

from __future__ import annotations

from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead.server.accounts.models import User
from crownhead.server.core.monitoring.security import SecurityEvent, record
from crownhead.server.core.problems import NotSignedIn, TooMany

_FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class SecondFactorNeeded(NotSignedIn):
    """The password is right, but a code is needed too."""

    slug, title = "second-factor-needed", gettext_lazy("A second factor is needed")


def expect_second_factor(*, user: User, code: str) -> None:
    """Raise ``SecondFactorNeeded`` unless the code is right or the account needs none."""
    factors = list(Authenticator.objects.filter(user=user))
    if not any(row.type in _FACTORS for row in factors):
        return
    if not code.strip():
        raise SecondFactorNeeded(
            _("Enter a code from your authenticator app, or a recovery code."), field="code"
        )
    try:
        clear = check_rate_limit(user)
    except ValidationError as error:
        raise TooMany(_("Too many failed attempts. Try again in a few minutes."), seconds=300) from error
    for row in factors:
        if row.type != Authenticator.Type.WEBAUTHN and row.wrap().validate_code(code.strip()):
            row.record_usage()
            clear()
            return
    record(SecurityEvent.SECOND_FACTOR_FAILED, user_id=user.pk)
    raise SecondFactorNeeded(
        _("Wrong code. Enter the one that your authenticator app shows now, or a recovery code."),
        field="code",
    )
