"""The rules of house variants, as the club has played by them."""

from __future__ import annotations

from django.db import models


class HouseVariant(models.Model):
    """The rules of a variant that does not come with the package; a game names it by its key alone."""

    key = models.CharField(max_length=32, unique=True)
    fingerprint = models.CharField(max_length=16)
    rules = models.TextField(help_text="what the fingerprint is made of, to compare with the file")

    def __str__(self) -> str:
        """What the back office calls it."""
        return self.key
