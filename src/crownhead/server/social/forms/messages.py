"""The forms of messages, reports and messages to the staff."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import LONGEST, LONGEST_LOGIN
from crownhead.server.social.models import LONGEST_REASON, LONGEST_SUBJECT, LONGEST_TEXT
from crownhead.server.web.forms import give_back_at_most


class Club(forms.Form):
    """A form with the styles of the club's pages, which shows no more again than its fields take."""

    required_css_class = "required"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for field in self.fields.values():
            give_back_at_most(field, 2 * (getattr(field, "max_length", None) or LONGEST_LOGIN))


def _area(rows: int, keep: str) -> forms.Textarea:
    """Return a field of several lines; its text survives a change of the page."""
    return forms.Textarea(attrs={"rows": rows, "data-keep": keep, "dir": "auto"})


class ReplyForm(Club):
    """A reply."""

    text = forms.CharField(label=_("Your message"), max_length=LONGEST_TEXT, widget=_area(4, "reply"))


class MessageForm(Club):
    """A message to a player."""

    to = forms.CharField(
        label=_("To"),
        max_length=LONGEST,
        help_text=_("the name of a player"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    subject = forms.CharField(
        label=_("Subject"),
        max_length=LONGEST_SUBJECT,
        required=False,
        help_text=_("optional: leave it empty to continue your last conversation"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    text = forms.CharField(label=_("Message"), max_length=LONGEST_TEXT, widget=_area(8, "message"))

    def __init__(self, *args: Any, sender: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sender = sender

    def clean_to(self) -> str:
        """Check that the recipient is another player."""
        name = str(self.cleaned_data["to"])
        recipient = accounts.player(name)
        if recipient is None:
            raise forms.ValidationError(_("There is no player with this name."))
        if recipient.pk == self._sender.pk:
            raise forms.ValidationError(_("That's you. Choose somebody else."))
        return recipient.username


class ReportForm(Club):
    """Why something is reported."""

    reason = forms.CharField(label=_("What is wrong?"), max_length=LONGEST_REASON, widget=_area(5, "reason"))


class LetterForm(Club):
    """A message of a member to the staff."""

    reason = forms.CharField(label=_("Your message"), max_length=LONGEST_REASON, widget=_area(8, "letter"))


class GuestLetterForm(LetterForm):
    """A message of a guest to the staff."""

    address = forms.EmailField(
        label=_("Your e-mail address"),
        max_length=LONGEST_LOGIN,
        help_text=_("so that we can answer; not shown to others"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )
    field_order = ("address", "reason", "website")

    @property
    def is_by_a_machine(self) -> bool:
        """Return whether the field that people leave empty is filled in."""
        return bool(self.data.get("website"))
