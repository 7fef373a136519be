"""The staff's forms: the terms of a new ladder, and moving or removing a member."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from crownhead import VARIANTS
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.selectors.terms import OPEN_ALREADY, is_open_already, options_of
from crownhead.server.ladders.services.memberships import LONGEST_REASON
from crownhead.server.play.choices import DrawRulesKey
from crownhead.server.play.presenters.variant_texts import variant_name


class LadderForm(forms.ModelForm[Ladder]):
    """The terms of a new ladder; they never change while it is open."""

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
        """Refuse terms on which no game could be played, or that an open ladder has."""
        cleaned = super().clean() or {}
        if not self.errors:
            self.instance.opened_at = clock.now()
            ladder = Ladder(**cleaned)
            try:
                options_of(ladder).checked()
            except Problem as problem:
                raise forms.ValidationError(problem.message) from problem
            if is_open_already(ladder):
                raise forms.ValidationError(OPEN_ALREADY)
        return cleaned


class MemberForm(forms.ModelForm[Member]):
    """Move a member to another place or step, or remove them."""

    rank = forms.IntegerField(
        label=_("Move to this place or step"),
        min_value=1,
        required=False,
        help_text=_("leave empty to keep it"),
    )
    off = forms.BooleanField(label=_("Remove from the ladder"), required=False)
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("shown in the ladder's history")
    )

    class Meta:
        model = Member
        fields = ()
