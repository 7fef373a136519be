"""What players ask of the staff, and what the staff decide."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.text import capfirst

from crownhead.server.play.choices import Claim, Seat, StaffVerb


class Appeal(models.Model):
    """A player asks the staff to declare a win or a draw, and what they answered."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="+")
    seat = models.CharField(max_length=8, choices=Seat.choices)
    claim = models.CharField(max_length=8, choices=Claim.choices)
    reason = models.TextField()
    asked_at = models.DateTimeField()
    granted = models.BooleanField(null=True)
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat"], condition=Q(answered_at__isnull=True), name="appeal_open_once"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, granted__isnull=True)
                | Q(answered_at__isnull=False, granted__isnull=False),
                name="appeal_answered_or_not",
            ),
        ]
        indexes = [models.Index(fields=["answered_at", "asked_at"], name="appeal_to_answer")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{capfirst(self.get_claim_display())}: {self.game}"


class StaffAction(models.Model):
    """What a member of the staff, or the director of a contest, did to a game, and why; never changed."""

    game = models.ForeignKey("play.Game", on_delete=models.CASCADE, related_name="staff_actions")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    as_director = models.BooleanField(default=False, help_text="of the contest that the game belongs to")
    verb = models.CharField(max_length=16, choices=StaffVerb.choices)
    result = models.CharField(max_length=8, blank=True, default="")
    reason = models.TextField()
    done_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "play_staffact"
        constraints = [
            models.CheckConstraint(condition=Q(verb__in=StaffVerb.values), name="staff_verb_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="staff_give_a_reason"),
        ]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.game_id} {self.verb}"
