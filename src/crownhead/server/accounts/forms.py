"""allauth's forms with our labels; the pages and the API sign people up through the same one."""

from typing import Any

from allauth.account import forms
from django.forms import Field
from django.utils.translation import gettext_lazy as _


class SignupForm(forms.SignupForm):  # type: ignore[misc]
    """A name, an e-mail address and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["username"], _("Name"))
        _label(self.fields["email"], _("E-mail address"))
        _label(self.fields["password1"], _("Password"))
        self.fields["username"].help_text = _("3 to 20 letters, digits, - or _; everybody can see it")
        self.fields["email"].help_text = _(
            "never shown to others; used to confirm your account and reset your password"
        )
        self.fields["password1"].help_text = _("at least 8 characters, not a common one")


class LoginForm(forms.LoginForm):  # type: ignore[misc]
    """A name or an e-mail address, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["login"], _("Username or e-mail address"))
        _label(self.fields["password"], _("Password"))
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].help_text = ""


class EmailForm(forms.AddEmailForm):  # type: ignore[misc]
    """A new address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["email"], _("New e-mail address"))


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]
    """The password in use and the one to come."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["oldpassword"], _("Current password"))
        _label(self.fields["password1"], _("New password"))
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].help_text = _("at least 8 characters, not a common one")
        self.fields.pop("password2", None)


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]
    """The address to which the link is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["email"], _("E-mail address"))


class ResetPasswordKeyForm(forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password in place of a forgotten one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["password1"], _("New password"))
        self.fields["password1"].help_text = _("at least 8 characters, not a common one")
        self.fields.pop("password2", None)


def _label(field: Field, text: Any) -> None:
    field.label = text
    field.widget.attrs.pop("placeholder", None)
