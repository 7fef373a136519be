"""allauth's forms with our labels; the pages and the API sign people up through the same one."""

from typing import Any

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.validators import MaxLengthValidator
from django.forms import (
    CharField,
    CheckboxSelectMultiple,
    Form,
    HiddenInput,
    PasswordInput,
    TypedMultipleChoiceField,
)
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.access import leading_to_sign_in
from crownhead.server.accounts.addresses import services as addresses
from crownhead.server.accounts.addresses.selectors import holders, who_only_waits_for
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.preferences.services import adopt_time_zone
from crownhead.server.accounts.validators import LONGEST_LOGIN, LONGEST_PASSWORD
from crownhead.server.core import clock
from crownhead.server.web.forms import give_back_at_most


class SignupForm(forms.SignupForm):  # type: ignore[misc]
    """A name, an e-mail address and a password; a script adds the time zone of the browser."""

    time_zone = CharField(required=False, widget=HiddenInput)
    password_hash = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        give_back_at_most(self.fields["time_zone"], LONGEST_LOGIN)
        _label(self.fields["username"], _("Username"))
        _label(self.fields["email"], _("E-mail address"))
        _label(self.fields["password1"], _("Password"))
        self.fields["username"].help_text = _("3 to 20 letters, digits, - or _; everybody can see it")
        self.fields["email"].help_text = _(
            "never shown to others; used to confirm your account and reset your password"
        )
        self.fields["password1"].help_text = _("at least 8 characters; avoid common passwords")

    def signup(self, request: HttpRequest, user: User) -> None:  # noqa: ARG002
        """Remember the time zone for pages and mails."""
        adopt_time_zone(user=user, name=self.cleaned_data["time_zone"])

    def clean(self) -> dict[str, Any]:
        """Hash the password of what is right: while the account is stored, others wait."""
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            self.password_hash = make_password(cleaned["password1"])
        return cleaned

    def validate_unique_email(self, value: str) -> str:
        """Any address will do: an account without the use of its address is answered like every other."""
        return value


class LoginForm(forms.LoginForm):  # type: ignore[misc]
    """A name or an e-mail address, and the password; a script adds the time zone of the browser."""

    time_zone = CharField(required=False, widget=HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        give_back_at_most(self.fields["time_zone"], LONGEST_LOGIN)
        _label(self.fields["login"], _("Username or e-mail address"))
        _label(self.fields["password"], _("Password"))
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].help_text = ""

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Sign in; who needed no second factor and has no time zone gets that of the browser."""
        answer: HttpResponse = super().login(request, redirect_url)
        if isinstance(request.user, User):
            adopt_time_zone(user=request.user, name=self.cleaned_data["time_zone"])
        return answer


class ReauthenticateForm(forms.ReauthenticateForm):  # type: ignore[misc]
    """The password again, before something that can't be undone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["password"], _("Password"))


class EmailForm(forms.AddEmailForm):  # type: ignore[misc]
    """A new address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["email"], _("New e-mail address"))
        add_kept_tokens(self, self.user)

    def save(self, request: HttpRequest) -> EmailAddress:
        """Begin the change; the old address is asked first."""
        with leading_to_sign_in(request):
            return addresses.ask(
                request=request,
                user=self.user,
                address=self.cleaned_data["email"],
                kept_tokens=kept_tokens(self),
                now=clock.now(),
            )


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]
    """The password in use and the one to come, and the programs that stay signed in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["oldpassword"], _("Current password"))
        _label(self.fields["password1"], _("New password"))
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].help_text = _("at least 8 characters; avoid common passwords")
        self.fields.pop("password2", None)
        add_kept_tokens(self, self.user)

    def clean_oldpassword(self) -> str:
        """Wrong ones count as they do where somebody signs in."""
        password: str = self.cleaned_data["oldpassword"]
        if not get_adapter().is_own_password(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return password

    def save(self) -> None:
        """Set the password; all other sessions and tokens end."""
        self.user.kept_tokens = kept_tokens(self)
        super().save()


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]
    """The address to which the link is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["email"], _("E-mail address"))

    def clean_email(self) -> str:
        """At most as many accounts as an address may have: who confirmed it, or those that gave it first."""
        email: str = super().clean_email()
        users: list[User] = sorted(self.users, key=lambda user: (user.date_joined, user.pk))  # type: ignore[has-type]
        by_right, waiting = holders(email), who_only_waits_for(email)
        may = [user for user in users if user.pk not in waiting and (not by_right or user.pk in by_right)]
        self.users = may[: settings.ACCOUNTS_PER_ADDRESS]
        return email


class ResetPasswordKeyForm(forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password in place of a forgotten one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _label(self.fields["password1"], _("New password"))
        self.fields["password1"].help_text = _("at least 8 characters; avoid common passwords")
        self.fields.pop("password2", None)

    def save(self) -> None:
        """Set the password; all sessions and tokens end, and more where no address was ever confirmed."""
        get_adapter().reset_password(self.user, self.cleaned_data["password1"])


def add_kept_tokens(form: Form, user: User) -> None:
    """Add the choice of tokens that stay when everything else is signed out, if the user has any."""
    tokens = [
        (row.pk, row.name or _("Unnamed program"))
        for row in ApiToken.objects.filter(user=user).order_by("pk")
    ]
    if tokens:
        form.fields["kept_tokens"] = TypedMultipleChoiceField(
            label=_("Programs that stay signed in"),
            help_text=_("All other browsers and programs are signed out."),
            choices=tokens,
            coerce=int,
            error_messages={"invalid_choice": _("Choose one of these.")},  # without what was sent
            required=False,
            widget=CheckboxSelectMultiple,
        )


def kept_tokens(form: Form) -> list[int]:
    """The primary keys of the tokens that stay."""
    return list(form.cleaned_data.get("kept_tokens", ()))


def _label(field: CharField, text: Any) -> None:
    """Set the label and the longest that is accepted; what is longer is neither hashed nor shown again."""
    field.label = text
    field.widget.attrs.pop("placeholder", None)
    longest = LONGEST_PASSWORD if isinstance(field.widget, PasswordInput) else LONGEST_LOGIN
    field.validators.append(MaxLengthValidator(longest, _("Use at most %(limit_value)s characters.")))
    field.widget.attrs.setdefault("maxlength", longest)
    give_back_at_most(field, longest)
