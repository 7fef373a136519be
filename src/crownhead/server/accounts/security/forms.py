"""The forms of allauth for second factors and passkeys, with our labels and bounds."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter as account_adapter
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms import Form, HiddenInput, JSONField
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.security import passkeys, second_factor
from crownhead.server.core.api.body import read_json
from crownhead.server.core.problems import BadRequest
from crownhead.server.core.texts import check_line
from crownhead.server.web.forms import give_back_at_most

LONGEST_NAME = 60
_LONGEST_CODE = 20  # that is shown again; none is as long


def _label_code(form: Form) -> None:
    field = form.fields["code"]
    field.label = _("Code")
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs.update({"inputmode": "numeric", "autocomplete": "one-time-code"})
    give_back_at_most(field, _LONGEST_CODE)


def _label_name(form: Form) -> None:
    field = form.fields["name"]
    field.label = _("Key name")
    field.help_text = _("to tell your keys apart: phone, laptop …")
    field.widget.attrs["maxlength"] = LONGEST_NAME
    field.validators += [MaxLengthValidator(LONGEST_NAME), check_line]
    give_back_at_most(field, LONGEST_NAME)


class _CodeOnce(base.BaseAuthenticateForm):  # type: ignore[misc]
    """A code that counts once, and so many wrong ones, whatever process is asked."""

    def clean_code(self) -> str:
        if not second_factor.may_try(self.user):
            raise account_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()
        if not second_factor.is_first_use(self.user, code):
            self._emit_authentication_failed(self.authenticator)
            raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(_CodeOnce, base.AuthenticateForm):  # type: ignore[misc]
    """The code after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_code(self)
        self.fields["code"].help_text = _("from your authenticator app, or a recovery code")


class ReauthenticateForm(_CodeOnce, base.ReauthenticateForm):  # type: ignore[misc]
    """A code to confirm who you are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_code(self)
        self.fields["code"].help_text = _("from your authenticator app, or a recovery code")


class ActivateTOTPForm(totp.ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app, to prove that it works."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_code(self)
        self.fields["code"].help_text = _("the six digits that the app shows")

    def clean_code(self) -> str:
        """It counts once, and so not at a sign-in afterwards."""
        code: str = super().clean_code()
        if not second_factor.is_first_use(self.user, code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class CredentialField(JSONField):
    """What a browser says of a key: JSON, bounded like the body of an API request, and never given back.

    Django's is read as often as it is looked at, however long and deep it is.
    """

    widget = HiddenInput

    def to_python(self, value: Any) -> Any:
        """What was sent, read once; raises ``ValidationError`` in words that fit a key."""
        if value in self.empty_values:
            return None
        text = str(value)
        if len(text) > passkeys.LONGEST:
            raise passkeys.no_key()
        try:
            return read_json(text.encode("utf-8", "surrogatepass"))
        except BadRequest as error:
            raise passkeys.no_key() from error

    def bound_data(self, data: Any, initial: Any) -> None:
        """Nothing: a browser makes a new one."""

    def prepare_value(self, value: Any) -> str:  # noqa: ARG002
        """Likewise."""
        return ""


class AddWebAuthnForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey or security key."""

    credential = CredentialField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_name(self)
        if "passwordless" in self.fields:
            field = self.fields["passwordless"]
            field.label = _("Use it to sign in without a password (passkey)")
            field.help_text = _(
                "With a passkey there is no password to type: your finger, face or PIN unlocks it. "
                "Otherwise we ask for the key after your password."
            )
            field.initial = True

    def clean_credential(self) -> dict[str, Any]:
        """What is kept of it; raises ``ValidationError`` for one too many, or too large."""
        passkeys.expect_room(self.user)
        return passkeys.essential(self.cleaned_data["credential"])

    def clean(self) -> dict[str, Any]:
        """The key must answer the challenge; raises ``ValidationError`` in words that fit a key."""
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError as error:
            raise passkeys.no_key() from error
        return cleaned


class AuthenticateWebAuthnForm(webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A key after the password."""

    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        """The key that answers the challenge."""
        self.cleaned_data["credential"] = passkeys.essential_answer(self.cleaned_data["credential"])
        return super().clean_credential()


class LoginWebAuthnForm(AuthenticateWebAuthnForm, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey in place of the password."""


class ReauthenticateWebAuthnForm(AuthenticateWebAuthnForm, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A key to confirm who you are."""


class EditWebAuthnForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """A new name for a key."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_name(self)
