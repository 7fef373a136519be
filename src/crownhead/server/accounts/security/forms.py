"""The forms of allauth for second factors and passkeys, with our labels."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django.forms import Form
from django.utils.translation import gettext_lazy as _

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
    field.max_length = LONGEST_NAME  # type: ignore[attr-defined]
    field.validators.append(check_line)
    give_back_at_most(field, LONGEST_NAME)


class AuthenticateForm(base.AuthenticateForm):  # type: ignore[misc]
    """The code after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_code(self)
        self.fields["code"].help_text = _("from your authenticator app, or a recovery code")


class ReauthenticateForm(base.ReauthenticateForm):  # type: ignore[misc]
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


class AddWebAuthnForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey or security key."""

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


class EditWebAuthnForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """A new name for a key."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label_name(self)
