"""Vacations that players have set in advance."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """Whole hours of a player's vacation in one year, set in advance or used as a time ran out."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="in UTC, whose budget pays for it")
    hours = models.PositiveSmallIntegerField()
    automatic = models.BooleanField(default=False, help_text="used as a time ran out")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(hours__gt=0, ends_at__gt=F("begins_at")), name="vacation_has_hours"
            ),
        ]
        indexes = [models.Index(fields=["user", "year"], name="vacation_of_user")]

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user_id} {self.begins_at:%Y-%m-%d %H:%M} {self.hours} h"
