"""What staff fill in for ladders: the terms of a new one, and where to put somebody and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead import VARIANTS
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.services import terms
from crownhead.server.ladders.services.memberships import LONGEST_REASON
from crownhead.server.play.choices import DrawRulesKey
from crownhead.server.play.presenters.variant_texts import variant_name


class LadderForm(forms.ModelForm[Ladder]):
    """The terms of a new ladder; they stay as long as it is open."""

    variant = forms.ChoiceField(choices=lambda: [(row.key, variant_name(row)) for row in VARIANTS.values()])
    draw_rules = forms.ChoiceField(choices=DrawRulesKey.choices, initial=DrawRulesKey.OFFICIAL)

    class Meta:
        model = Ladder
        fields = (
            "variant",
            "style",
            "title",
            "pace",
            "time",
            "bonus",
            "limit",
            "weekends_off",
            "vacation",
            "rated",
            "draw_rules",
            "games",
            "idle_days",
        )

    def clean(self) -> dict[str, Any]:
        """Terms on which no game could be played are refused here."""
        cleaned = super().clean() or {}
        if not self.errors:
            self.instance.opened_at = clock.now()
            try:
                terms.options_of(Ladder(**cleaned)).checked()
            except Problem as problem:
                raise forms.ValidationError(problem.detail) from problem
        return cleaned


class MemberForm(forms.ModelForm[Member]):
    """Put somebody on another place or step, or take him off."""

    rank = forms.IntegerField(
        label=_("Put on this place or step"), min_value=1, required=False, help_text=_("empty: as it is")
    )
    off = forms.BooleanField(label=_("Take off the ladder"), required=False)
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("kept in the ladder's history")
    )

    class Meta:
        model = Member
        fields = ()
