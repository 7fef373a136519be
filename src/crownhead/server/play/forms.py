"""The forms by which staff decide games."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead.server.play.models import Appeal, Game, Status
from crownhead.server.play.options import Result
from crownhead.server.play.services import LONGEST_REASON


class AdjudicationForm(forms.ModelForm):  # type: ignore[type-arg]
    """A result and the reason for it, which is kept and shown."""

    result = forms.ChoiceField(
        label=_("result"),
        choices=[
            (Result.FIRST.value, _("the first player wins")),
            (Result.SECOND.value, _("the second player wins")),
            (Result.DRAW.value, _("draw")),
            (Result.NOTHING.value, _("the game counts for nothing")),
        ],
        widget=forms.RadioSelect,
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
        return cleaned


class AnnulmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """Why a finished game counts for nothing."""

    why_annulled = forms.CharField(
        label=_("counts for nothing because"), max_length=LONGEST_REASON, widget=forms.Textarea
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = ()


class AppealForm(forms.ModelForm):  # type: ignore[type-arg]
    """The staff's answer to a player's request, and the reason for it."""

    verdict = forms.ChoiceField(
        label=_("verdict"),
        choices=[("grant", _("grant it: the game ends")), ("refuse", _("refuse it: the game goes on"))],
        widget=forms.RadioSelect,
    )
    reply = forms.CharField(label=_("reason"), max_length=LONGEST_REASON, widget=forms.Textarea)

    class Meta:
        model = Appeal
        fields: tuple[str, ...] = ()
