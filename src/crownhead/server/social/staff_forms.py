"""The forms by which the staff decide on reports and keep people from writing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead.server.core import clock
from crownhead.server.social.choices import Decision
from crownhead.server.social.models import LONGEST_REASON, Mute, Report
from crownhead.server.social.staff import LONGEST_MUTE

MUTES = {
    "1": (_("a day"), timedelta(days=1)),
    "7": (_("a week"), timedelta(days=7)),
    "30": (_("30 days"), timedelta(days=30)),
    "365": (_("a year"), timedelta(days=365)),
    "": (_("until it is lifted"), None),
}


class DecisionForm(forms.ModelForm):  # type: ignore[type-arg]
    """What is done about a report, what its maker is told, what stays among the staff."""

    verdict = forms.ChoiceField(
        label=_("decision"),
        choices=Decision.choices,
        widget=forms.RadioSelect,
        help_text=_("muting is done by this form; warn a player in a message, ban him on his own page here"),
    )
    muted_for = forms.ChoiceField(
        label=_("muted for"),
        choices=[(key, label) for key, (label, _span) in MUTES.items()],
        required=False,
        initial="7",
        help_text=_("where the decision is that the player may not write"),
    )
    reply = forms.CharField(
        label=_("to the one who reported it"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("he reads it with the decision; a guest gets it by e-mail"),
    )
    words = forms.CharField(
        label=_("reason"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("kept in the log; a player who is muted reads it"),
    )

    class Meta:
        model = Report
        fields: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        """Somebody is there to be muted, and is told why."""
        cleaned = super().clean() or {}
        if self.instance.decided_at is not None:
            raise forms.ValidationError(_("This report is decided already."))
        if cleaned.get("verdict") != Decision.MUTED:
            return cleaned
        if self.instance.about is None:
            self.add_error("verdict", _("Nobody is reported who could be muted."))
        elif self.instance.about.is_staff:
            self.add_error("verdict", _("A member of the staff cannot be muted."))
        if not cleaned.get("words", "").strip():
            self.add_error("words", _("Say why the player may not write."))
        return cleaned


class MuteForm(forms.ModelForm):  # type: ignore[type-arg]
    """Who may not write, until when, and why."""

    class Meta:
        model = Mute
        fields = ("user", "until", "reason")

    def clean(self) -> dict[str, Any]:
        """A player, and a moment to come."""
        cleaned = super().clean() or {}
        user, until, now = cleaned.get("user"), cleaned.get("until"), clock.now()
        if user is not None and user.is_staff:
            self.add_error("user", _("A member of the staff cannot be muted."))
        if until is not None and not now < until <= now + LONGEST_MUTE:
            self.add_error("until", _("Name a moment within a year from now."))
        return cleaned
