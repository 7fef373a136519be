"""Who has left the club during a live game."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Absence(models.Model):
    """A player of a live game who has no page of the club open any more; gone as soon as they are back."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    since = models.DateTimeField()

    def __str__(self) -> str:
        """What the back office calls it."""
        return f"{self.user_id} since {self.since:%Y-%m-%d %H:%M}"
