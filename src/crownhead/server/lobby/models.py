"""Visits of members to the home page."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Visit(models.Model):
    """When a member last opened the home page, and when their previous visit ended."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    seen_at = models.DateTimeField()
    before_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        """The name in the admin."""
        return f"{self.user_id} {self.seen_at:%Y-%m-%d %H:%M}"
