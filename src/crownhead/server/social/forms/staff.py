"""The forms for deciding on reports, muting and banning."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead.server.core import clock
from crownhead.server.core.admin import AsShownForm
from crownhead.server.social.access import LONGEST
from crownhead.server.social.choices import Decision
from crownhead.server.social.models import LONGEST_REASON, Ban, Mute, Report

MUTES = {
    "1": (_("a day"), timedelta(days=1)),
    "7": (_("a week"), timedelta(days=7)),
    "30": (_("30 days"), timedelta(days=30)),
    "365": (_("a year"), timedelta(days=365)),
    "": (_("until it is lifted"), None),
}


class DecisionForm(forms.ModelForm):  # type: ignore[type-arg]
    """The decision on a report, the note to the reporter, and the reason for the log."""

    verdict = forms.ChoiceField(
        label=_("decision"),
        choices=Decision.choices,
        widget=forms.RadioSelect,
        help_text=_("the player is muted or suspended at once; a warning is a message that you send them"),
    )
    muted_for = forms.ChoiceField(
        label=_("for how long"),
        choices=[(key, label) for key, (label, _span) in MUTES.items()],
        required=False,
        initial="7",
        help_text=_("for a player who is muted or suspended"),
    )
    reply = forms.CharField(
        label=_("note to the reporter"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("shown with the decision; a guest gets it by e-mail"),
    )
    words = forms.CharField(
        label=_("reason"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("kept in the log; shown to a player who is muted or suspended"),
    )

    class Meta:
        model = Report
        fields: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        """Check that there is a player to mute and a reason."""
        cleaned = super().clean() or {}
        if self.instance.decided_at is not None:
            raise forms.ValidationError(_("This report has already been decided."))
        if cleaned.get("verdict") not in {Decision.MUTED, Decision.BANNED}:
            return cleaned
        if self.instance.about is None:
            self.add_error("verdict", _("This report is not about a player who could be muted or suspended."))
        elif self.instance.about.has_rights:
            self.add_error("verdict", _("Staff can't be muted or suspended."))
        if not cleaned.get("words", "").strip():
            self.add_error("words", _("Enter a reason."))
        return cleaned


class _SpanForm(AsShownForm):
    """A player, a time, a reason."""

    def clean(self) -> dict[str, Any]:
        """Check the player and that the time is in the future."""
        cleaned = super().clean() or {}
        user, until, now = cleaned.get("user"), cleaned.get("until"), clock.now()
        if user is not None and user.has_rights:
            self.add_error("user", _("Staff can't be muted or suspended."))
        if until is not None and not now < until <= now + LONGEST:
            self.add_error("until", _("Choose a time within a year from now."))
        return cleaned


class MuteForm(_SpanForm):
    """Who is muted, until when, and why."""

    class Meta:
        model = Mute
        fields = ("user", "until", "reason")


class BanForm(_SpanForm):
    """Who is banned, until when, why, and whether their account is open again then."""

    shown = ("until", "reason", "reopens")

    opened = forms.BooleanField(
        label=_("reopen the account when the ban ends"),
        required=False,
        help_text=_("otherwise it stays closed to its owner until the staff reopen it"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["opened"] = self.instance.reopens

    class Meta:
        model = Ban
        fields = ("user", "until", "reason")
