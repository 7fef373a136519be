"""The forms by which staff decide games."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminSplitDateTime
from django.utils.translation import gettext_lazy as _

from crownhead.server.play.games.options import Result
from crownhead.server.play.models import Appeal, Game, Seat, Status
from crownhead.server.play.staff.services import LONGEST_REASON

ADJOURN, RESUME, FORFEIT = "adjourn", "resume", "forfeit-"
BOTH = "both"


class AdjudicationForm(forms.ModelForm):  # type: ignore[type-arg]
    """What is decided about a game in progress, and the reason for it, which is kept and shown."""

    result = forms.ChoiceField(
        label=_("decision"),
        choices=[
            (Result.FIRST.value, _("the first player wins")),
            (Result.SECOND.value, _("the second player wins")),
            (Result.DRAW.value, _("draw")),
            (Result.NOTHING.value, _("annul the game")),
            (FORFEIT + Seat.FIRST.value, _("the first player loses by forfeit")),
            (FORFEIT + Seat.SECOND.value, _("the second player loses by forfeit")),
            (FORFEIT + BOTH, _("both lose by forfeit")),
            (ADJOURN, _("adjourn: stop the clock until the time below")),
            (RESUME, _("resume: start the clock again")),
        ],
        widget=forms.RadioSelect,
    )
    until = forms.SplitDateTimeField(
        label=_("until"),
        required=False,
        widget=AdminSplitDateTime,
        help_text=_("in your time zone, for an adjournment; the players may still move"),
    )
    reason = forms.CharField(label=_("reason"), max_length=LONGEST_REASON, widget=forms.Textarea)

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        """Only a game in progress can be decided."""
        cleaned = super().clean() or {}
        if self.instance.status != Status.PLAYING:
            raise forms.ValidationError(_("This game is not in progress."))
        if cleaned.get("result") == ADJOURN and not cleaned.get("until") and "until" not in self.errors:
            self.add_error("until", _("Choose when the clock starts again."))
        return cleaned


class AnnulmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """Why a finished game counts for nothing."""

    why_annulled = forms.CharField(
        label=_("reason for annulling it"), max_length=LONGEST_REASON, widget=forms.Textarea
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()


class AppealForm(forms.ModelForm):  # type: ignore[type-arg]
    """The staff's answer to a player's request, and the reason for it."""

    verdict = forms.ChoiceField(
        label=_("verdict"),
        choices=[("grant", _("grant (ends the game)")), ("refuse", _("refuse (the game goes on)"))],
        widget=forms.RadioSelect,
    )
    reply = forms.CharField(label=_("reason"), max_length=LONGEST_REASON, widget=forms.Textarea)

    class Meta:
        model = Appeal
        fields: tuple[str, ...] = ()
